//===- TensorsRead.h - What a function asks memory for ----------*- C++ -*-===//

#pragma once

#include "Halide.h"

#include <map>
#include <set>
#include <string>

namespace axloom::codegen {
/// What a function reads for itself, without the sums it uses: names of tensors, and products that
/// `scheduleMatrix` has in memory.
class TensorsRead : public Halide::Internal::IRGraphVisitor {
public:
  explicit TensorsRead(const Halide::Func &func) { read(func.values()); }
  std::set<std::string> names;
  std::map<std::string, Halide::Func> products;

private:
  void read(const Halide::Tuple &values) {
    for (const Halide::Expr &value : values.as_vector())
      value.accept(this);
  }
  using IRGraphVisitor::visit;
  void visit(const Halide::Internal::Call *call) override {
    IRGraphVisitor::visit(call);
    if (call->call_type == Halide::Internal::Call::Image)
      names.insert(call->name);
    if (call->call_type != Halide::Internal::Call::Halide)
      return;
    Halide::Internal::Function function(call->func);
    const auto &wrappers = function.schedule().wrappers();
    if (auto product = wrappers.find(""); product != wrappers.end())
      products.emplace(call->name, Halide::Func(Halide::Internal::Function(product->second)));
    else if (!function.has_update_definition())
      read(Halide::Func(function).values());
  }
};
} // namespace axloom::codegen
