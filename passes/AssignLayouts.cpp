//===- AssignLayouts.cpp - The physical order of every tensor -------------===//
//
// 1. The orders that the outside knows are given: variables and arguments have declared ones.
// 2. Walk the function in program order, into the kernels' regions. Each op derives the order of
//    its result from its operands: rows stay rows (contractions: axes of the activation, then those
//    of the weight), new axes go inside, but those of symbolic size, and those that a tensor is
//    repeated along, outside of the rows.
// 3. A tensor with the axes and sizes of a parameter takes the parameter's order: it is a gradient,
//    a moment or the next state, and will meet it. Where parameters of other orders have the same
//    axes, the one that it meets in a kernel decides. Axes of session variables say nothing: what
//    has them is an activation like any other.
// 4. Results of kernels that leave the function take the declared order, so that they need no copy.
// 5. In ragged tensors the ragged axes and their partner come first: in memory they are one
//    dimension (ir/Ragged.h).
// 6. Each kernel records the order of its inputs and results as layouts.
//
// Test: tests/passes/assign-layouts.mlir.
//
//===----------------------------------------------------------------------===//

#include "passes/AssignLayouts.h"

#include "ir/Dialect.h"
#include "ir/Ragged.h"
#include "passes/KernelOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;

using Order = SmallVector<StringAttr>;

static Order toOrder(ArrayAttr names) { return llvm::to_vector(names.getAsRange<StringAttr>()); }

/// Appends the axes of `more` that `order` lacks.
static void append(Order &order, ArrayRef<StringAttr> more) {
  for (StringAttr name : more)
    if (!llvm::is_contained(order, name))
      order.push_back(name);
}

static void eraseAxes(Order &order, ArrayRef<StringAttr> names) {
  llvm::erase_if(order, [&](StringAttr name) { return llvm::is_contained(names, name); });
}

/// Puts `by` where `name` stands.
static void substitute(Order &order, StringAttr name, ArrayRef<StringAttr> by) {
  auto *place = llvm::find(order, name);
  size_t index = place - order.begin();
  order.erase(place);
  order.insert(order.begin() + index, by.begin(), by.end());
}

namespace {
class LayoutAssignment {
public:
  LayoutAssignment(ModuleOp module);
  void run(func::FuncOp function);

private:
  void assign(Operation *op);
  void assignKernel(KernelOp kernel);
  Order derive(Operation *op, NamedTensorType result);
  Order ofContraction(ContractOp op);
  Order ofBroadcast(Operation *op);
  Order ofRepetition(BroadcastOp op);
  Order settle(Order derived, NamedTensorType type) const;
  ArrayAttr layouts(ValueRange values);

  DenseMap<Value, Order> orders;
  DenseMap<StringAttr, Order> variables;
  /// Orders of variables by their sets of axes (as types of f32).
  DenseMap<Type, Order> byAxes;
};
} // namespace

static Type axesOnly(NamedTensorType type) {
  return type.withElementType(Float32Type::get(type.getContext()));
}

LayoutAssignment::LayoutAssignment(ModuleOp module) {
  for (auto variable : module.getOps<VariableOp>()) {
    Order order = toOrder(variable.getOrder());
    variables[variable.getSymNameAttr()] = order;
    if (variable.getKind() == "session")
      continue;
    auto [known, isNew] =
        byAxes.try_emplace(axesOnly(llvm::cast<NamedTensorType>(variable.getType())), order);
    if (!isNew && known->second != order)
      known->second.clear(); // ambiguous
  }
}

/// Axes that no operand has: symbolic ones go behind the last symbolic one, so that rows stay
/// contiguous, the others inside. Then, where a parameter has the same axes, its order.
Order LayoutAssignment::settle(Order derived, NamedTensorType type) const {
  auto isSymbolic = [&](StringAttr name) { return !type.sizeOf(name.getValue()).isFixed(); };
  for (const Axis &axis : type.getAxes()) {
    if (llvm::is_contained(derived, axis.name))
      continue;
    auto end = derived.end();
    if (isSymbolic(axis.name))
      end = llvm::find_if(llvm::reverse(derived), isSymbolic).base();
    derived.insert(end, axis.name);
  }
  auto known = byAxes.find(axesOnly(type));
  return raggedFirst(known != byAxes.end() && !known->second.empty() ? known->second : derived,
                     type);
}

/// [batch axes and rows of the activation.., columns of the weight..]: the activation is the
/// operand with symbols.
Order LayoutAssignment::ofContraction(ContractOp op) {
  auto symbols = [](Value value) {
    return llvm::count_if(tensorType(value).getAxes(),
                          [](const Axis &axis) { return !axis.size().isFixed(); });
  };
  Value rows = op.getA(), columns = op.getB();
  if (symbols(columns) > symbols(rows))
    std::swap(rows, columns);
  Order order = orders.lookup(rows);
  append(order, orders.lookup(columns));
  eraseAxes(order, toOrder(op.getOver()));
  return order;
}

/// The order of the operand with most axes, or most symbolic ones among these; the axes that only
/// others have go inside. So rows, of which a call decides how many there are, stay outside.
Order LayoutAssignment::ofBroadcast(Operation *op) {
  SmallVector<Value> operands(op->getOperands());
  auto symbols = [](Value value) {
    return llvm::count_if(tensorType(value).getAxes(),
                          [](const Axis &axis) { return !axis.size().isFixed(); });
  };
  auto key = [&](Value value) { return std::pair(tensorType(value).rank(), symbols(value)); };
  llvm::stable_sort(operands, [&](Value a, Value b) { return key(a) > key(b); });
  Order order;
  for (Value operand : operands)
    append(order, orders.lookup(operand));
  return order;
}

/// Axes of fixed size that a tensor is repeated along go outside of its rows, which stay rows:
/// heads beside those that they share keys with.
Order LayoutAssignment::ofRepetition(BroadcastOp op) {
  Order order = orders.lookup(op.getX());
  NamedTensorType type = tensorType(op.getY());
  if (order.empty() || !type.sizeOf(order.back().getValue()).isFixed())
    return order;
  size_t rows = order.size() - 1;
  for (const Axis &axis : type.getAxes())
    if (axis.size().isFixed() && !llvm::is_contained(order, axis.name))
      order.insert(order.begin() + rows++, axis.name);
  return order;
}

Order LayoutAssignment::derive(Operation *op, NamedTensorType result) {
  Order order =
      llvm::TypeSwitch<Operation *, Order>(op)
          .Case([&](ContractOp contract) { return ofContraction(contract); })
          .Case([&](RenameOp rename) {
            Order order = orders.lookup(rename.getX());
            substitute(order, rename.getFromAttr(), {rename.getToAttr()});
            return order;
          })
          .Case([&](SplitOp split) {
            Order order = orders.lookup(split.getX());
            substitute(order, split.getAxisAttr(), toOrder(split.getInto()));
            return order;
          })
          .Case([&](MergeOp merge) {
            Order order = orders.lookup(merge.getX());
            Order merged = toOrder(merge.getAxes());
            substitute(order, merged[1], {merge.getIntoAttr()});
            eraseAxes(order, {merged[0]});
            return order;
          })
          .Case([&](GatherOp gather) { // [indices.., rows of the table..]
            Order order = orders.lookup(gather.getIndices());
            append(order, orders.lookup(gather.getTable()));
            return order;
          })
          .Case([&](BroadcastOp broadcast) { return ofRepetition(broadcast); })
          .Case([&](AttentionOp attention) { // as the queries, with the values' depth inside
            Order order = orders.lookup(attention.getQ());
            append(order, orders.lookup(attention.getV()));
            return order;
          })
          .Case([&](RandomOp) { return Order(); })
          .Default([&](Operation *other) { return ofBroadcast(other); });
  llvm::erase_if(order, [&](StringAttr name) { return !result.has(name.getValue()); });
  return settle(order, result);
}

/// Adjoints of operands have the operands' orders.
static Value shapedLike(Operation *op, unsigned result) {
  if (auto gradient = dyn_cast<AttentionGradientOp>(op))
    return op->getOperand(result);
  if (isa<LinearCrossEntropyOp>(op) && result > 0)
    return op->getOperand(result - 1);
  if (isa<UpdateOp, SliceOp, PadOp, ShiftOp>(op))
    return op->getOperand(0);
  return nullptr;
}

void LayoutAssignment::assign(Operation *op) {
  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    if (auto read = llvm::dyn_cast<ReadOp>(op))
      orders[result] = variables.lookup(read.getVariableAttr().getAttr());
    else if (Value model = shapedLike(op, index))
      orders[result] = Order(orders.lookup(model));
    else
      orders[result] = derive(op, tensorType(result));
  }
}

ArrayAttr LayoutAssignment::layouts(ValueRange values) {
  SmallVector<Attribute> attributes;
  for (Value value : values)
    attributes.push_back(LayoutAttr::get(value.getContext(), orders.lookup(value)));
  return values.empty() ? nullptr : ArrayAttr::get(attributes[0].getContext(), attributes);
}

/// The order in which the function's signature declares a value that it returns, or nothing.
static std::optional<Order> declaredOrder(Value value) {
  for (OpOperand &use : value.getUses())
    if (auto returned = dyn_cast<func::ReturnOp>(use.getOwner())) {
      auto function = returned->getParentOfType<func::FuncOp>();
      if (auto order =
              function.getResultAttrOfType<ArrayAttr>(use.getOperandNumber(), "axloom.order"))
        return toOrder(order);
    }
  return std::nullopt;
}

/// A variable with the axes of `value` that an elementwise kernel reads beside it, or null.
static StringAttr variableMet(Value value) {
  for (Operation *user : value.getUsers()) {
    auto kernel = llvm::dyn_cast<KernelOp>(user);
    if (!kernel || !passes::isElementwise(kernel.getAnchor()))
      continue;
    for (Value beside : kernel.getInputs())
      if (auto read = beside.getDefiningOp<ReadOp>();
          read && tensorType(beside).getAxes() == tensorType(value).getAxes())
        return read.getVariableAttr().getAttr();
  }
  return nullptr;
}

void LayoutAssignment::assignKernel(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  for (auto [input, argument] : llvm::zip_equal(kernel.getInputs(), body.getArguments()))
    orders[argument] = Order(orders.lookup(input));
  for (Operation &op : body.without_terminator())
    assign(&op);
  for (auto [output, inner] :
       llvm::zip_equal(kernel.getOutputs(), body.getTerminator()->getOperands())) {
    orders[output] = Order(orders.lookup(inner));
    if (StringAttr variable = variableMet(output))
      orders[output] = variables.lookup(variable);
    if (std::optional<Order> declared = declaredOrder(output))
      orders[output] = *declared;
    for (Operation *user : output.getUsers())
      if (auto write = dyn_cast<WriteOp>(user))
        orders[output] = variables.lookup(write.getVariableAttr().getAttr());
  }
  MLIRContext *context = kernel.getContext();
  ArrayAttr none = ArrayAttr::get(context, {});
  ArrayAttr inputs = layouts(kernel.getInputs()), results = layouts(kernel.getOutputs());
  kernel.setInputLayoutsAttr(inputs ? inputs : none);
  kernel.setResultLayoutsAttr(results ? results : none);
}

/// Arguments and results that declare no order have their axes in the order of their names, ragged
/// ones first.
static void declareOrders(func::FuncOp function) {
  auto sorted = [](Type type) {
    auto tensor = cast<NamedTensorType>(type);
    Order names = llvm::map_to_vector(tensor.getAxes(), [](const Axis &axis) { return axis.name; });
    Order order = raggedFirst(names, tensor);
    return ArrayAttr::get(type.getContext(), SmallVector<Attribute>(order.begin(), order.end()));
  };
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (!function.getArgAttr(i, "axloom.order"))
      function.setArgAttr(i, "axloom.order", sorted(type));
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    if (!function.getResultAttr(i, "axloom.order"))
      function.setResultAttr(i, "axloom.order", sorted(type));
}

void LayoutAssignment::run(func::FuncOp function) {
  declareOrders(function);
  for (BlockArgument argument : function.getArguments())
    orders[argument] =
        toOrder(function.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(), "axloom.order"));
  for (Operation &op : function.getBody().front()) {
    if (auto kernel = dyn_cast<KernelOp>(op))
      assignKernel(kernel);
    else
      assign(&op);
  }
}

namespace {
struct AssignLayouts : PassWrapper<AssignLayouts, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AssignLayouts)
  StringRef getArgument() const override { return "assign-layouts"; }
  StringRef getDescription() const override { return "give every tensor a physical order of axes"; }

  void runOnOperation() override {
    LayoutAssignment assignment(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        assignment.run(function);
  }
};
} // namespace

std::unique_ptr<Pass> passes::createAssignLayouts() { return std::make_unique<AssignLayouts>(); }
