//===- Description.h - The tables of a model, as plain data -----*- C++ -*-===//
//
// What a bundle says about a model: size symbols, variables, functions, kernels and source
// locations, in the order and with the indices of axl_model (runtime/abi/axloom.h). Made once from
// a planned module; host code takes its indices from here, the bundle its tables, header, parameter
// table and report. Test: tests/codegen/host/DescriptionTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/Backend.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace axloom::codegen {
/// factor * product of symbols (indices into Description::symbols): axl_extent.
struct ExtentInfo {
  int64_t factor = 1;
  std::vector<int32_t> symbols;
};

struct LocationInfo {
  std::string file;
  int32_t line = 0;
  int32_t column = 0;
};

struct SymbolInfo {
  std::string name;
  int64_t maximum = 0;
  int32_t rule = 0;
  std::vector<int32_t> lengths;
};

/// A variable, argument or result, with its dimensions in declared order: axl_value.
struct ValueInfo {
  std::string name;
  int32_t type = 0;
  std::vector<std::string> order; // its axes
  std::vector<std::string> axes;  // its dimensions: "batch.position" for a ragged pair
  std::vector<ExtentInfo> extents;
  std::vector<ExtentInfo> limits; // of its elements, as indices
  int32_t location = -1;
};

struct VariableInfo {
  ValueInfo value;
  int32_t kind = 0;
  int32_t initializer = 0;
  double numbers[2] = {0, 0};
};

struct FunctionInfo {
  std::string name;
  std::vector<ValueInfo> arguments;
  std::vector<ValueInfo> results;
  bool usesSession = false;
  bool writesVariables = false; // parameters or state
  int32_t location = -1;
  /// Symbols of ragged sizes, and the arguments that hold their lengths.
  std::vector<std::pair<int32_t, int32_t>> lengths;
};

/// axl_product.
struct ProductInfo {
  ExtentInfo multiplyAdds;
  int32_t factors = 0;
};

/// One launch site: kernels that share code still have source lines of their own.
struct KernelInfo {
  std::string name; // of its function and place in it: "train_step.12.contraction"
  const CompiledKernel *code = nullptr;
  std::vector<int32_t> operandLocations;
  int32_t location = -1;
  std::vector<ProductInfo> products;
};

/// axl_shape.
struct ShapeInfo {
  int32_t type = 0;
  std::vector<int64_t> extents;
};

/// Memory that keeps what a preparation (Backend.h) makes of a parameter or state:
/// axl_prepared_info.
struct PreparedInfo {
  int32_t variable = 0;
  int32_t kernel = 0; // that makes it
  ShapeInfo from, to; // of the variable, as the kernel takes it, and of what it makes
};

/// A preparation at one launch site.
struct PreparationInfo {
  int32_t operand = 0;   // of the kernel: what is prepared
  int32_t from = 0;      // of the kernel
  int32_t kernel = -1;   // to launch before each launch of the kernel, or
  int32_t prepared = -1; // where it is kept between calls
};

struct Description {
  std::string name;
  std::string fingerprint;
  std::string target;
  std::string device;
  std::vector<std::string> features;
  std::vector<SymbolInfo> symbols;
  std::vector<VariableInfo> variables;
  std::vector<FunctionInfo> functions;
  std::vector<KernelInfo> kernels;
  std::vector<PreparedInfo> prepared;
  std::vector<LocationInfo> locations;

  llvm::StringMap<int32_t> symbolIndex;
  llvm::StringMap<int32_t> variableIndex;
  llvm::DenseMap<mlir::Operation *, int32_t> kernelIndex;
  llvm::DenseMap<mlir::Operation *, std::vector<PreparationInfo>> preparations;

  ExtentInfo extent(ir::SizeAttr size) const;
  /// An extent as users read it: "2*B*S".
  std::string str(const ExtentInfo &extent) const;
};

/// The kernels of a planned module, in the order of the tables.
llvm::SmallVector<ir::KernelOp> kernelsOf(mlir::ModuleOp module);

/// Describes a planned module; `compiled` belongs to kernelsOf(module), and must outlive the
/// description. Fails, with a diagnostic, on a module that no entry point can be made of.
mlir::FailureOr<Description> describe(mlir::ModuleOp module, llvm::StringRef name,
                                      const Target &target,
                                      llvm::ArrayRef<CompiledKernel> compiled);

/// A hash of the graph that does not change with source locations.
std::string fingerprint(mlir::ModuleOp module);
} // namespace axloom::codegen
