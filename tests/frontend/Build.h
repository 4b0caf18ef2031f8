// What the tests of the frontend share: axes, and the ops that a function's body emits.
#pragma once

#include "frontend/Axloom.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

namespace axloom {

struct Batch : Axis<"batch"> {};
struct Heads : Axis<"heads"> {};
struct Query : Axis<"query"> {};
struct Key : Axis<"key"> {};
struct Depth : Axis<"depth"> {};
struct Position : Axis<"position"> {};
struct Width : Axis<"width"> {};
struct Vocabulary : Axis<"vocabulary"> {};

/// An op as the tests write it: without the types of its operands.
///   %0 = exp %arg0 -> <batch: B, f32>
inline std::string shortened(std::string line) {
  for (std::string noise : {"!axloom.tensor", "axloom."})
    for (std::size_t at; (at = line.find(noise)) != std::string::npos;)
      line.erase(at, noise.size());
  std::size_t types = line.find(" : ", line.find(" = constant ") + 1);
  if (line.find(" = constant ") != std::string::npos)
    types = line.rfind(" : ");
  if (types == std::string::npos)
    return line;
  std::size_t result = line.find("-> ", types);
  return line.substr(0, types) + " -> " +
         line.substr(result == std::string::npos ? types + 3 : result + 3);
}

/// The ops of function `name`, one a line.
inline std::string bodyOf(const Program &program, const std::string &name = "f") {
  std::string text = program.print(), body = "\n";
  std::size_t at = text.find("func.func @" + name + "(");
  at = text.find('\n', at) + 1;
  while (text.compare(at, 10, "    return") != 0) {
    std::size_t end = text.find('\n', at);
    body += shortened(text.substr(at + 4, end - at - 4)) + "\n";
    at = end + 1;
  }
  return body;
}

/// The ops that `body` emits in a program with sizes B and S.
inline std::string opsOf(const std::function<void(Function &, Size B, Size S)> &body) {
  Program program;
  Size B = program.size("B", 64), S = program.size("S", 512);
  program.function("f", [&](Function &f) { body(f, B, S); });
  return bodyOf(program);
}

/// The names of the parameters in the order of their declaration, with their axes in order.
inline std::string parametersOf(const Program &program) {
  std::string list;
  for (const AnyVariable &parameter : program.parameters()) {
    list += "\n" + parameter.name() + ":";
    for (const auto &[axis, size] : graph::shapeOf(parameter.node(), Where::current()).axes)
      list += " " + axis + "=" + size.print();
  }
  return list + "\n";
}

/// The line of a test's source file, counted from 1.
inline std::string sourceLine(const std::string &path, unsigned number) {
  const char *root = std::getenv("AXLOOM_SOURCE_DIR"); // set by ctest
  std::ifstream file(std::string(root ? root : ".") + "/tests/frontend/" +
                     path.substr(path.rfind('/') + 1));
  std::string line;
  for (unsigned i = 0; i < number && std::getline(file, line); ++i)
    ;
  return line;
}

/// The whole message of the GraphError that `body` throws. Places in the test's own file are
/// written as the comment of that line: `exp(x); // here` is a place called "here".
inline std::string errorOf(const std::function<void()> &body, Where caller = Where::current()) {
  std::string text = "no error";
  try {
    body();
  } catch (const GraphError &error) {
    text = error.what();
  }
  std::string path = caller.file_name();
  for (std::size_t at; (at = text.find(path + ":")) != std::string::npos;) {
    std::size_t number = at + path.size() + 1;
    std::size_t end = text.find_first_not_of("0123456789", number);
    unsigned line = static_cast<unsigned>(std::stoul(text.substr(number, end - number)));
    std::string source = sourceLine(path, line);
    std::size_t comment = source.find("// ");
    text.replace(at, end == std::string::npos ? end : end - at,
                 comment == std::string::npos ? "line " + std::to_string(line)
                                              : source.substr(comment + 3));
  }
  return text;
}

/// The message of the error in a function of a program with sizes B and S.
inline std::string errorIn(const std::function<void(Function &, Size B, Size S)> &body,
                           Where caller = Where::current()) {
  return errorOf([&] { opsOf(body); }, caller);
}

} // namespace axloom
