// The file of tuned schedules: written and read again, shared, damaged.

#include "codegen/tune/ScheduleCache.h"
#include "tests/support/FileSizeLimit.h"
#include "tests/support/TemporaryFolder.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

using namespace axloom::codegen;
using axloom::test::TemporaryFolder;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

static TunedKernel entry(int64_t rows) {
  return {.kernel = "contract: <batch: B, model: 64, f32>",
          .family = "contraction",
          .target = "x86-64-avx2",
          .sizes = "B=8",
          .threads = 2,
          .choices = {{"tile rows", rows}},
          .usualNanoseconds = 1250,
          .bestNanoseconds = 1000};
}

TEST(ScheduleCache, IsEmptyAtFirst) {
  TemporaryFolder folder;
  ScheduleCache cache(folder.path());
  EXPECT_EQ(cache.read(), "");
  EXPECT_EQ(cache.find("a"), nullptr);
  EXPECT_THAT(cache.path(), AllOf(StartsWith(folder.path() + "/schedules/"), EndsWith(".json")));
}

TEST(ScheduleCache, KeepsWhatEachOfItsWritersAdds) {
  TemporaryFolder folder;
  ScheduleCache one(folder.path()), other(folder.path());
  EXPECT_EQ(one.add("a", entry(3)), "");
  EXPECT_EQ(other.add("b", entry(7)), "");
  EXPECT_EQ(one.add("c", entry(4)), "");
  ScheduleCache all(folder.path());
  ASSERT_EQ(all.read(), "");
  for (auto [key, rows] : {std::pair("a", 3), {"b", 7}, {"c", 4}}) {
    const TunedKernel *found = all.find(key);
    ASSERT_TRUE(found) << key;
    EXPECT_EQ(found->kernel, "contract: <batch: B, model: 64, f32>");
    EXPECT_EQ(found->family, "contraction");
    EXPECT_EQ(found->target, "x86-64-avx2");
    EXPECT_EQ(found->sizes, "B=8");
    EXPECT_EQ(found->threads, 2);
    EXPECT_EQ(found->choices, (ChoiceValues{{"tile rows", rows}}));
    EXPECT_EQ(found->usualNanoseconds, 1250);
    EXPECT_EQ(found->bestNanoseconds, 1000);
  }
}

TEST(ScheduleCache, KeepsWhatItKnowsIfItsFileIsReplaced) {
  TemporaryFolder folder;
  ScheduleCache one(folder.path());
  ASSERT_EQ(one.add("a", entry(3)), "");
  ASSERT_EQ(one.add("b", entry(3)), "");
  std::filesystem::remove(one.path());
  ASSERT_EQ(ScheduleCache(folder.path()).add("b", entry(7)), "");
  ASSERT_EQ(one.add("c", entry(4)), "");
  for (auto [key, rows] : {std::pair("a", 3), {"b", 7}, {"c", 4}}) {
    ASSERT_TRUE(one.find(key)) << key;
    EXPECT_EQ(one.find(key)->choices, (ChoiceValues{{"tile rows", rows}})) << "the file wins";
  }
}

TEST(ScheduleCache, SaysWhatIsWrongWithItsFile) {
  TemporaryFolder folder;
  ScheduleCache cache(folder.path());
  ASSERT_EQ(cache.add("a", entry(3)), "");
  std::string text;
  std::getline(std::ifstream(cache.path()), text, '\0');
  auto replaced = [&](const std::string &from, const std::string &to) {
    std::string damaged = text;
    damaged.replace(damaged.find(from), from.size(), to);
    std::ofstream(cache.path()) << damaged;
    return ScheduleCache(folder.path()).read();
  };
  const std::string start = "the schedule cache '" + cache.path() + "' is damaged: ",
                    advice = "; repair it, or delete it to measure again";
  const std::string byte = std::to_string(text.find("\"choices\"") + 1);
  EXPECT_THAT(replaced("\"choices\"", "choices"),
              AllOf(StartsWith(start), HasSubstr("[6:7, byte=" + byte + "]: Expected object key"),
                    EndsWith(advice)));
  EXPECT_THAT(replaced("\"tile rows\": 3", "\"tile rows\": \"three\""),
              AllOf(StartsWith(start), HasSubstr("expected integer"), EndsWith(advice)));
  EXPECT_THAT(replaced("\"threads\": 2", "\"strands\": 2"), HasSubstr("missing value"));
  // What is damaged is not written over.
  EXPECT_THAT(cache.add("b", entry(4)), StartsWith(start));
  EXPECT_THAT(ScheduleCache(folder.path()).read(), StartsWith(start));
}

TEST(ScheduleCache, SaysWhyItCannotBeWritten) {
  TemporaryFolder folder;
  std::ofstream(folder.path() + "/schedules") << "";
  EXPECT_THAT(ScheduleCache(folder.path()).add("a", entry(3)),
              StartsWith("cannot lock the schedule cache '" + folder.path() + "/schedules/"));
}

TEST(ScheduleCache, KeepsWhatItHasIfThereIsNoRoom) {
  TemporaryFolder folder;
  ScheduleCache cache(folder.path());
  ASSERT_EQ(cache.add("a", entry(3)), "");
  std::string problem;
  {
    axloom::test::FileSizeLimit limit(16);
    problem = cache.add("b", entry(7));
  }
  EXPECT_EQ(problem, "cannot write the schedule cache '" + cache.path() + "': File too large");
  ScheduleCache again(folder.path());
  ASSERT_EQ(again.read(), "");
  EXPECT_TRUE(again.find("a"));
  EXPECT_FALSE(again.find("b"));
}
