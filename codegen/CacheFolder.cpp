#include "codegen/CacheFolder.h"

#include <cstdlib>
#include <filesystem>

std::string axloom::codegen::cacheFolder(const std::string &given) {
  if (!given.empty())
    return given;
  if (const char *cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
    return std::string(cache) + "/axloom";
  if (const char *home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/.cache/axloom";
  return (std::filesystem::temp_directory_path() / "axloom-cache").string();
}
