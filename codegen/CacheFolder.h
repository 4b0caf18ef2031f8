//===- CacheFolder.h - What is kept between runs of the compiler -*- C++ -*-===//

#pragma once

#include <string>

namespace axloom::codegen {
/// The folder that `--cache` gave; empty: $XDG_CACHE_HOME/axloom, or ~/.cache/axloom, or nothing
/// for a user without a home.
std::string cacheFolder(const std::string &given);
} // namespace axloom::codegen
