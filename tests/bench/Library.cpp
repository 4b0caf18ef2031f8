#include "tests/bench/Library.h"

#include "runtime/core/Error.h"

#include <dlfcn.h>

const axl_model &axloom::bench::load(const std::string &library, const std::string &model) {
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  void *tables = handle ? dlsym(handle, (model + "_model").c_str()) : nullptr;
  if (!tables)
    throw runtime::Error(AXL_ERROR_FILE, dlerror());
  return *static_cast<const axl_model *>(tables);
}
