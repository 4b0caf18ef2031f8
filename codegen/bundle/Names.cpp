// Names and comments that both kinds of headers share.

#include "codegen/bundle/Names.h"

#include "codegen/bundle/Header.h"
#include "runtime/abi/axloom.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace axloom;
using namespace axloom::codegen;

std::string codegen::identifier(llvm::StringRef name) {
  static const llvm::StringSet<> reserved = {
      "alignas", "and",      "asm",      "auto",     "bool",     "break",    "case",     "catch",
      "char",    "class",    "const",    "continue", "default",  "delete",   "do",       "double",
      "else",    "enum",     "explicit", "export",   "extern",   "false",    "float",    "for",
      "friend",  "goto",     "if",       "inline",   "int",      "long",     "mutable",  "new",
      "not",     "operator", "or",       "private",  "public",   "register", "requires", "return",
      "short",   "signed",   "sizeof",   "static",   "struct",   "switch",   "template", "this",
      "throw",   "true",     "try",      "typedef",  "typename", "union",    "unsigned", "using",
      "virtual", "void",     "volatile", "while",    "xor",      "namespace"};
  std::string text;
  for (char c : name)
    text += llvm::isAlnum(c) ? c : '_';
  if (text.empty() || llvm::isDigit(text[0]))
    text = "_" + text;
  return reserved.contains(text) ? text + "_" : text;
}

std::string codegen::shapeComment(const Description &model, const ValueInfo &value) {
  std::vector<std::string> axes;
  for (auto [axis, extent] : llvm::zip_equal(value.axes, value.extents))
    axes.push_back(axis + ": " + model.str(extent));
  return "[" + llvm::join(axes, ", ") + "]";
}

std::string codegen::elementTypeName(int32_t tag, const char *brainFloat) {
  switch (tag) {
  case AXL_F32:
    return "float";
  case AXL_BF16:
    return brainFloat;
  case AXL_F64:
    return "double";
  case AXL_I32:
    return "int32_t";
  default:
    return "bool";
  }
}

std::string codegen::sizesComment(const Description &model) {
  std::vector<std::string> sizes;
  for (const SymbolInfo &symbol : model.symbols)
    sizes.push_back(symbol.name + " (at most " + std::to_string(symbol.maximum) + ")");
  return sizes.empty() ? "" : "// Sizes that each call decides: " + llvm::join(sizes, ", ") + ".\n";
}
