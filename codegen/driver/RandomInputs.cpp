#include "codegen/driver/RandomInputs.h"

#include "ir/Dialect.h"

#include <cmath>

using namespace mlir;
using namespace axloom;
using namespace axloom::ir::reference;

/// In [0, 1), the same for every standard library.
static double fraction(std::mt19937_64 &random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

Array codegen::randomArray(const Space &space, double low, double high, std::mt19937_64 &random) {
  Array array(space);
  Write to(array, array.space);
  array.space.forEach([&](Point p) { to[p] = low + fraction(random) * (high - low); });
  return array;
}

namespace {
class Drawing {
public:
  Drawing(const GradientCheckOptions &options) : options(options), random(options.seed) {}

  void drawSizes(ModuleOp module);
  void drawLengths(Type type);
  Array draw(StringRef name, Type type);

  Sizes sizes;

private:
  const GradientCheckOptions &options;
  std::mt19937_64 random;
};
} // namespace

/// Small ones, and not all equal.
void Drawing::drawSizes(ModuleOp module) {
  int64_t next = 0;
  for (auto size : module.getOps<ir::SizeOp>()) {
    auto given = options.sizes.find(size.getSymName().str());
    sizes.symbols[size.getSymName().str()] = given != options.sizes.end()
                                                 ? given->second
                                                 : std::min<int64_t>(2 + next++ % 3, size.getMax());
  }
}

/// For each ragged size of a type, a length for each index of its partner.
void Drawing::drawLengths(Type type) {
  auto tensor = llvm::dyn_cast<ir::NamedTensorType>(type);
  for (const ir::Axis &axis : tensor ? tensor.getAxes() : ArrayRef<ir::Axis>()) {
    if (!axis.size().isRagged())
      continue;
    std::vector<int64_t> &lengths = sizes.lengths[axis.size().padded().str()];
    int64_t longest = sizes.extent(axis.size());
    lengths.resize(sizes.extent(tensor.sizeOf(axis.size().getRaggedOver().getValue())), longest);
    if (lengths.size() > 1 && longest > 0)
      lengths.front() = 1 + static_cast<int64_t>(random() % longest);
  }
}

Array Drawing::draw(StringRef name, Type type) {
  auto tensor = llvm::cast<ir::NamedTensorType>(type);
  bool isFloat = llvm::isa<FloatType>(tensor.getElementType());
  std::pair<double, double> range = isFloat ? std::pair(-1.0, 1.0) : std::pair(0.0, 2.0);
  if (auto given = options.ranges.find(name.str()); given != options.ranges.end())
    range = given->second;
  Array array =
      codegen::randomArray(Space(tensor.getAxes(), sizes), range.first, range.second, random);
  if (!isFloat)
    for (double &value : array.values)
      value = std::floor(value);
  return array;
}

Inputs codegen::randomInputs(func::FuncOp function, const GradientCheckOptions &options) {
  auto module = function->getParentOfType<ModuleOp>();
  Drawing drawing(options);
  drawing.drawSizes(module);
  llvm::for_each(function.getArgumentTypes(), [&](Type type) { drawing.drawLengths(type); });
  Inputs inputs;
  for (unsigned number = 0; number < function.getNumArguments(); ++number) {
    auto name = function.getArgAttrOfType<StringAttr>(number, "axloom.name");
    inputs.arguments.push_back(
        drawing.draw(name ? name.getValue() : "", function.getArgumentTypes()[number]));
  }
  for (auto variable : module.getOps<ir::VariableOp>())
    inputs.variables[variable.getSymName().str()] =
        drawing.draw(variable.getSymName(), variable.getType());
  inputs.sizes = drawing.sizes;
  return inputs;
}
