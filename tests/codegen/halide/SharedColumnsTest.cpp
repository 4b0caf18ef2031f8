// One token, as decoding has it, is one block of rows: threads share the columns of its products.

#include "runtime/abi/axloom.h"
#include "tests/codegen/support/KernelCases.h"

#include <HalideRuntime.h>
#include <gmock/gmock.h>

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
  entry.sizes = {{{"B", 1}}, {{"B", 2}}, {{"B", 63}}};
  return entry;
}

std::string contract(const std::string &names, const std::string &over, const std::string &types) {
  return "    " + names + " over [\"" + over + "\"] : " + types + "\n";
}

/// Products with 512 columns and with 1024, which are 4 strips and 8 with AVX-512.
std::vector<KernelCase> ofWholeStrips() {
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

KernelCase named(const std::string &suffix, KernelCase entry) {
  entry.name += suffix;
  return entry;
}

/// Also with columns that are no whole number of panels, and with factors of bf16.
std::vector<KernelCase> cases() {
  std::vector<KernelCase> all = ofWholeStrips();
  for (size_t i = 0; i < 2; ++i) {
    all.push_back(named("_of_uneven_columns", all[i]));
    all.back().text = replaced(all.back().text, "m: 512", "m: 612");
  }
  for (size_t i = 0, count = all.size(); i < count; ++i)
    all.push_back(withRoundedFactors(all[i], /*tolerance=*/3e-2));
  return all;
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
  axl_set_threads(2);
  halide_set_custom_do_par_for(countLoop);
  loops.clear();
  checks().runner(GetParam()).run(inputs, one);
  const KernelCase &entry = checks().at(GetParam());
  if (isMultipliedFast(entry)) {
    size_t products = entry.name.find("feed_forward") != std::string::npos ? 2 : 1,
           packings = checks().runner(GetParam()).description().preparations.size();
    EXPECT_THAT(loops, testing::Contains(testing::Ge(4)).Times(testing::Ge(products + packings)));
  }
  axl_set_threads(2); // share them now
  checks().check(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, SharedColumns, testing::Range<size_t>(0, cases().size()),
                         [](const auto &info) { return cases()[info.param].name; });
