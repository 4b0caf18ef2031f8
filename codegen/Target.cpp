#include "codegen/Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"

using namespace axloom::codegen;

/// Best last.
static std::vector<Target> allTargets() {
  TargetTraits sse;
  sse.vectorLanes = 4;
  sse.panel = 8;
  sse.tileRows = 4;

  TargetTraits avx2;
  avx2.termsOfIteration = 4;
  avx2.keysOfStretch = 64;
  avx2.hiddenLimit = 1024;

  TargetTraits avx512;
  avx512.privateCacheBytes = 1 << 20;
  avx512.vectorLanes = 16;
  avx512.squareSide = 16;
  avx512.vectorRegisters = 32;
  avx512.panel = 64;
  avx512.tileRows = 6;
  avx512.blockTiles = 8;
  avx512.packedTerms = 0;
  avx512.partedBytes = 1 << 18;
  avx512.keysOfStretch = 0;

  TargetTraits avx512bf16 = avx512;
  avx512bf16.brainFloatFactors = 2;
  avx512bf16.tileRowsOfPairs = 4;

  // The instruction for bf16 has half of the speed of multiply-adds of f32 there. Tall tiles read
  // less of their panels for each multiply-add than wide ones. Measured on two cores.
  TargetTraits sapphireRapids = avx512;
  sapphireRapids.privateCacheBytes = 2 << 20;
  sapphireRapids.panel = 32;
  sapphireRapids.tileRows = 12;
  sapphireRapids.blockTiles = 4;
  sapphireRapids.termsAhead = 8;
  sapphireRapids.packedTerms = 512;
  sapphireRapids.partedBytes = 4 << 20;
  sapphireRapids.blocksForThreads = 16;

  // Every processor with AVX2 has the last four, too.
  std::vector<std::string> withAvx2 = {"avx", "avx2", "fma",   "f16c",
                                       "bmi", "bmi2", "lzcnt", "popcnt"};
  auto with = [](std::vector<std::string> features, std::initializer_list<const char *> more) {
    features.insert(features.end(), more.begin(), more.end());
    return features;
  };
  std::vector<std::string> withAvx512 =
      with(withAvx2, {"avx512f", "avx512cd", "avx512vl", "avx512bw", "avx512dq"});
  std::vector<std::string> withBf16 =
      with(withAvx512,
           {"avx512ifma", "avx512vbmi", "avx512vbmi2", "avx512vnni", "avx512bitalg", "avx512bf16"});
  return {{"x86-64", {}, sse},
          {"x86-64-avx2", withAvx2, avx2},
          {"x86-64-avx512", withAvx512, avx512},
          {"x86-64-avx512-bf16", withBf16, avx512bf16},
          {.name = "x86-64-sapphire-rapids",
           .features = with(withBf16, {"avx512fp16"}),
           .traits = sapphireRapids,
           .processors = {"sapphirerapids", "emeraldrapids", "graniterapids", "graniterapids-d"}}};
}

/// The device of codegen/mock: memory of its own, code that every x86-64 runs, and limits unlike
/// those of any CPU.
static Target mock() {
  TargetTraits traits;
  traits.vectorLanes = 4;
  traits.panel = 8;
  traits.tileRows = 3;
  traits.privateCacheBytes = 1 << 14;
  traits.layerNormRowLimit = 24;
  traits.wideContractions = true;
  traits.hiddenLimit = 48;
  return {"mock", {}, traits, "mock"};
}

std::optional<Target> Target::named(std::string_view name) {
  if (name == "host")
    return host();
  if (name == "mock")
    return mock();
  for (const Target &target : allTargets())
    if (target.name == name)
      return target;
  return std::nullopt;
}

Target Target::host() {
  llvm::StringMap<bool> present = llvm::sys::getHostCPUFeatures();
  llvm::StringRef processor = llvm::sys::getHostCPUName();
  auto isFor = [&](const Target &target) {
    return (target.processors.empty() || llvm::is_contained(target.processors, processor)) &&
           llvm::all_of(target.features, [&](const std::string &f) { return present.lookup(f); });
  };
  std::vector<Target> targets = allTargets();
  for (const Target &target : llvm::reverse(targets))
    if (isFor(target))
      return target;
  return targets.front();
}

std::vector<std::string> Target::names() {
  std::vector<std::string> names = {"host"};
  for (const Target &target : allTargets())
    names.push_back(target.name);
  names.push_back("mock");
  return names;
}
