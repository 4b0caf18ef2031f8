// Updates of variables that do the same to each element become one launch: an optimizer's step over
// all parameters, whatever their shapes.
//
// 1. A kernel is such an update if all its results go to variables and to nobody else, its ops are
//    pointwise arithmetic, and each of its tensors is a scalar or has the axes of all the others in
//    one order in memory. Then it is the same for any number of elements.
// 2. Two updates do the same if their ops are equal one by one, but for shapes.
// 3. Updates that do the same get one number as their attribute `group`, unless one reads what
//    another one writes. They run as one launch where the last of them stands, and the backend
//    compiles them for a single axis, so that they share their code.
//
// Random numbers depend on coordinates, and tensors of ragged axes have memory of their own kind:
// kernels with these stay alone. Test: tests/passes/group-updates.mlir.

#include "ir/Dialect.h"
#include "passes/Passes.h"
#include "passes/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/SetVector.h"

#include <map>

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::passes;

static constexpr llvm::StringLiteral passName = "group-updates";

namespace {
using Names = llvm::SmallSetVector<StringAttr, 4>;

/// Updates that do the same, and the variables that they read and write.
struct Group {
  SmallVector<KernelOp> kernels;
  Names read, written;
};
} // namespace

static bool isRagged(NamedTensorType type) {
  return llvm::any_of(type.getAxes(), [](const Axis &axis) { return axis.size().isRagged(); });
}

/// Why the tensors of a kernel are not all of one shape, in one order in memory, beside scalars;
/// empty if they are.
static std::string whyNotOfOneShape(KernelOp kernel) {
  NamedTensorType shape = tensorType(kernel.getOutputs().front());
  auto isOther = [&](Value value) {
    return !tensorType(value).isScalar() && tensorType(value).getAxes() != shape.getAxes();
  };
  if (isRagged(shape))
    return "it goes over a ragged batch";
  for (Value result : kernel.getOutputs())
    if (tensorType(result).isScalar())
      return "it computes a scalar";
  for (Operation &op : kernel.getBody().front())
    if (llvm::any_of(op.getOperands(), isOther))
      return "its tensors differ in their axes";
  auto first = cast<LayoutAttr>((*kernel.getResultLayouts())[0]);
  auto isInOtherOrder = [&](Attribute layout) {
    return !cast<LayoutAttr>(layout).getOrder().empty() && layout != first;
  };
  if (llvm::any_of(*kernel.getInputLayouts(), isInOtherOrder) ||
      llvm::any_of(*kernel.getResultLayouts(), isInOtherOrder))
    return "its tensors lie in different orders";
  return "";
}

static bool isArithmetic(Operation &op) {
  return isa<ConstantOp>(op) || (op.hasTrait<Pointwise>() && !isa<RandomOp>(op));
}

static bool isUpdate(KernelOp kernel) {
  return llvm::all_of(kernel.getOutputs(), [](Value result) {
    return !result.use_empty() && llvm::all_of(result.getUsers(), llvm::IsaPred<WriteOp>);
  });
}

/// Why an update is not the same for any number of elements; empty if it is.
static std::string whyNotElementwise(KernelOp kernel) {
  if (!llvm::is_contained({"pointwise", "copy"}, kernel.getAnchor()) ||
      !llvm::all_of(kernel.getBody().front().without_terminator(), isArithmetic))
    return "it does more than arithmetic on elements";
  return whyNotOfOneShape(kernel);
}

/// What a kernel does, as a text that is the same for all shapes.
static std::string formOf(KernelOp kernel) {
  std::string text;
  llvm::raw_string_ostream os(text);
  DenseMap<Value, unsigned> numbers;
  auto define = [&](Value value) {
    numbers.try_emplace(value, numbers.size());
    os << (tensorType(value).isScalar() ? " scalar " : " tensor ")
       << tensorType(value).getElementType();
  };
  llvm::for_each(kernel.getBody().getArguments(), define);
  for (Operation &op : kernel.getBody().front()) {
    os << "\n" << op.getName() << op.getAttrDictionary();
    for (Value operand : op.getOperands())
      os << " " << numbers.lookup(operand);
    llvm::for_each(op.getResults(), define);
  }
  return text;
}

static Names variablesRead(KernelOp kernel) {
  Names names;
  for (Value input : kernel.getInputs())
    if (auto read = input.getDefiningOp<ReadOp>())
      names.insert(read.getVariableAttr().getAttr());
  return names;
}

static Names variablesWritten(KernelOp kernel) {
  Names names;
  for (Operation *user : kernel->getUsers())
    names.insert(cast<WriteOp>(user).getVariableAttr().getAttr());
  return names;
}

/// Why a kernel cannot run at the same time as the group; empty if it can.
static std::string add(Group &group, KernelOp kernel) {
  Names read = variablesRead(kernel), written = variablesWritten(kernel);
  auto firstIn = [](const Names &own, const Names &others) {
    auto found = llvm::find_if(own, [&](StringAttr name) { return others.contains(name); });
    return found == own.end() ? "" : found->str();
  };
  if (std::string name = firstIn(read, group.written); !name.empty())
    return "it reads variable '" + name + "', which another one writes";
  if (std::string name = firstIn(written, group.read); !name.empty())
    return "it writes variable '" + name + "', which another one reads";
  group.kernels.push_back(kernel);
  group.read.insert(read.begin(), read.end());
  group.written.insert(written.begin(), written.end());
  return "";
}

static void groupUpdates(func::FuncOp function) {
  std::map<std::string, Group> byForm;
  SmallVector<Group *> groups; // in the order of their first kernels
  for (auto [index, kernel] : llvm::enumerate(function.getOps<KernelOp>())) {
    if (!isUpdate(kernel))
      continue;
    std::string why = whyNotElementwise(kernel);
    if (why.empty()) {
      Group &group = byForm[formOf(kernel)];
      if (group.kernels.empty())
        groups.push_back(&group);
      why = add(group, kernel);
    }
    if (!why.empty())
      remarkMissed(kernel, passName, "the update is a launch of its own: " + why,
                   kernelName(function, index, kernel.getAnchor()));
  }
  llvm::erase_if(groups, [](const Group *group) { return group->kernels.size() == 1; });
  for (auto [number, group] : llvm::enumerate(groups))
    for (KernelOp kernel : group->kernels)
      kernel.setGroup(number);
}

namespace {
struct GroupUpdates : PassWrapper<GroupUpdates, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(GroupUpdates)

  StringRef getArgument() const override { return passName; }
  StringRef getDescription() const override {
    return "let updates of variables that do the same run as one launch";
  }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      groupUpdates(function);
  }
};
} // namespace

std::unique_ptr<Pass> passes::createGroupUpdates() { return std::make_unique<GroupUpdates>(); }
