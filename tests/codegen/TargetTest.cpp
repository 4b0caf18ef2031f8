// Target names as a user gives them, the features that each needs, and tables that fit them.

#include "codegen/Target.h"
#include "runtime/core/CpuFeatures.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TargetParser/Host.h"

#include <algorithm>
#include <gmock/gmock.h>

using axloom::codegen::Target;
using axloom::runtime::knowsCpuFeature;
using axloom::runtime::missingCpuFeatures;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

namespace {
TEST(Target, NamesAreThoseThatMessagesList) {
  EXPECT_THAT(Target::names(), ElementsAre("host", "x86-64", "x86-64-avx2", "x86-64-avx512",
                                           "x86-64-avx512-bf16", "x86-64-sapphire-rapids", "mock"));
  for (const std::string &name : Target::names()) {
    std::optional<Target> target = Target::named(name);
    ASSERT_TRUE(target) << name;
    if (name != "host") {
      EXPECT_EQ(target->name, name);
    }
  }
}

TEST(Target, NothingElseIsOne) {
  for (const char *name : {"", "x86", "X86-64", "x86-64-avx2 ", "x86-64-avx2,fma", "native"})
    EXPECT_FALSE(Target::named(name)) << name;
}

TEST(Target, EachHasTheFeaturesOfTheOneBefore) {
  const char *names[] = {"x86-64", "x86-64-avx2", "x86-64-avx512"};
  EXPECT_THAT(Target::named(names[0])->features, IsEmpty());
  for (size_t i = 1; i < std::size(names); ++i) {
    Target less = *Target::named(names[i - 1]), more = *Target::named(names[i]);
    EXPECT_GT(more.features.size(), less.features.size());
    for (const std::string &feature : less.features)
      EXPECT_THAT(more.features, Contains(feature)) << names[i];
    EXPECT_EQ(more.traits.vectorLanes, 2 * less.traits.vectorLanes);
  }
  Target less = *Target::named("x86-64-avx512"), more = *Target::named("x86-64-avx512-bf16");
  for (const std::string &feature : less.features)
    EXPECT_THAT(more.features, Contains(feature));
  EXPECT_THAT(more.features, Contains("avx512bf16"));
  EXPECT_EQ(less.traits.brainFloatFactors, 0);
  EXPECT_EQ(more.traits.brainFloatFactors, 2);
  Target most = *Target::named("x86-64-sapphire-rapids");
  for (const std::string &feature : more.features)
    EXPECT_THAT(most.features, Contains(feature));
  EXPECT_THAT(Target::named("x86-64-avx2")->features, Contains("fma"));
  EXPECT_THAT(Target::named("x86-64-avx2")->features, Not(Contains("avx512f")));
}

TEST(Target, HostRunsHereAndIsTheBestThatDoes) {
  llvm::StringMap<bool> present = llvm::sys::getHostCPUFeatures();
  auto runs = [&](const Target &target) {
    return std::all_of(target.features.begin(), target.features.end(),
                       [&](const std::string &feature) { return present.lookup(feature); });
  };
  Target host = Target::host();
  EXPECT_TRUE(runs(host)) << host.name;
  EXPECT_EQ(Target::named("host")->name, host.name);
  std::string processor = llvm::sys::getHostCPUName().str();
  auto isFor = [&](const Target &target) {
    return target.processors.empty() || llvm::is_contained(target.processors, processor);
  };
  EXPECT_TRUE(isFor(host)) << host.name;
  for (const std::string &name : Target::names())
    if (Target other = *Target::named(name); other.device == "cpu" && runs(other) && isFor(other)) {
      EXPECT_LE(other.features.size(), host.features.size()) << name;
    }
}

TEST(Target, TheRuntimeKnowsTheFeaturesOfAll) {
  llvm::StringMap<bool> present = llvm::sys::getHostCPUFeatures();
  for (const std::string &name : Target::names()) {
    const Target target = *Target::named(name);
    for (const std::string &feature : target.features) {
      EXPECT_TRUE(knowsCpuFeature(feature)) << feature;
      const char *const one[] = {feature.c_str()};
      EXPECT_EQ(missingCpuFeatures(one).empty(), present.lookup(feature)) << feature;
    }
  }
  EXPECT_FALSE(knowsCpuFeature("avx9000"));
}

// Schedules rely on these: a tile with its operands in registers, panels of whole vectors.
TEST(TargetTraits, FitTogether) {
  for (const std::string &name : Target::names()) {
    SCOPED_TRACE(name);
    const Target target = *Target::named(name);
    const auto &traits = target.traits;
    EXPECT_EQ(traits.panel % traits.vectorLanes, 0);
    for (int64_t rows : {traits.tileRows, traits.tileRowsOfPairs})
      EXPECT_LE(rows * (traits.panel / traits.vectorLanes), traits.vectorRegisters);
    EXPECT_GE(traits.blockTiles, 1);
    EXPECT_GE(traits.termsOfIteration, 1);
    if (traits.termsOfIteration > 1) {
      EXPECT_TRUE(llvm::is_contained(target.features, "fma")) << "sums would be reordered";
    }
    EXPECT_TRUE(traits.squareSide > 1 && llvm::isPowerOf2_64(traits.squareSide));
    EXPECT_EQ(traits.vectorLanes % traits.squareSide, 0);
    EXPECT_EQ(traits.packedTerms % traits.vectorLanes, 0) << "transposed square by square";
    EXPECT_GE(traits.packedTerms, 0);
    EXPECT_GE(traits.partedBytes, 0);
    EXPECT_GE(traits.blocksForThreads, 1);
    EXPECT_TRUE(traits.termsAhead == 0 || traits.termsOfIteration == 1) << "each term asks";
    EXPECT_GE(traits.keysOfStretch, 0);
    EXPECT_EQ(traits.keysOfStretch % traits.termsOfIteration, 0) << "whole iterations";
    EXPECT_LE(traits.privateCacheBytes, traits.sharedCacheBytes);
    EXPECT_EQ(target.device, name == "mock" ? "mock" : "cpu");
  }
}
} // namespace
