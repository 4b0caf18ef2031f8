// Object code has the instructions that were asked for and no others, and is always the same.

#include "codegen/ObjectCode.h"
#include "codegen/Target.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gmock/gmock.h>
#include <memory>
#include <string>
#include <vector>

using namespace axloom::codegen;
using testing::HasSubstr;
using testing::Not;

namespace {
std::string compiled(const char *text, const std::vector<std::string> &features) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, problem, context);
  EXPECT_TRUE(module) << problem.getMessage().str();
  return module ? objectCode(*module, {.features = features}) : "";
}

// Three bytes of one vector before the rest of another: one instruction of SSE4a (insertq), which
// AMD's Zen 4 has and no processor of Intel. The function asks for both, as Halide's do for a
// processor.
constexpr const char *threeBytes = R"(
  define void @f(ptr %to, ptr %from) "target-cpu"="znver4" "target-features"="+sse4a" {
    %a = load <16 x i8>, ptr %to
    %b = load <16 x i8>, ptr %from
    %c = shufflevector <16 x i8> %a, <16 x i8> %b,
         <8 x i32> <i32 16, i32 17, i32 18, i32 3, i32 4, i32 5, i32 6, i32 7>
    store <8 x i8> %c, ptr %to
    ret void
  })";
constexpr const char *insertq = "\xf2\x0f\x78";

TEST(ObjectCode, HasNoInstructionOfTheProcessorThatAFunctionNames) {
  EXPECT_THAT(compiled(threeBytes, {"sse4a"}), HasSubstr(insertq));
  for (const std::string &name : Target::names())
    EXPECT_THAT(compiled(threeBytes, Target::named(name)->features), Not(HasSubstr(insertq)))
        << name;
}

// Without the instruction, a function of the C library does it.
TEST(ObjectCode, HasTheInstructionsOfItsFeatures) {
  constexpr const char *fma = R"(
    declare float @llvm.fma.f32(float, float, float)
    define float @f(float %a, float %b, float %c) {
      %d = call float @llvm.fma.f32(float %a, float %b, float %c)
      ret float %d
    })";
  EXPECT_THAT(compiled(fma, {}), HasSubstr("fmaf"));
  EXPECT_THAT(compiled(fma, {"avx", "fma"}), Not(HasSubstr("fmaf")));
  EXPECT_EQ(compiled(fma, {"avx", "fma"}), compiled(fma, {"avx", "fma"}));
}
} // namespace
