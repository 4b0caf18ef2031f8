#include "tests/examples/ScriptTree.h"

#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>

namespace example {

ScriptTree::ScriptTree(const std::string &folder, const std::vector<std::string> &scripts)
    : folder(folder) {
  std::filesystem::path root = std::getenv("AXLOOM_SOURCE_DIR");
  std::filesystem::create_directories(tree.path(folder));
  for (const std::string &name : scripts)
    std::filesystem::copy_file(root / folder / name, tree.path(folder + "/" + name));
  standIn("setup");
  standIn(".venv/bin/cmake");
}

void ScriptTree::standIn(const std::string &path, const std::string &commands) const {
  std::filesystem::path file = tree.path(path);
  std::filesystem::create_directories(file.parent_path());
  tree.write(path, "#!/bin/sh\necho " + path + " \"$@\"\n" + commands + "\n");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
}

Finished ScriptTree::script(const std::string &name,
                            const std::vector<std::string> &options) const {
  std::vector<std::string> command = {tree.path(folder + "/" + name)};
  command.insert(command.end(), options.begin(), options.end());
  return runProgram(command);
}

std::string ScriptTree::refusal(const std::string &name,
                                const std::vector<std::string> &options) const {
  Finished done = script(name, options);
  EXPECT_EQ(done.status, 1);
  EXPECT_EQ(done.output, "");
  return done.errors;
}

void ScriptTree::expectHelp() const {
  Finished help = script("run", {"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.output, testing::StartsWith("usage: " + folder + "/run"));
  EXPECT_EQ(help.errors, "");
}

void ScriptTree::expectStopWithFetch() const {
  std::string fetch = folder + "/fetch";
  standIn(fetch, "exit 3");
  Finished done = script("run", {});
  EXPECT_EQ(done.status, 3);
  EXPECT_THAT(done.errors, testing::EndsWith(fetch + " build/" +
                                             folder.substr(folder.find('/') + 1) + "/weights\n"));
  EXPECT_EQ(done.output, "");
}

void ScriptTree::expectFolderOfTheRun(const std::string &behind, const std::string &hint) const {
  std::string model = std::filesystem::canonical(".").string() + "/a model";
  for (const std::vector<std::string> &options :
       {std::vector<std::string>{"--checkpoint", "a model"}, {"--checkpoint=a model"}}) {
    Finished done = script("run", options);
    EXPECT_EQ(done.status, 0) << done.errors;
    EXPECT_THAT(done.output, testing::HasSubstr(" --checkpoint " + model + behind + "\n"));
    EXPECT_THAT(done.output, testing::ContainsRegex(hint + " --checkpoint /.*/a. model \""));
  }
}

} // namespace example
