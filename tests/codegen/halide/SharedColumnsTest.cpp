// One token, as decoding has it, is one block of rows: threads share the columns of its products.

#include "runtime/abi/axloom.h"
#include "tests/codegen/support/KernelCases.h"

#include <HalideRuntime.h>
#include <gtest/gtest.h>

using namespace axloom;
using namespace axloom::test;

namespace {
/// How many iterations each parallel loop has that has more than one, in the order they begin.
std::vector<int> loops;

int countLoop(void *context, halide_task_t task, int from, int count, uint8_t *closure) {
  if (count > 1)
    loops.push_back(count);
  int code = 0;
  for (int i = 0; i < count && code == 0; ++i)
    code = task(context, from + i, closure);
  return code;
}

const std::string token = "b: B, m: 512, f32", wide = "b: B, h: 1024, f32";

KernelCase tokens(const std::string &name, std::vector<std::string> inputs,
                  const std::string &body) {
  KernelCase entry = kernelCase(name, std::move(inputs), body, {token}, {"B"});
  entry.low = -0.1;
  entry.high = 0.1; // so that sums of 1024 products of sums of 512 are below 1
  entry.sizes = {{{"B", 1}}, {{"B", 63}}};
  return entry;
}

std::string contract(const std::string &names, const std::string &over, const std::string &types) {
  return "    " + names + " over [\"" + over + "\"] : " + types + "\n";
}

/// Products with 512 columns and with 1024, which are 4 parts and 8 with AVX-512.
std::vector<KernelCase> cases() {
  const std::string norm =
      "    %y, %mean, %rstd = axloom.layer_norm %z over \"m\" epsilon 1.0e-5 : <" + token +
      "> -> <" + token + ">, <b: B, f32>, <b: B, f32>\n";
  const std::string first =
                        contract("%u = axloom.contract %x0, %x1", "m",
                                 "T<" + token + ">, T<h: 1024, m: 512, f32> -> T<" + wide + ">"),
                    second =
                        contract("%z = axloom.contract %a, %x2", "h",
                                 "T<" + wide + ">, T<h: 1024, m: 512, f32> -> T<" + token + ">");
  const std::string negated = "    %a = axloom.neg %u : T<" + wide + "> -> T<" + wide + ">\n";
  const std::string single =
      contract("%z = axloom.contract %x0, %x1", "h",
               "T<" + wide + ">, T<h: 1024, m: 512, f32> -> T<" + token + ">");
  const std::vector<std::string> ofOne = {wide, "h: 1024, m: 512, f32"},
                                 ofTwo = {token, "h: 1024, m: 512, f32", "h: 1024, m: 512, f32"};
  return {tokens("product", ofOne, replaced(single, "%z", "%y")),
          tokens("normalized_product", ofOne, single + norm),
          tokens("feed_forward", ofTwo, first + negated + replaced(second, "%z", "%y")),
          tokens("normalized_feed_forward", ofTwo, first + negated + second + norm)};
}

class SharedColumns : public testing::TestWithParam<size_t> {
protected:
  void TearDown() override { axl_set_threads(0); }

  static KernelCheck &checks() {
    static KernelCheck all(cases());
    return all;
  }
};
} // namespace

TEST_P(SharedColumns, OfOneToken) {
  ir::reference::Sizes one{{{"B", 1}}, {}};
  std::vector<ir::reference::Array> inputs = checks().randomInputs(GetParam(), one);
  checks().runner(GetParam()).run(inputs, one); // weights are packed
  axl_set_threads(2);
  halide_set_custom_do_par_for(countLoop);
  loops.clear();
  checks().runner(GetParam()).run(inputs, one);
  // Hidden activations first.
  size_t products = checks().at(GetParam()).name.find("feed_forward") == std::string::npos ? 1 : 2;
  ASSERT_GE(loops.size(), products);
  for (size_t i = 0; i < products; ++i)
    EXPECT_GE(loops[loops.size() - products + i], i + 1 < products ? 8 : 4);
  checks().check(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, SharedColumns, testing::Range<size_t>(0, cases().size()),
                         [](const auto &info) { return cases()[info.param].name; });
