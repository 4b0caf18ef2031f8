// Compiling kernels: equal ones once, the same bytes each time, objects from the cache; schedules
// that Halide refuses; and worker processes that fail.

#include "codegen/WriteFile.h"
#include "codegen/halide/Emit.h"
#include "codegen/halide/HalideBackend.h"
#include "codegen/halide/KernelCache.h"
#include "codegen/halide/Workers.h"
#include "tests/codegen/support/KernelCases.h"
#include "tests/codegen/support/KernelRunner.h"
#include "tests/support/FileSizeLimit.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <optional>
#include <pwd.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace axloom;
using namespace axloom::codegen;
using namespace axloom::test;
using testing::HasSubstr;
using testing::SizeIs;
namespace fs = std::filesystem;

namespace {
KernelCase chain(const std::string &axis, const std::string &op = "tanh") {
  std::string type = axis + ": 40, f32";
  return kernelCase("chain", {type},
                    "%y = axloom." + op + " %x0 : T<" + type + "> -> T<" + type + ">", {type}, {});
}

class Backend : public testing::Test {
protected:
  Backend() : context(registry(), mlir::MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
    folder = testing::TempDir() + "axloom-backend-test-" + std::to_string(getpid());
  }
  ~Backend() override {
    fs::permissions(folder, fs::perms::all);
    fs::remove_all(folder);
  }

  std::string cache(const std::string &name) {
    fs::create_directories(folder);
    return folder + "/" + name;
  }

  ir::KernelOp parsed(const KernelCase &entry) {
    modules.push_back(mlir::parseSourceString<mlir::ModuleOp>(entry.text, &context));
    ir::KernelOp kernel;
    modules.back()->walk([&](ir::KernelOp op) { kernel = op; });
    return kernel;
  }

  mlir::FailureOr<std::vector<CompiledKernel>>
  compile(const std::vector<KernelCase> &cases, const std::string &cache, unsigned jobs = 0) {
    std::vector<ir::KernelOp> kernels;
    for (const KernelCase &entry : cases)
      kernels.push_back(parsed(entry));
    return createHalideBackend()->compile(kernels, Target::host(),
                                          {.cacheFolder = cache, .jobs = jobs});
  }

  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registry.insert<mlir::func::FuncDialect, ir::AxloomDialect>();
    return registry;
  }

  mlir::MLIRContext context;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  std::string folder;
};

std::string contents(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> files(const std::string &folder) {
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename());
  return names;
}

TEST_F(Backend, EqualKernelsAreOneObject) {
  auto kernels = compile({chain("layer"), chain("model"), chain("model", "erf")}, cache("one"));
  ASSERT_TRUE(succeeded(kernels));
  ASSERT_THAT(*kernels, SizeIs(3));
  EXPECT_EQ((*kernels)[0].name, (*kernels)[1].name);
  EXPECT_EQ((*kernels)[0].object, (*kernels)[1].object);
  EXPECT_NE((*kernels)[0].name, (*kernels)[2].name);
  EXPECT_THAT(files(cache("one")), SizeIs(2)) << "nothing temporary stays";
}

// What a process compiled before and what compiles beside it changes nothing.
TEST_F(Backend, BytesDependOnTheKernelAlone) {
  auto first = compile({chain("n"), chain("n", "erf"), chain("n", "exp")}, cache("a"), 2);
  auto second = compile({chain("n", "exp"), chain("n", "erf"), chain("n")}, cache("b"), 1);
  ASSERT_TRUE(succeeded(first) && succeeded(second));
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ((*first)[i].name, (*second)[2 - i].name);
    EXPECT_EQ(contents((*first)[i].object), contents((*second)[2 - i].object));
  }
}

TEST_F(Backend, WhatTheCacheHoldsIsNotCompiledAgain) {
  auto first = compile({chain("n")}, cache("kept"));
  ASSERT_TRUE(succeeded(first));
  const std::string object = first->front().object;
  constexpr fs::file_time_type longAgo{};
  fs::last_write_time(object, longAgo);
  ASSERT_TRUE(succeeded(compile({chain("n")}, cache("kept"))));
  EXPECT_EQ(fs::last_write_time(object), longAgo);
  // An empty file is what a machine that lost its power leaves.
  std::ofstream(object, std::ios::trunc).close();
  ASSERT_TRUE(succeeded(compile({chain("n")}, cache("kept"))));
  EXPECT_GT(contents(object).size(), 1000u);
}

/// A family whose schedules Halide refuses.
class Refused : public Family {
public:
  llvm::StringRef name() const override { return "refused"; }
  std::optional<KernelPlan> plan(ir::KernelOp, const Target &) const override { return {}; }
  void schedule(LoweredRegion &, const PlannedBlock &) const override {
    throw Halide::CompileError("refused");
  }
};

// What the generic schedule makes of a plan gives what the plan's own gives, also where factors lie
// in pairs and the last pair is half there.
TEST_F(Backend, ARefusedScheduleBecomesTheGenericOne) {
  const std::string x = "m: 48, p: S, f32", y = "n: 80, p: S, f32", result = "m: 48, n: 80, f32";
  KernelCase entry = kernelCase("weight_gradient", {x, y},
                                "%y = axloom.contract %x0, %x1 over [\"p\"] : T<" + x + ">, T<" +
                                    y + "> -> T<" + result + ">",
                                {result}, {"S"},
                                "input_layouts = [#axloom.layout<[p, m]>, #axloom.layout<[p, n]>], "
                                "result_layouts = [#axloom.layout<[m, n]>]");
  for (const KernelCase &each : {entry, withRoundedFactors(entry, 0)}) {
    ir::KernelOp kernel = parsed(each);
    CompileOptions options{.cacheFolder = cache(each.name)};
    ir::reference::Sizes sizes{{{"S", 7}}, {}};
    std::vector<ir::reference::Array> inputs;
    for (mlir::Value input : kernel.getInputs()) {
      ir::reference::Array &array = inputs.emplace_back(ir::tensorType(input).getAxes(), sizes);
      for (auto [index, value] : llvm::enumerate(array.values))
        value = std::sin(double(index));
    }
    auto fast = KernelRunner::compile({kernel}, options);
    std::vector<double> expected = fast[0]->run(inputs, sizes)[0].values;
    CompiledKernel described = fast[0]->description();
    fast.clear();
    fs::remove(described.object);
    Choices choices;
    KernelPlan plan = chooseFamily(kernel, Target::host(), /*genericOnly=*/false, choices).second;
    ASSERT_TRUE(succeeded(emitObject(kernel, Refused(), plan, Target::host(), described.name,
                                     KernelCache(options.cacheFolder))));
    auto slow = std::move(KernelRunner::compile({kernel}, options)[0]);
    EXPECT_EQ(slow->description().family, "generic");
    EXPECT_FALSE(fs::exists(described.object)) << "what the cache holds is not compiled again";
    auto found = slow->run(inputs, sizes)[0].values;
    EXPECT_THAT(found, testing::Pointwise(testing::DoubleNear(1e-4), expected)) << each.name;
    setenv("AXLOOM_STRICT_SCHEDULES", "1", /*overwrite=*/1);
    EXPECT_EQ(KernelRunner::compile({kernel}, options)[0]->description().family, described.family);
    unsetenv("AXLOOM_STRICT_SCHEDULES");
    EXPECT_TRUE(fs::exists(described.object)) << "a fallback is not enough there";
  }
}

TEST_F(Backend, SaysWhichObjectCannotBeWritten) {
  std::string message, folderInItsPlace = KernelCache(cache("objects")).pathOf("k");
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) { message += diagnostic.str(); });
  fs::create_directories(folderInItsPlace);
  ir::KernelOp kernel = parsed(chain("n"));
  Choices choices;
  auto [family, plan] = chooseFamily(kernel, Target::host(), /*genericOnly=*/false, choices);
  EXPECT_TRUE(failed(
      emitObject(kernel, *family, plan, Target::host(), "k", KernelCache(cache("objects")))));
  EXPECT_THAT(message, HasSubstr("cannot write '" + folderInItsPlace + "': Is a directory"));
  EXPECT_THAT(files(cache("objects")), testing::ElementsAre("k.o"));
}

/// How often the code has VFMADD231PS: c4, map 2 in the low bits of the next byte, any, b8.
unsigned multiplyAdds(const std::string &code) {
  auto byte = [&](size_t place) { return static_cast<unsigned char>(code[place]); };
  unsigned count = 0;
  for (size_t i = 0; i + 4 <= code.size(); ++i)
    count += byte(i) == 0xc4 && (byte(i + 1) & 0x1f) == 2 && byte(i + 3) == 0xb8;
  return count;
}

TEST_F(Backend, KernelsHaveTheInstructionsOfTheirTarget) {
  KernelCase entry =
      kernelCase("product", {"m: 48, p: 32, f32", "p: 32, n: 64, f32"},
                 "%y = axloom.contract %x0, %x1 over [\"p\"] : "
                 "T<m: 48, p: 32, f32>, T<p: 32, n: 64, f32> -> T<m: 48, n: 64, f32>",
                 {"m: 48, n: 64, f32"}, {});
  auto codeFor = [&](const char *target) {
    auto compiled = createHalideBackend()->compile({parsed(entry)}, *Target::named(target),
                                                   {.cacheFolder = cache(target)});
    return contents((*compiled)[0].object);
  };
  EXPECT_GT(multiplyAdds(codeFor("x86-64-avx2")), 10);
  EXPECT_EQ(multiplyAdds(codeFor("x86-64")), 0);
}

TEST_F(Backend, SaysWhichCacheCannotBeUsed) {
  std::string message;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) { message += diagnostic.str(); });
  std::ofstream(cache("file")) << "not a folder";
  EXPECT_TRUE(failed(compile({chain("n")}, cache("file") + "/cache")));
  EXPECT_THAT(message, HasSubstr("cannot create the kernel cache '" + cache("file") + "/cache'"));
}

/// A variable of the environment is not set as long as this lives.
class WithoutVariable {
public:
  explicit WithoutVariable(const char *name) : name(name) {
    if (const char *value = std::getenv(name))
      before = value;
    unsetenv(name);
  }
  WithoutVariable(const WithoutVariable &) = delete;
  WithoutVariable &operator=(const WithoutVariable &) = delete;
  ~WithoutVariable() {
    if (before)
      setenv(name, before->c_str(), /*overwrite=*/1);
  }

private:
  const char *name;
  std::optional<std::string> before;
};

// Others could put objects into a folder that is the same for all users.
TEST(KernelCache, LiesInTheUsersHomeThoughNoVariableNamesIt) {
  WithoutVariable cache("XDG_CACHE_HOME"), home("HOME");
  const passwd *user = getpwuid(getuid());
  ASSERT_TRUE(user);
  EXPECT_EQ(KernelCache("").pathOf("k"), std::string(user->pw_dir) + "/.cache/axloom/k.o");
}

// What has no kernels needs no folder for them.
TEST_F(Backend, NoKernelsNeedNoCache) {
  std::ofstream(cache("file")) << "not a folder";
  EXPECT_TRUE(succeeded(compile({}, cache("file") + "/cache")));
}

TEST_F(Backend, CacheHasAFileOnceItIsWhole) {
  KernelCache kernels(cache("kernels"));
  ASSERT_EQ(kernels.prepare(), "");
  const std::string object = KernelCache::withChecksum("object");
  EXPECT_FALSE(kernels.has("whole"));
  EXPECT_FALSE(writeFile(kernels.pathOf("whole"), object));
  EXPECT_TRUE(kernels.has("whole"));
  std::error_code noRoom;
  {
    FileSizeLimit limit(object.size() - 1);
    noRoom = writeFile(kernels.pathOf("cut"), object);
  }
  EXPECT_EQ(noRoom, std::errc::file_too_large);
  EXPECT_FALSE(kernels.has("cut"));
}

// A kernel whose file is damaged is compiled again.
TEST_F(Backend, CacheHasNoDamagedFile) {
  KernelCache kernels(cache("damaged"));
  auto compiled = compile({chain("n")}, cache("damaged"));
  ASSERT_TRUE(succeeded(compiled));
  const std::string name = compiled->front().name, path = kernels.pathOf(name);
  ASSERT_TRUE(kernels.has(name));
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  EXPECT_FALSE(kernels.has(name));
  EXPECT_FALSE(writeFile(path, "noise"));
  EXPECT_FALSE(kernels.has(name));
  ASSERT_TRUE(succeeded(compile({chain("n")}, cache("damaged"))));
  const std::string object = contents(path);
  for (size_t place = 0; place < object.size(); place += object.size() / 7) {
    std::string changed = object;
    changed[place] ^= 1;
    EXPECT_FALSE(writeFile(path, changed));
    EXPECT_FALSE(kernels.has(name)) << "with another bit in byte " << place;
  }
  ASSERT_TRUE(succeeded(compile({chain("n")}, cache("damaged"))));
  EXPECT_TRUE(kernels.has(name));
}

TEST(Workers, TellEachJobsEndInOrder) {
  std::vector<std::function<bool()>> jobs = {
      [] { return true; },
      [] { return std::fprintf(stderr, "no such thing\n"), false; },
      []() -> bool { throw std::runtime_error("thrown"); },
      []() -> bool { std::abort(); },
      [] { return true; },
  };
  for (unsigned limit : {1u, 2u, 0u}) {
    std::vector<JobResult> results = runInProcesses(jobs, limit);
    ASSERT_THAT(results, SizeIs(jobs.size()));
    for (size_t i = 0; i < jobs.size(); ++i)
      EXPECT_EQ(results[i].succeeded, i == 0 || i == 4) << i;
    EXPECT_EQ(results[1].output, "no such thing\n");
    EXPECT_THAT(results[2].output, HasSubstr("thrown"));
    EXPECT_THAT(results[3].output, HasSubstr("ended by signal 6"));
  }
}

// What they say needs no room in a folder for temporary files.
TEST(Workers, WriteIntoMemory) {
  auto says = [] {
    return std::fprintf(stderr, "%s", fs::read_symlink("/proc/self/fd/2").c_str()) > 0;
  };
  EXPECT_THAT(runInProcesses({says}, 1)[0].output, testing::StartsWith("/memfd:"));
}

TEST(Workers, FewerHelpAgainstLimitsAlone) {
  using std::errc;
  for (errc limit :
       {errc::resource_unavailable_try_again, errc::not_enough_memory, errc::too_many_files_open})
    EXPECT_EQ(adviceOn(make_error_code(limit)), "; ask for fewer processes with --jobs");
  for (errc other : {errc::no_space_on_device, errc::read_only_file_system, errc::io_error})
    EXPECT_EQ(adviceOn(make_error_code(other)), "");
}

// A child that somebody else started is not waited for.
TEST(Workers, LeaveOtherChildrenAlone) {
  pid_t other = fork();
  if (other == 0)
    _exit(7);
  runInProcesses({[] { return true; }, [] { return true; }}, 2);
  int status = 0;
  EXPECT_EQ(waitpid(other, &status, 0), other);
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

// Whoever started the compiler may have had it ignore how children end.
TEST(Workers, AreWaitedForThoughSigchldIsIgnored) {
  auto before = std::signal(SIGCHLD, SIG_IGN);
  std::vector<JobResult> results = runInProcesses({[] { return true; }, [] { return false; }}, 1);
  EXPECT_TRUE(results[0].succeeded);
  EXPECT_FALSE(results[1].succeeded);
  EXPECT_EQ(std::signal(SIGCHLD, before), SIG_IGN);
}
} // namespace
