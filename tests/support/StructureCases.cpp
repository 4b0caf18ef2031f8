// Cases of the ops that look across positions or restructure axes, and of variables and kernels.

#include "tests/support/OpCases.h"

#include <limits>

using namespace mlir;
using namespace axloom;
using namespace axloom::test;

using Results = SmallVector<Value>;

namespace {
constexpr const char *tokens = "batch: B, model: 6, position: S, f32";
constexpr const char *raggedTokens = "batch: B, model: 6, position: S[batch], f32";
} // namespace

static void addContractions(std::vector<OpCase> &cases) {
  auto contract = [&](const char *name, const char *a, const char *b, std::vector<StringRef> over) {
    cases.push_back({"contract", name, {{a}, {b}}, [=](CaseBuilder &c, ValueRange x) -> Results {
                       return c.op<ir::ContractOp>(x[0], x[1], c.axes(over));
                     }});
  };
  contract("projection", tokens, "model: 6, out: 10, f32", {"model"});
  contract("projection, weight first", "model: 6, out: 10, f32", tokens, {"model"});
  contract("wide projection", "batch: B, model: 33, f32", "model: 33, out: 65, f32", {"model"});
  contract("scores", "batch: B, depth: 5, heads: 2, query: S, f32",
           "batch: B, depth: 5, heads: 2, key: S, f32", {"depth"});
  contract("mixing", "batch: B, heads: 2, key: S, query: T, f32",
           "batch: B, depth: 5, heads: 2, key: S, f32", {"key"});
  contract("weight gradient", tokens, "batch: B, out: 10, position: S, f32", {"batch", "position"});
  contract("two model axes", "batch: B, depth: 3, heads: 2, f32", "depth: 3, heads: 2, out: 7, f32",
           {"heads", "depth"});
  contract("inner product", "position: S, f32", "position: S, f32", {"position"});
  contract("matrix and vector", tokens, "model: 6, f32", {"model"});
  contract("outer product", "batch: B, f32", "position: S, f32", {});
  contract("ragged tokens", raggedTokens, "model: 6, out: 10, f32", {"model"});
  contract("over the positions of each ragged entry", raggedTokens,
           "batch: B, out: 3, position: S[batch], f32", {"position"});
  contract("over ragged tokens", raggedTokens, "batch: B, out: 3, position: S[batch], f32",
           {"batch", "position"});
}

static void addReductions(std::vector<OpCase> &cases) {
  auto reduce = [&](const char *kind, const char *name, const char *type,
                    std::vector<StringRef> over) {
    cases.push_back({"reduce",
                     std::string(kind) + " " + name,
                     {{type, spaced()}},
                     [=](CaseBuilder &b, ValueRange x) -> Results {
                       return b.op<ir::ReduceOp>(kind, x[0], b.axes(over));
                     }});
  };
  for (const char *kind : {"sum", "max", "min"}) {
    reduce(kind, "rows", tokens, {"model"});
    reduce(kind, "columns", tokens, {"batch", "position"});
    reduce(kind, "middle axis", tokens, {"position"});
    reduce(kind, "everything", tokens, {"batch", "model", "position"});
  }
  reduce("sum", "over ragged positions", raggedTokens, {"position"});
  reduce("sum", "over ragged tokens", raggedTokens, {"batch", "position"});
  reduce("max", "over ragged tokens", raggedTokens, {"batch", "model", "position"});
  // Rows of which nothing is shown give what stands for it.
  for (auto [kind, hidden] : {std::pair("max", std::numeric_limits<float>::lowest()),
                              std::pair("min", std::numeric_limits<float>::max())})
    cases.push_back(
        {"reduce",
         std::string(kind) + " of what a mask shows",
         {{"batch: B, classes: S, f32", spaced()}, {"batch: B, classes: S, i1", mask(0.2)}},
         [=](CaseBuilder &b, ValueRange x) -> Results {
           Value shown = b.op<ir::SelectOp>(x[1], x[0], b.constant(hidden))[0];
           return b.op<ir::ReduceOp>(kind, shown, b.axes({"classes"}));
         },
         /*differentiable=*/false}); // differences of such numbers have no digits left
  auto argmax = [](CaseBuilder &b, ValueRange x) -> Results {
    return b.op<ir::ArgmaxOp>(x[0], "classes");
  };
  cases.push_back({"argmax", "classes", {{"batch: B, classes: 11, f32", spaced()}}, argmax});
  cases.push_back({"argmax", "symbolic axis", {{"batch: B, classes: S, f32", spaced()}}, argmax});
  cases.push_back({"argmax", "ties", {{"batch: B, classes: 11, f32", integers(0, 3)}}, argmax});
}

static void addIndexing(std::vector<OpCase> &cases) {
  auto gather = [](CaseBuilder &b, ValueRange x) -> Results {
    return b.op<ir::GatherOp>(x[0], x[1], "vocab");
  };
  cases.push_back({"gather",
                   "embedding",
                   {{"model: 6, vocab: 13, f32"}, {"batch: B, position: S, i32", integers(0, 13)}},
                   gather});
  cases.push_back(
      {"gather", "one row", {{"model: 6, vocab: 13, f32"}, {"i32", integers(0, 13)}}, gather});
  cases.push_back({"gather",
                   "shared axis",
                   {{"batch: B, vocab: 13, f32"}, {"batch: B, position: S, i32", integers(0, 13)}},
                   gather});
  cases.push_back(
      {"gather",
       "ragged",
       {{"model: 6, vocab: 13, f32"}, {"batch: B, position: S[batch], i32", integers(0, 13)}},
       gather});
  auto scatter = [&](const char *name, std::vector<Argument> arguments, const char *shape) {
    cases.push_back(
        {"scatter_add", name, std::move(arguments), [=](CaseBuilder &b, ValueRange x) -> Results {
           return b.op<ir::ScatterAddOp>(x[0], x[1], "vocab", b.type(shape));
         }});
  };
  scatter("ragged", {{raggedTokens}, {"batch: B, position: S[batch], i32", integers(0, 13)}},
          "model: 6, vocab: 13, f32");
  scatter("embedding", {{tokens}, {"batch: B, position: S, i32", integers(0, 13)}},
          "model: 6, vocab: 13, f32");
  scatter("shared axis",
          {{"batch: B, position: S, f32"}, {"batch: B, position: S, i32", integers(0, 13)}},
          "batch: B, vocab: 13, f32");
  scatter("an axis that neither has",
          {{"batch: B, heads: 2, model: 6, f32"}, {"batch: B, i32", integers(0, 13)}},
          "model: 6, vocab: 13, f32");
  auto update = [](CaseBuilder &b, ValueRange x) -> Results {
    return b.op<ir::UpdateOp>(x[0], x[1], x[2], "capacity");
  };
  cases.push_back({"update",
                   "one index",
                   {{"batch: B, capacity: 8, model: 6, f32"},
                    {"i32", integers(0, 8)},
                    {"batch: B, model: 6, f32"}},
                   update});
  cases.push_back({"update",
                   "an index for each batch entry",
                   {{"batch: B, capacity: 8, model: 6, f32"},
                    {"batch: B, i32", integers(0, 8)},
                    {"batch: B, model: 6, f32"}},
                   update});
}

/// Ops that rearrange the batch, whose results meet ragged tensors: kernels go through those entry
/// by entry.
static void addRearrangedBatches(std::vector<OpCase> &cases) {
  auto beside = [&](const char *op, const char *name, const char *dense, auto rearrange) {
    cases.push_back({op,
                     std::string(name) + ", beside ragged tokens",
                     {{dense}, {raggedTokens}},
                     [=](CaseBuilder &b, ValueRange x) -> Results {
                       return b.op<ir::MulOp>(rearrange(b, x[0]), x[1]);
                     }});
  };
  beside("rename", "of the batch", "batch: B, model: 6, f32", [](CaseBuilder &b, Value x) {
    Value others = b.op<ir::RenameOp>(x, "batch", "other")[0];
    Value larger = b.op<ir::CompareOp>("gt", others, x)[0];
    return b.op<ir::CastOp>(larger, b.builder.getF32Type())[0];
  });
  beside("merge", "of the batch", "batch: B, model: 6, f32", [](CaseBuilder &b, Value x) {
    return b.op<ir::MergeOp>(x, b.axes({"model", "batch"}), "row")[0];
  });
  beside("split", "of the batch", "row: 6*B, f32", [](CaseBuilder &b, Value x) {
    return b.op<ir::SplitOp>(x, "row", b.axes({"model", "batch"}), b.size("B"))[0];
  });
  beside("merge", "into the batch", "batch: B, beam: 1, model: 6, f32",
         [](CaseBuilder &b, Value x) {
           return b.op<ir::MergeOp>(x, b.axes({"batch", "beam"}), "batch")[0];
         });
  // Kernels compute generated values and lengths anew, but no view of the batch.
  beside("split", "of generated values", "row: 6*B, f32", [](CaseBuilder &b, Value x) {
    Value index = b.op<ir::IotaOp>("row", b.size("6*B"), ir::SizeAttr())[0];
    Value number = b.op<ir::CastOp>(index, b.builder.getF32Type())[0];
    Value half = b.op<ir::MulOp>(number, b.constant(0.5))[0];
    return b.op<ir::SplitOp>(half, "row", b.axes({"model", "batch"}), b.size("B"))[0];
  });
  cases.push_back({"split",
                   "of the batch, beside lengths",
                   {{"row: 6*B, f32"}, {raggedTokens}},
                   [](CaseBuilder &b, ValueRange x) -> Results {
                     Value split =
                         b.op<ir::SplitOp>(x[0], "row", b.axes({"model", "batch"}), b.size("B"))[0];
                     ir::SizeAttr size = ir::tensorType(x[1]).sizeOf("position");
                     Value length = b.op<ir::SizeOfOp>(size, b.size("B"), TypeAttr())[0];
                     return {b.op<ir::MulOp>(split, length)[0],
                             b.op<ir::ReduceOp>("sum", x[1], b.axes({"position"}))[0]};
                   }});
  // The adjoint of `x` is a sum over positions and a split of the other result's.
  cases.push_back({"merge",
                   "of the batch, in an adjoint beside ragged tokens",
                   {{"batch: B, model: 6, f32"}, {raggedTokens}},
                   [](CaseBuilder &b, ValueRange x) -> Results {
                     return {b.op<ir::MergeOp>(x[0], b.axes({"model", "batch"}), "row")[0],
                             b.op<ir::MulOp>(x[0], x[1])[0]};
                   }});
}

static void addAxisOps(std::vector<OpCase> &cases) {
  cases.push_back({"broadcast",
                   "row to tokens",
                   {{"model: 6, f32"}},
                   [](CaseBuilder &b, ValueRange x) -> Results {
                     return b.op<ir::BroadcastOp>(x[0], b.type(tokens));
                   }});
  cases.push_back(
      {"rename", "changes the order", {{tokens}}, [](CaseBuilder &b, ValueRange x) -> Results {
         return b.op<ir::RenameOp>(x[0], "position", "key");
       }});
  cases.push_back(
      {"rename", "ragged", {{raggedTokens}}, [](CaseBuilder &b, ValueRange x) -> Results {
         return b.op<ir::RenameOp>(x[0], "position", "key");
       }});
  cases.push_back({"split", "heads", {{tokens}}, [](CaseBuilder &b, ValueRange x) -> Results {
                     return b.op<ir::SplitOp>(x[0], "model", b.axes({"heads", "depth"}),
                                              b.size("3"));
                   }});
  cases.push_back(
      {"split", "symbolic", {{"row: 2*S, f32"}}, [](CaseBuilder &b, ValueRange x) -> Results {
         return b.op<ir::SplitOp>(x[0], "row", b.axes({"half", "position"}), b.size("S"));
       }});
  cases.push_back({"merge",
                   "heads",
                   {{"batch: B, depth: 3, heads: 2, position: S, f32"}},
                   [](CaseBuilder &b, ValueRange x) -> Results {
                     return b.op<ir::MergeOp>(x[0], b.axes({"heads", "depth"}), "model");
                   }});
  cases.push_back({"merge", "tokens", {{tokens}}, [](CaseBuilder &b, ValueRange x) -> Results {
                     return b.op<ir::MergeOp>(x[0], b.axes({"batch", "position"}), "token");
                   }});
  cases.push_back({"slice", "middle", {{tokens}}, [](CaseBuilder &b, ValueRange x) -> Results {
                     return b.op<ir::SliceOp>(x[0], "model", 1, 4);
                   }});
  cases.push_back({"concat",
                   "three, one of them twice",
                   {{tokens}, {"batch: B, model: 2, position: S, f32"}},
                   [](CaseBuilder &b, ValueRange x) -> Results {
                     return b.op<ir::ConcatOp>(ValueRange{x[0], x[1], x[0]}, "model");
                   }});
  cases.push_back({"pad", "both sides", {{tokens}}, [](CaseBuilder &b, ValueRange x) -> Results {
                     return b.op<ir::PadOp>(x[0], "model", 2, 1, b.number(0.5));
                   }});
  for (int64_t by : {1, -2})
    cases.push_back({"shift",
                     by > 0 ? "right" : "left",
                     {{tokens}},
                     [=](CaseBuilder &b, ValueRange x) -> Results {
                       return b.op<ir::ShiftOp>(x[0], "position", by, b.number(0.25));
                     }});
  cases.push_back(
      {"shift", "ragged", {{raggedTokens}}, [](CaseBuilder &b, ValueRange x) -> Results {
         return b.op<ir::ShiftOp>(x[0], "position", 1, b.number(0.25));
       }});
  cases.push_back({"shift",
                   "i32",
                   {{"batch: B, position: S, i32", integers(0, 9)}},
                   [](CaseBuilder &b, ValueRange x) -> Results {
                     return b.op<ir::ShiftOp>(x[0], "position", 1, b.number(2));
                   }});
}

static void addSources(std::vector<OpCase> &cases) {
  cases.push_back({"iota", "symbolic", {}, [](CaseBuilder &b, ValueRange) -> Results {
                     return b.op<ir::IotaOp>("position", b.size("S"), ir::SizeAttr());
                   }});
  cases.push_back({"iota",
                   "of ragged positions",
                   {{raggedTokens}},
                   [](CaseBuilder &b, ValueRange x) -> Results {
                     ir::SizeAttr size = ir::tensorType(x[0]).sizeOf("position");
                     Value index = b.op<ir::IotaOp>("position", size, b.size("B"))[0];
                     Value number = b.op<ir::CastOp>(index, b.builder.getF32Type())[0];
                     return b.op<ir::MulOp>(x[0], number);
                   }});
  cases.push_back({"constant", "added", {{tokens}}, [](CaseBuilder &b, ValueRange x) -> Results {
                     return b.op<ir::AddOp>(x[0], b.constant(1.5));
                   }});
  cases.push_back(
      {"size_of", "mean of tokens", {{tokens}}, [](CaseBuilder &b, ValueRange x) -> Results {
         Value count = b.op<ir::SizeOfOp>(b.size("B*S"), ir::SizeAttr(), TypeAttr())[0];
         return b.op<ir::DivOp>(x[0], count);
       }});
  cases.push_back(
      {"size_of", "ragged lengths", {{raggedTokens}}, [](CaseBuilder &b, ValueRange x) -> Results {
         ir::SizeAttr size = ir::tensorType(x[0]).sizeOf("position");
         Value sum = b.op<ir::ReduceOp>("sum", x[0], b.axes({"position"}))[0];
         Value count = b.op<ir::SizeOfOp>(size, b.size("B"), TypeAttr())[0];
         return b.op<ir::DivOp>(sum, b.op<ir::AddOp>(count, b.constant(1))[0]);
       }});
}

static ir::VariableOp addVariable(CaseBuilder &b, StringRef name, StringRef type) {
  OpBuilder atStart = OpBuilder::atBlockBegin(b.module.getBody());
  return ir::VariableOp::create(atStart, atStart.getUnknownLoc(), name, b.type(type), "parameter",
                                b.axes({"model"}),
                                b.builder.getDictionaryAttr(b.builder.getNamedAttr(
                                    "kind", b.builder.getStringAttr("zeros"))));
}

static void addProgramCases(std::vector<OpCase> &cases) {
  cases.push_back({"read", "a parameter", {{tokens}}, [](CaseBuilder &b, ValueRange x) -> Results {
                     addVariable(b, "weight", "model: 6, f32");
                     Value weight = ir::ReadOp::create(b.builder, b.builder.getUnknownLoc(),
                                                       b.type("model: 6, f32"), "weight");
                     return b.op<ir::MulOp>(x[0], weight);
                   }});
  cases.push_back({"write",
                   "reads see the old value",
                   {{tokens}, {"model: 6, f32"}},
                   [](CaseBuilder &b, ValueRange x) -> Results {
                     addVariable(b, "weight", "model: 6, f32");
                     ir::WriteOp::create(b.builder, b.builder.getUnknownLoc(), "weight", x[1]);
                     Value old = ir::ReadOp::create(b.builder, b.builder.getUnknownLoc(),
                                                    b.type("model: 6, f32"), "weight");
                     return b.op<ir::MulOp>(x[0], old);
                   }});
  OpCase kernel{
      "kernel",
      "two ops",
      {{tokens}, {"model: 6, f32"}},
      [](CaseBuilder &b, ValueRange x) -> Results {
        Location location = b.builder.getUnknownLoc();
        auto anchor = b.builder.getNamedAttr("anchor", b.builder.getStringAttr("pointwise"));
        auto kernel = ir::KernelOp::create(b.builder, location, x[0].getType(), x, anchor);
        OpBuilder::InsertionGuard guard(b.builder);
        Block *body =
            b.builder.createBlock(&kernel.getBody(), {}, x.getTypes(), {location, location});
        Value sum = b.op<ir::AddOp>(body->getArgument(0), body->getArgument(1))[0];
        Value result = b.op<ir::TanhOp>(sum)[0];
        ir::YieldOp::create(b.builder, location, result);
        return kernel.getOutputs();
      }};
  kernel.differentiable = false; // kernels are formed after differentiation
  cases.push_back(kernel);
}

void test::addStructureCases(std::vector<OpCase> &cases) {
  addContractions(cases);
  addReductions(cases);
  addIndexing(cases);
  addAxisOps(cases);
  addRearrangedBatches(cases);
  addSources(cases);
  addProgramCases(cases);
}
