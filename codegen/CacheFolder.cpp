#include "codegen/CacheFolder.h"

#include <cstdlib>
#include <pwd.h>
#include <unistd.h>

/// The user's, also where the environment is silent, as in a service.
static std::string homeFolder() {
  if (const char *home = std::getenv("HOME"); home && *home)
    return home;
  const passwd *user = getpwuid(getuid());
  return user ? user->pw_dir : "";
}

std::string axloom::codegen::cacheFolder(const std::string &given) {
  if (!given.empty())
    return given;
  if (const char *cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
    return std::string(cache) + "/axloom";
  const std::string home = homeFolder();
  return home.empty() ? "" : home + "/.cache/axloom";
}
