#include "codegen/host/Description.h"

#include "codegen/KernelLimits.h"
#include "codegen/host/Elements.h"
#include "codegen/host/IndexLimits.h"
#include "codegen/host/Initializer.h"
#include "codegen/host/RaggedSizes.h"
#include "ir/Factors.h"
#include "ir/Ragged.h"
#include "ir/SourceLines.h"
#include "ir/Work.h"
#include "passes/Remarks.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>
#include <map>

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

namespace {
/// Fills a Description, table by table.
class Describer {
public:
  Describer(ModuleOp module, Description &out) : module(module), out(out) {}

  LogicalResult run(ArrayRef<CompiledKernel> compiled);

private:
  LogicalResult addVariable(ir::VariableOp op);
  LogicalResult addFunction(func::FuncOp op);
  LogicalResult addKernel(ir::KernelOp op, const CompiledKernel &code);
  void addPreparation(ir::KernelOp op, const Preparation &preparation, const KernelInfo &user);
  int32_t keep(StringRef variable, const Preparation &preparation, const KernelInfo &user);
  void addLengths(FunctionInfo &info, StringAttr symbol, const RaggedSize &size);
  void addDerivedSizes();
  FailureOr<ValueInfo> value(Operation *op, ir::NamedTensorType type, StringRef name,
                             ArrayAttr order, Location where);
  int32_t location(Location where);
  int32_t locationOfResult(ir::KernelOp op, unsigned result);
  std::vector<ProductInfo> products(ir::KernelOp op);

  ModuleOp module;
  Description &out;
  llvm::StringMap<int32_t> locationIndex;
  std::map<std::pair<int32_t, std::string>, int32_t> preparedIndex; // by variable and form
  llvm::DenseMap<Operation *, unsigned> kernelsIn; // kernels named so far, of each function
};
} // namespace

ExtentInfo Description::extent(ir::SizeAttr size) const {
  ExtentInfo info{size.getFactor(), {}};
  for (StringAttr symbol : size.getSymbols())
    info.symbols.push_back(symbolIndex.lookup(symbol.getValue()));
  return info;
}

std::string Description::str(const ExtentInfo &extent) const {
  std::vector<std::string> parts;
  if (extent.factor != 1 || extent.symbols.empty())
    parts.push_back(std::to_string(extent.factor));
  for (int32_t symbol : extent.symbols)
    parts.push_back(symbols[symbol].name);
  return llvm::join(parts, "*");
}

SmallVector<ir::KernelOp> codegen::kernelsOf(ModuleOp module) {
  SmallVector<ir::KernelOp> kernels;
  module.walk([&](ir::KernelOp kernel) { kernels.push_back(kernel); });
  return kernels;
}

std::string codegen::fingerprint(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, OpPrintingFlags().printGenericOpForm());
  auto hash = llvm::SHA256::hash(llvm::arrayRefFromStringRef(text));
  return llvm::toHex(ArrayRef<uint8_t>(hash).take_front(16), /*LowerCase=*/true);
}

int32_t Describer::location(Location where) {
  FileLineColLoc file = ir::filePlace(where);
  if (!file)
    return -1;
  std::string key;
  llvm::raw_string_ostream(key) << file.getFilename().getValue() << ":" << file.getLine() << ":"
                                << file.getColumn();
  auto [entry, isNew] = locationIndex.try_emplace(key, int32_t(out.locations.size()));
  if (isNew)
    out.locations.push_back(
        {file.getFilename().str(), int32_t(file.getLine()), int32_t(file.getColumn())});
  return entry->second;
}

/// Checks that an extent in the tables has room for the symbols of a size.
static LogicalResult checkSymbols(Operation *op, const Twine &what, ir::SizeAttr size) {
  if (size.getSymbols().size() <= AXL_MAX_FACTORS)
    return success();
  return op->emitError(what) << " has size " << size.str() << "; at most " << AXL_MAX_FACTORS
                             << " symbols can be in one";
}

FailureOr<ValueInfo> Describer::value(Operation *op, ir::NamedTensorType type, StringRef name,
                                      ArrayAttr order, Location where) {
  if (type.rank() > AXL_MAX_RANK)
    return op->emitError("'") << name << "' has " << type.rank() << " axes; at most "
                              << AXL_MAX_RANK << " can be passed to a program";
  std::optional<ir::RaggedPart> part = ir::raggedPart(type);
  if (part && part->axes.size() > AXL_MAX_FACTORS)
    return op->emitError("'") << name << "' has " << part->axes.size()
                              << " axes that are ragged over '" << part->partner.getValue()
                              << "'; at most " << AXL_MAX_FACTORS << " can be in one tensor";
  ValueInfo info{
      .name = name.str(), .type = elementTag(type.getElementType()), .location = location(where)};
  for (auto axis : order.getAsRange<StringAttr>()) {
    ir::SizeAttr size = type.sizeOf(axis.getValue());
    if (failed(checkSymbols(op, "axis '" + axis.getValue() + "' of '" + name + "'", size)))
      return failure();
    for (StringAttr symbol : size.getSymbols())
      if (!out.symbolIndex.contains(symbol.getValue()))
        return op->emitError("axis '")
               << axis.getValue() << "' of '" << name << "' has size " << size.str()
               << ", but no size '" << symbol.getValue() << "' is declared";
    info.order.push_back(axis.str());
  }
  info.axes = dimensionNames(type, order);
  for (ir::SizeAttr size : ir::memorySizes(type, llvm::to_vector(order.getAsRange<StringAttr>())))
    info.extents.push_back(out.extent(size));
  return info;
}

LogicalResult Describer::addVariable(ir::VariableOp op) {
  auto type = llvm::cast<ir::NamedTensorType>(op.getType());
  FailureOr<ValueInfo> described = value(op, type, op.getSymName(), op.getOrder(), op.getLoc());
  if (failed(described))
    return failure();
  VariableInfo info;
  info.value = *described;
  info.kind = llvm::StringSwitch<int32_t>(op.getKind())
                  .Case("parameter", AXL_PARAMETER)
                  .Case("state", AXL_STATE)
                  .Default(AXL_SESSION);
  setInitializer(op, info);
  out.variableIndex[op.getSymName()] = int32_t(out.variables.size());
  out.variables.push_back(std::move(info));
  return success();
}

/// The attributes of an argument or a result: its name, and its declared order (by name where none
/// is given).
static std::pair<std::string, ArrayAttr>
nameAndOrder(DictionaryAttr attributes, ir::NamedTensorType type, const Twine &fallback) {
  StringAttr name = attributes ? attributes.getAs<StringAttr>("axloom.name") : nullptr;
  ArrayAttr order = attributes ? attributes.getAs<ArrayAttr>("axloom.order") : nullptr;
  if (!order) {
    SmallVector<Attribute> axes;
    for (const ir::Axis &axis : type.getAxes())
      axes.push_back(axis.name);
    order = ArrayAttr::get(type.getContext(), axes);
  }
  return {name ? name.str() : fallback.str(), order};
}

/// The name of the argument that the lengths of a ragged size come as.
static std::string nameOfLengths(StringAttr symbol) { return symbol.str() + ".lengths"; }

/// Checks that lengths can be an argument: no other has its name, and there is room for its size.
static LogicalResult checkLengths(func::FuncOp op, const FunctionInfo &info, StringAttr symbol,
                                  const RaggedSize &size) {
  for (auto [argument, known] : llvm::zip(op.getArguments(), info.arguments))
    if (known.name == nameOfLengths(symbol))
      return emitError(argument.getLoc())
             << "argument '" << known.name << "' is there twice: '" << symbol.getValue()
             << "' is ragged in '" << info.name
             << "', so its lengths come by that name; use another name";
  return checkSymbols(op,
                      "axis '" + size.partner.getValue() + "', which '" + symbol.getValue() +
                          "' is ragged over,",
                      size.entries);
}

LogicalResult Describer::addFunction(func::FuncOp op) {
  FunctionInfo info;
  info.name = op.getSymName().str();
  info.location = location(op.getLoc());
  for (BlockArgument argument : op.getArguments()) {
    unsigned index = argument.getArgNumber();
    auto type = llvm::cast<ir::NamedTensorType>(argument.getType());
    auto [name, order] = nameAndOrder(op.getArgAttrDict(index), type, "argument" + Twine(index));
    FailureOr<ValueInfo> described = value(op, type, name, order, argument.getLoc());
    if (failed(described))
      return failure();
    for (ir::SizeAttr limit : indexLimits(argument)) {
      if (failed(checkSymbols(op, "an axis that '" + name + "' picks from", limit)))
        return failure();
      described->limits.push_back(out.extent(limit));
    }
    info.arguments.push_back(std::move(*described));
  }
  Operation *exit = op.getBody().front().getTerminator();
  for (auto [index, result] : llvm::enumerate(op.getResultTypes())) {
    auto type = llvm::cast<ir::NamedTensorType>(result);
    auto [name, order] = nameAndOrder(op.getResultAttrDict(index), type, "result" + Twine(index));
    FailureOr<ValueInfo> described = value(op, type, name, order, exit->getOperand(index).getLoc());
    if (failed(described))
      return failure();
    info.results.push_back(std::move(*described));
  }
  for (const auto &[symbol, entries] : raggedSizes(op)) {
    if (failed(checkLengths(op, info, symbol, entries)))
      return failure();
    addLengths(info, symbol, entries);
  }
  auto isSession = [&](StringRef variable) {
    return out.variables[out.variableIndex.lookup(variable)].kind == AXL_SESSION;
  };
  op.walk([&](ir::ReadOp read) { info.usesSession |= isSession(read.getVariable()); });
  op.walk([&](ir::WriteOp write) {
    bool session = isSession(write.getVariable());
    info.usesSession |= session;
    info.writesVariables |= !session;
  });
  out.functions.push_back(std::move(info));
  return success();
}

/// Lengths come as an argument of their own, behind those of the graph.
void Describer::addLengths(FunctionInfo &info, StringAttr symbol, const RaggedSize &size) {
  int32_t index = out.symbolIndex.lookup(symbol.getValue());
  info.lengths.emplace_back(index, int32_t(info.arguments.size()));
  info.arguments.push_back({.name = nameOfLengths(symbol),
                            .type = AXL_I32,
                            .order = {size.partner.str()},
                            .axes = {size.partner.str()},
                            .extents = {out.extent(size.entries)},
                            .location = info.location});
}

/// Where the op that computes a result stands, as close to the user's line as is known.
int32_t Describer::locationOfResult(ir::KernelOp op, unsigned result) {
  Value yielded = op.getBody().front().getTerminator()->getOperand(result);
  int32_t index = location(yielded.getLoc());
  return index >= 0 ? index : location(op.getLoc());
}

LogicalResult Describer::addKernel(ir::KernelOp op, const CompiledKernel &code) {
  if (failed(checkLimits(op, code)))
    return failure();
  auto function = op->getParentOfType<func::FuncOp>();
  KernelInfo info;
  info.name = passes::kernelName(function, kernelsIn[function]++, op.getAnchor());
  info.code = &code;
  info.location = location(op.getLoc());
  info.products = products(op);
  for (const Operand &operand : code.operands) {
    if (operand.isScratch || !operand.offsetsOf.empty())
      info.operandLocations.push_back(info.location);
    else if (operand.isResult)
      info.operandLocations.push_back(locationOfResult(op, operand.index));
    else
      info.operandLocations.push_back(location(op.getInputs()[operand.index].getLoc()));
  }
  for (const Preparation &preparation : code.preparations)
    addPreparation(op, preparation, info);
  out.kernelIndex[op] = int32_t(out.kernels.size());
  out.kernels.push_back(std::move(info));
  return success();
}

/// The parameter or state that a value is, if its function leaves it as it is.
static ir::ReadOp readOnly(Value value) {
  auto read = value.getDefiningOp<ir::ReadOp>();
  if (!read)
    return nullptr;
  auto function = read->getParentOfType<func::FuncOp>();
  auto variable = function->getParentOfType<ModuleOp>().lookupSymbol<ir::VariableOp>(
      read.getVariableAttr().getAttr());
  bool changes = variable.getKind() == "session" ||
                 llvm::any_of(function.getOps<ir::WriteOp>(), [&](ir::WriteOp write) {
                   return write.getVariable() == read.getVariable();
                 });
  return changes ? nullptr : read;
}

/// The products of a kernel. Those of ragged attention are known at run time only:
/// no tensor is as large.
std::vector<ProductInfo> Describer::products(ir::KernelOp op) {
  std::vector<ProductInfo> products;
  op.getBody().walk([&](Operation *inner) {
    for (ir::SizeAttr size : ir::multiplyAdds(inner)) {
      auto isKnown = [&](StringAttr symbol) { return out.symbolIndex.contains(symbol); };
      if (size.getSymbols().size() <= AXL_MAX_FACTORS && llvm::all_of(size.getSymbols(), isKnown))
        products.push_back({out.extent(size), ir::areFactorsRounded(inner) ? AXL_BF16 : AXL_F32});
    }
  });
  return products;
}

void Describer::addPreparation(ir::KernelOp op, const Preparation &preparation,
                               const KernelInfo &user) {
  const CompiledKernel &code = *preparation.kernel;
  PreparationInfo info{preparation.operand, preparation.from};
  if (ir::ReadOp read = readOnly(op.getInputs()[code.operands.front().index])) {
    info.prepared = keep(read.getVariable(), preparation, user);
  } else {
    info.kernel = int32_t(out.kernels.size());
    out.kernels.push_back({user.name + "." + code.operands.back().name,
                           &code,
                           {user.location, user.location},
                           user.location,
                           {}});
  }
  out.preparations[op].push_back(info);
}

/// Memory for what a preparation makes of a variable, the same for all that need it.
int32_t Describer::keep(StringRef variable, const Preparation &preparation,
                        const KernelInfo &user) {
  const CompiledKernel &code = *preparation.kernel;
  int32_t index = out.variableIndex.lookup(variable);
  auto [entry, isNew] =
      preparedIndex.try_emplace({index, preparation.form}, int32_t(out.prepared.size()));
  if (!isNew)
    return entry->second;
  auto shapeOf = [](const Operand &operand) {
    ShapeInfo shape{elementTag(operand.elementType), {}};
    for (const Dimension &dimension : operand.dimensions)
      shape.extents.push_back(llvm::divideCeil(dimension.size.getFactor(), dimension.divisor));
    return shape;
  };
  PreparedInfo info{index, int32_t(out.kernels.size()), shapeOf(code.operands.front()),
                    shapeOf(code.operands.back())};
  out.prepared.push_back(std::move(info));
  out.kernels.push_back(
      {(variable + ".packing").str(), &code, {user.location, user.location}, user.location, {}});
  return entry->second;
}

/// The largest number where the product does not fit.
static int64_t saturatingProduct(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? std::numeric_limits<int64_t>::max() : product;
}

/// The sizes that follow from lengths.
void Describer::addDerivedSizes() {
  auto isDeclared = [&](const std::string &symbol) { return out.symbolIndex.contains(symbol); };
  for (const DerivedSize &size : derivedSizes(module)) {
    if (!llvm::all_of(size.factors, isDeclared)) // the values that have it are refused below
      continue;
    SymbolInfo info{size.name, 1, size.isTotal ? AXL_SIZE_TOTAL : AXL_SIZE_LONGEST, {}};
    auto multiplyMaximum = [&](StringRef symbol) {
      int64_t factor = out.symbols[out.symbolIndex.lookup(symbol)].maximum;
      info.maximum = saturatingProduct(info.maximum, factor);
    };
    for (const std::string &factor : size.factors) {
      info.lengths.push_back(out.symbolIndex.lookup(factor));
      multiplyMaximum(factor);
    }
    if (size.isTotal) {
      info.maximum = saturatingProduct(info.maximum, size.entries.getFactor());
      for (StringAttr symbol : size.entries.getSymbols())
        multiplyMaximum(symbol.getValue());
    }
    out.symbolIndex[size.name] = int32_t(out.symbols.size());
    out.symbols.push_back(std::move(info));
  }
}

LogicalResult Describer::run(ArrayRef<CompiledKernel> compiled) {
  for (auto size : module.getOps<ir::SizeOp>()) {
    out.symbolIndex[size.getSymName()] = int32_t(out.symbols.size());
    out.symbols.push_back({size.getSymName().str(), int64_t(size.getMax())});
  }
  addDerivedSizes();
  for (auto variable : module.getOps<ir::VariableOp>())
    if (failed(addVariable(variable)))
      return failure();
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(addFunction(function)))
      return failure();
  for (auto [kernel, code] : llvm::zip_equal(kernelsOf(module), compiled))
    if (failed(addKernel(kernel, code)))
      return failure();
  return success();
}

FailureOr<Description> codegen::describe(ModuleOp module, StringRef name, const Target &target,
                                         ArrayRef<CompiledKernel> compiled) {
  Description description;
  description.name = name.str();
  description.target = target.name;
  description.device = target.device;
  description.features = target.features;
  if (failed(Describer(module, description).run(compiled)))
    return failure();
  return description;
}
