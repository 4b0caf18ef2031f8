// Generated headers, compiled as a user's program would: alone, with typed entry points; in C and
// in C++.

#include "runtime/abi/axloom.h"
#include "tests/codegen/support/Planned.h"
#include "tests/support/TemporaryFolder.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <gmock/gmock.h>

using namespace axloom;
using namespace axloom::test;

static const char *const statefulText = R"(
axloom.size @B max 100
axloom.variable "session" @cache : !axloom.tensor<batch: B, f32> order ["batch"] init {kind = "zeros"}
func.func @echo(%x: !axloom.tensor<batch: B, i32> {axloom.name = "for"}, %m: !axloom.tensor<batch: B, key: 3, i1> {axloom.name = "mask", axloom.order = ["key", "batch"]})
    -> (!axloom.tensor<batch: B, i32> {axloom.name = "y.0"}) {
  return %x : !axloom.tensor<batch: B, i32>
}
func.func @show() -> (!axloom.tensor<batch: B, f32> {axloom.name = "cache"}) {
  %c = axloom.read @cache : !axloom.tensor<batch: B, f32>
  return %c : !axloom.tensor<batch: B, f32>
})";

static const char *const stateless = R"(
axloom.size @B max 100
func.func @twice(%x: !axloom.tensor<batch: B, model: 2, f32> {axloom.name = "x", axloom.order = ["batch", "model"]})
    -> (!axloom.tensor<batch: B, model: 2, f32> {axloom.name = "y", axloom.order = ["batch", "model"]}) {
  %y = axloom.kernel "twice"(%x) {input_layouts = [#axloom.layout<[batch, model]>], result_layouts = [#axloom.layout<[batch, model]>],
      placements = [#axloom.placement<result 0>]} : (!axloom.tensor<batch: B, model: 2, f32>) -> !axloom.tensor<batch: B, model: 2, f32> {
  ^bb0(%v: !axloom.tensor<batch: B, model: 2, f32>):
    axloom.yield %v : !axloom.tensor<batch: B, model: 2, f32>
  }
  return %y : !axloom.tensor<batch: B, model: 2, f32>
})";

static std::string sourceFolder() { return std::getenv("AXLOOM_SOURCE_DIR"); }

/// Compiles a file in the folder against nothing but the repository's root; true if the compiler is
/// content.
static bool compiles(const std::string &folder, const std::string &file,
                     const std::string &compiler, const std::string &source) {
  std::ofstream(folder + "/" + file) << source;
  std::string command = compiler + " -Wall -Wextra -Werror -fsyntax-only -I" + sourceFolder() +
                        " -I" + folder + " " + folder + "/" + file;
  return std::system(command.c_str()) == 0;
}

TEST(Header, CompilesAloneAndHasTypedEntryPoints) {
  TemporaryFolder folder;
  codegen::Bundle bundle = Planned(statefulText, {}, "demo").bundle();
  ASSERT_EQ(write(bundle, folder.path()), "");
  EXPECT_TRUE(compiles(folder.path(), "alone.cpp", "c++ -std=c++20", "#include \"demo.h\"\n"));
  EXPECT_TRUE(compiles(folder.path(), "use.cpp", "c++ -std=c++20", R"(
#include "demo.h"
#include <type_traits>
using axloom::runtime::View;
static_assert(std::is_same_v<decltype(demo::echo::Arguments::for_), View<const int32_t>>);
static_assert(std::is_same_v<decltype(demo::echo::Arguments::mask), View<const bool>>);
static_assert(std::is_same_v<decltype(demo::echo::Results::y_0), View<int32_t>>);
void use(axloom::runtime::Model &model, axloom::runtime::Session &session, View<float> cache) {
  demo::echo::call(model, {}, {});
  demo::show::call(session, {}, {.cache = cache});
}
)"));
  testing::internal::CaptureStderr();
  EXPECT_FALSE(compiles(folder.path(), "wrong.cpp", "c++ -std=c++20", R"(
#include "demo.h"
void use(axloom::runtime::Model &model, axloom::runtime::View<float> x) { demo::echo::call(model, {.for_ = x}, {}); }
)"));
  testing::internal::GetCapturedStderr();
}

TEST(Header, ShowsShapesAndSizes) {
  codegen::Bundle bundle = Planned(statefulText, {}, "demo").bundle();
  EXPECT_THAT(
      bundle.header,
      testing::AllOf(testing::HasSubstr("// Sizes that each call decides: B (at most 100)."),
                     testing::HasSubstr("View<const bool> mask; // [key: 3, batch: B]")));
}

/// Functions of these names that pass an argument of each name on as a result of that name.
static std::string functions(std::initializer_list<const char *> names,
                             const std::vector<std::string> &values) {
  std::string text = "axloom.size @B max 100\n", arguments, results, types, passed;
  const std::string type = "!axloom.tensor<batch: B, i32>";
  for (const std::string &value : values) {
    const char *comma = arguments.empty() ? "" : ", ";
    std::string named = type + " {axloom.name = \"" + value + "\"}",
                variable = "%v" + std::to_string(passed.size());
    arguments += comma + variable + ": " + named;
    results += comma + named;
    types += comma + type;
    passed += comma + variable;
  }
  for (const char *name : names)
    text += std::string("func.func @\"") + name + "\"(" + arguments + ") -> (" + results +
            ") {\n  return " + passed + " : " + types + "\n}\n";
  return text;
}

TEST(Header, NamesThatCppKnowsOtherwise) {
  TemporaryFolder folder;
  std::string text =
      functions({"call", "Arguments", "Results", "index", "int32_t", "axloom", "a.b", "a_b",
                 "nullptr", "errno", "in", "model"},
                {"Arguments", "Results", "axloom", "x.0", "x_0", "int32_t", "concept", "errno"});
  codegen::Bundle bundle = Planned(text, {}, "demo").bundle();
  ASSERT_EQ(write(bundle, folder.path()), "");
  EXPECT_TRUE(compiles(folder.path(), "use.cpp", "c++ -std=c++20", R"(
#include "demo.h"
#include <cerrno>
void use(axloom::runtime::Model &model, axloom::runtime::View<const int32_t> x) {
  demo::a_b::Arguments arguments;
  arguments.x_0 = arguments.x_0_ = arguments.Arguments_ = arguments.concept_ = x;
  demo::a_b::Results results;
  results.Results_ = results.axloom_ = results.int32_t_ = results.errno_ = {};
  demo::a_b_::call(model, {}, {});
  demo::call_::call(model, {}, {});
  demo::Arguments_::call(model, {}, {});
  demo::int32_t_::call(model, {}, {});
}
)"));
}

// As a namespace, and as a function of C.
TEST(Header, ModelsMayBeCalledAsFunctionsOfTheLibraryAre) {
  const std::string library = "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
                              "#include <string.h>\n#include <unistd.h>\n";
  for (std::string name : {"exp", "read", "gamma", "NAN", "main"}) {
    TemporaryFolder folder;
    std::string use = library + "#include \"" + name + ".h\"\n";
    Planned model(functions({name.c_str()}, {"x"}), {}, name);
    ASSERT_EQ(write(model.bundle(), folder.path()), "");
    EXPECT_TRUE(compiles(folder.path(), "use.cpp", "c++ -std=c++20", use)) << name;
    ASSERT_EQ(write(model.bundle(/*headerForC=*/true), folder.path()), "");
    EXPECT_TRUE(compiles(folder.path(), "use.c", "cc -std=gnu11", use)) << name;
  }
}

TEST(Header, OfAKernelKeepsNamesApart) {
  TemporaryFolder folder;
  std::string text = functions({"demo", "model", "a.b", "a_b"},
                               {"B", "x", "axl_arguments", "int64_t", "restrict", "demo_model"});
  codegen::Bundle bundle = Planned(text, {}, "demo").bundle(/*headerForC=*/true);
  ASSERT_EQ(write(bundle, folder.path()), "");
  for (const char *compiler : {"cc -std=c11", "c++ -std=c++20"})
    EXPECT_TRUE(compiles(folder.path(), "use.c", compiler, "#include \"demo.h\"\n"));
  EXPECT_THAT(bundle.header,
              testing::AllOf(testing::HasSubstr(" demo(int64_t B, const int32_t *B_"),
                             testing::HasSubstr("const int32_t *x,"),
                             testing::HasSubstr(" int32_t *x_"),
                             testing::HasSubstr(" demo_model_(")));
}

TEST(Header, OfAKernelIsCAndCanBeCalled) {
  FakeKernel twice{R"(
    for (int b = 0; b < DIM(0, 1).extent; ++b)
      for (int m = 0; m < 2; ++m)
        DATA(float, 1)[b * 2 + m] = 2 * DATA(float, 0)[b * 2 + m];
    return 0;)",
                   {},
                   {},
                   {},
                   {}};
  Planned planned(stateless, {{"twice", twice}}, "twice");
  codegen::Bundle bundle = planned.bundle(/*headerForC=*/true);
  TemporaryFolder folder;
  ASSERT_EQ(write(bundle, folder.path()), "");
  EXPECT_TRUE(compiles(folder.path(), "alone.c", "cc -std=c11", "#include \"twice.h\"\n"));
  EXPECT_TRUE(compiles(folder.path(), "alone.cpp", "c++ -std=c++20", "#include \"twice.h\"\n"));

  std::ofstream(folder.path() + "/call.c")
      << "#include \"twice.h\"\nint callTwice(int64_t B, const float *x, float *y) { return "
         "twice(B, x, y); }\n";
  std::string library = folder.path() + "/call.so";
  std::string command = "cc -shared -fPIC -I" + sourceFolder() + " -I" + folder.path() + " " +
                        folder.path() + "/call.c " + folder.path() + "/libtwice.a -o " + library;
  ASSERT_EQ(std::system(command.c_str()), 0);
  void *loaded = dlopen(library.c_str(), RTLD_NOW);
  ASSERT_TRUE(loaded) << dlerror();
  auto call =
      reinterpret_cast<int (*)(int64_t, const float *, float *)>(dlsym(loaded, "callTwice"));
  float x[6] = {0, 1, 2, 3, 4, 5}, y[6] = {};
  EXPECT_EQ(call(3, x, y), AXL_OK) << axl_last_error();
  EXPECT_THAT(y, testing::ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_EQ(call(101, x, y), AXL_ERROR_SIZE);
  EXPECT_THAT(axl_last_error(), testing::HasSubstr("101"));
}
