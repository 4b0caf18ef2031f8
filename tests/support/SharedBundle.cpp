#include "tests/support/SharedBundle.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

using namespace axloom::test;

[[noreturn]] static void giveUp(const std::string &what, const std::string &why) {
  std::fprintf(stderr, "%s: %s\n", what.c_str(), why.c_str());
  std::abort();
}

SharedBundle::SharedBundle(const codegen::Bundle &bundle) {
  if (std::string problem = write(bundle, folder()); !problem.empty())
    giveUp("cannot write the bundle", problem);
  std::string path = folder() + "/" + bundle.name + ".so";
  std::string link = "cc -shared -o " + path + " -Wl,--whole-archive " + folder() + "/lib" +
                     bundle.name + ".a -Wl,--no-whole-archive -lm";
  if (std::system(link.c_str()) != 0)
    giveUp("cannot link the bundle", link);
  library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    giveUp("cannot load the bundle", dlerror());
  tables = static_cast<const axl_model *>(dlsym(library, (bundle.name + "_model").c_str()));
  if (!tables)
    giveUp("the bundle has no tables", dlerror());
}

SharedBundle::~SharedBundle() { dlclose(library); }
