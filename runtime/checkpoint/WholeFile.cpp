#include "runtime/checkpoint/WholeFile.h"

#include "runtime/core/Error.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

using namespace axloom::runtime;

std::string axloom::runtime::readWhole(const std::string &path, const std::string &hint,
                                       axl_code code) {
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path.c_str(), "rbe"),
                                                        std::fclose);
  std::string contents;
  std::vector<char> block(1 << 16);
  size_t count = 0;
  do {
    contents.append(block.data(), count);
    count = file ? std::fread(block.data(), 1, block.size(), file.get()) : 0;
  } while (count > 0);
  if (!file || std::ferror(file.get()))
    throw Error(code, concat("cannot read '", path, "': ", std::strerror(errno), hint));
  return contents;
}

std::string_view axloom::runtime::withoutMark(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

std::string_view axloom::runtime::takeLine(std::string_view &rest) {
  size_t length = std::min(rest.find('\n'), rest.size());
  std::string_view line = rest.substr(0, length);
  rest.remove_prefix(std::min(length + 1, rest.size()));
  if (line.ends_with('\r'))
    line.remove_suffix(1);
  return line;
}
