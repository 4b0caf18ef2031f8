#include "codegen/bundle/Tables.h"

#include "codegen/host/Elements.h"
#include "codegen/host/Entry.h"
#include "runtime/abi/axloom.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace axloom;
using namespace axloom::codegen;

using Constants = std::vector<llvm::Constant *>;

namespace {
/// Builds constants from the inside out. Structs are literal, with C's layout.
class TableBuilder {
public:
  TableBuilder(llvm::Module &module, const Description &model)
      : module(module), context(module.getContext()), model(model),
        pointer(llvm::PointerType::get(context, 0)) {}

  llvm::Constant *build();

private:
  llvm::Constant *i32(int64_t value) {
    return llvm::ConstantInt::getSigned(llvm::Type::getInt32Ty(context), value);
  }
  llvm::Constant *i64(int64_t value) {
    return llvm::ConstantInt::getSigned(llvm::Type::getInt64Ty(context), value);
  }
  llvm::Constant *f64(double value) {
    return llvm::ConstantFP::get(llvm::Type::getDoubleTy(context), value);
  }
  llvm::Constant *string(const std::string &text);
  llvm::Constant *structure(llvm::ArrayRef<llvm::Constant *> fields) {
    return llvm::ConstantStruct::getAnon(context, fields);
  }
  /// A pointer to a constant array; null for an empty one.
  llvm::Constant *array(const Constants &elements);
  /// The elements of a C array of fixed length, filled up.
  llvm::Constant *filled(const std::vector<int32_t> &values, size_t length, int32_t filler);
  template <class Range, class Function>
  llvm::Constant *arrayOf(const Range &range, Function each) {
    Constants elements;
    for (const auto &element : range)
      elements.push_back(each(element));
    return array(elements);
  }
  llvm::Constant *global(llvm::Constant *initializer);
  llvm::Constant *code(const std::string &symbol);

  llvm::Constant *extent(const ExtentInfo &info);
  llvm::Constant *limits(std::vector<ExtentInfo> sizes);
  llvm::Constant *value(const ValueInfo &info);
  llvm::Constant *variable(const VariableInfo &info);
  llvm::Constant *function(const FunctionInfo &info);
  llvm::Constant *operand(const Operand &info, int32_t location);
  llvm::Constant *kernel(const KernelInfo &info);
  llvm::Constant *ragged(const RaggedLoop &info);
  llvm::Constant *shape(const ShapeInfo &info);
  llvm::Constant *prepared(const PreparedInfo &info);

  llvm::Module &module;
  llvm::LLVMContext &context;
  const Description &model;
  llvm::PointerType *pointer;
  llvm::StringMap<llvm::Constant *> strings;
};
} // namespace

llvm::Constant *TableBuilder::global(llvm::Constant *initializer) {
  auto *variable = new llvm::GlobalVariable(module, initializer->getType(), /*isConstant=*/true,
                                            llvm::GlobalValue::PrivateLinkage, initializer);
  variable->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return variable;
}

llvm::Constant *TableBuilder::string(const std::string &text) {
  llvm::Constant *&known = strings[text];
  if (!known)
    known = global(llvm::ConstantDataArray::getString(context, text));
  return known;
}

llvm::Constant *TableBuilder::array(const Constants &elements) {
  if (elements.empty())
    return llvm::ConstantPointerNull::get(pointer);
  auto *type = llvm::ArrayType::get(elements.front()->getType(), elements.size());
  return global(llvm::ConstantArray::get(type, elements));
}

llvm::Constant *TableBuilder::filled(const std::vector<int32_t> &values, size_t length,
                                     int32_t filler) {
  assert(values.size() <= length && "Description and KernelLimits refuse what has no room");
  Constants elements;
  for (size_t i = 0; i < length; ++i)
    elements.push_back(i32(i < values.size() ? values[i] : filler));
  return llvm::ConstantArray::get(llvm::ArrayType::get(llvm::Type::getInt32Ty(context), length),
                                  elements);
}

llvm::Constant *TableBuilder::code(const std::string &symbol) {
  if (llvm::Function *known = module.getFunction(symbol))
    return known;
  auto *type = llvm::FunctionType::get(llvm::Type::getInt32Ty(context), {pointer}, false);
  return llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, symbol, module);
}

llvm::Constant *TableBuilder::extent(const ExtentInfo &info) {
  return structure({i64(info.factor), filled(info.symbols, AXL_MAX_FACTORS, -1)});
}

llvm::Constant *TableBuilder::limits(std::vector<ExtentInfo> sizes) {
  if (!sizes.empty())
    sizes.push_back({.factor = 0}); // the end
  return arrayOf(sizes, [&](const ExtentInfo &size) { return extent(size); });
}

llvm::Constant *TableBuilder::value(const ValueInfo &info) {
  return structure({string(info.name), i32(info.type), i32(info.axes.size()),
                    arrayOf(info.axes, [&](const std::string &axis) { return string(axis); }),
                    arrayOf(info.extents, [&](const ExtentInfo &e) { return extent(e); }),
                    limits(info.limits), i32(info.location)});
}

llvm::Constant *TableBuilder::variable(const VariableInfo &info) {
  auto *numbers =
      llvm::ConstantArray::get(llvm::ArrayType::get(llvm::Type::getDoubleTy(context), 2),
                               {f64(info.numbers[0]), f64(info.numbers[1])});
  return structure({value(info.value), i32(info.kind), i32(info.initializer), numbers});
}

llvm::Constant *TableBuilder::function(const FunctionInfo &info) {
  auto values = [&](const std::vector<ValueInfo> &list) {
    return arrayOf(list, [&](const ValueInfo &v) { return value(v); });
  };
  return structure({string(info.name), i32(info.arguments.size()), values(info.arguments),
                    i32(info.results.size()), values(info.results), i32(info.usesSession),
                    i32(info.writesVariables), module.getFunction(entryName(model.name, info.name)),
                    i32(info.location), i32(info.lengths.size()),
                    arrayOf(info.lengths, [&](const auto &lengths) {
                      return structure({i32(lengths.first), i32(lengths.second)});
                    })});
}

llvm::Constant *TableBuilder::operand(const Operand &info, int32_t location) {
  std::vector<int32_t> axes(info.loopAxis.begin(), info.loopAxis.end());
  static_assert(-Operand::fromStart == AXL_FROM_START);
  std::vector<int32_t> steps(info.loopStep.begin(), info.loopStep.end());
  return structure({string(info.name), i32(accessFlags(info)), filled(axes, AXL_MAX_LOOPS, -1),
                    filled(steps, AXL_MAX_LOOPS, 0), i32(location)});
}

llvm::Constant *TableBuilder::kernel(const KernelInfo &info) {
  const CompiledKernel &compiled = *info.code;
  Constants operands;
  for (auto [described, location] : llvm::zip_equal(compiled.operands, info.operandLocations))
    operands.push_back(operand(described, location));
  auto loop = [&](const Loop &l) {
    return structure({i32(l.parallel ? AXL_PARALLEL : AXL_SEQUENTIAL), i32(l.chunk)});
  };
  auto block = [&](const auto &b) {
    return structure({code(b.symbol), i32(b.operands.size()),
                      arrayOf(b.operands, [&](int o) { return i32(o); })});
  };
  return structure(
      {string(info.name), i32(compiled.loops.size()), arrayOf(compiled.loops, loop),
       i32(compiled.operands.size()), array(operands), i32(compiled.blocks.size()),
       arrayOf(compiled.blocks, block), i32(compiled.scalars.size()), i32(info.location),
       compiled.ragged ? ragged(*compiled.ragged) : llvm::ConstantPointerNull::get(pointer),
       i32(info.products.size()), arrayOf(info.products, [&](const ProductInfo &product) {
         return structure({extent(product.multiplyAdds), i32(product.factors)});
       })});
}

llvm::Constant *TableBuilder::ragged(const RaggedLoop &info) {
  auto integers = [&](const std::vector<int> &values) {
    return arrayOf(values, [&](int value) { return i32(value); });
  };
  auto operand = [&](const RaggedOperand &o) {
    return structure({i32(o.operand), i32(o.offsets), i32(o.lengths.size()),
                      filled({o.lengths.begin(), o.lengths.end()}, AXL_MAX_FACTORS, -1)});
  };
  return global(structure({i32(info.offsets.size()), integers(info.offsets), integers(info.scalars),
                           i32(info.operands.size()), arrayOf(info.operands, operand)}));
}

llvm::Constant *TableBuilder::shape(const ShapeInfo &info) {
  Constants extents;
  for (size_t axis = 0; axis < AXL_MAX_RANK; ++axis)
    extents.push_back(i64(axis < info.extents.size() ? info.extents[axis] : 0));
  auto *type = llvm::ArrayType::get(llvm::Type::getInt64Ty(context), AXL_MAX_RANK);
  return structure(
      {i32(info.type), i32(info.extents.size()), llvm::ConstantArray::get(type, extents)});
}

llvm::Constant *TableBuilder::prepared(const PreparedInfo &info) {
  return structure({i32(info.variable), i32(info.kernel), shape(info.from), shape(info.to)});
}

llvm::Constant *TableBuilder::build() {
  auto symbol = [&](const SymbolInfo &s) {
    return structure(
        {string(s.name), i64(s.maximum), i32(s.rule), filled(s.lengths, AXL_MAX_FACTORS, -1)});
  };
  auto place = [&](const LocationInfo &l) {
    return structure({string(l.file), i32(l.line), i32(l.column)});
  };
  return structure({i32(AXL_ABI_VERSION), string(model.name), string(model.fingerprint),
                    string(model.target), string(model.device), i32(model.features.size()),
                    arrayOf(model.features, [&](const std::string &f) { return string(f); }),
                    i32(model.symbols.size()), arrayOf(model.symbols, symbol),
                    i32(model.variables.size()),
                    arrayOf(model.variables, [&](const VariableInfo &v) { return variable(v); }),
                    i32(model.functions.size()),
                    arrayOf(model.functions, [&](const FunctionInfo &f) { return function(f); }),
                    i32(model.kernels.size()),
                    arrayOf(model.kernels, [&](const KernelInfo &k) { return kernel(k); }),
                    i32(model.prepared.size()),
                    arrayOf(model.prepared, [&](const PreparedInfo &p) { return prepared(p); }),
                    i32(model.locations.size()), arrayOf(model.locations, place)});
}

void codegen::addTables(llvm::Module &module, const Description &model) {
  llvm::Constant *tables = TableBuilder(module, model).build();
  new llvm::GlobalVariable(module, tables->getType(), /*isConstant=*/true,
                           llvm::GlobalValue::ExternalLinkage, tables, model.name + "_model");
}
