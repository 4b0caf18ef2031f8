// Names and comments that both kinds of headers share.

#include "codegen/bundle/Names.h"

#include "codegen/bundle/Header.h"
#include "runtime/abi/axloom.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace axloom;
using namespace axloom::codegen;

// Keywords of C++ and C, and macros that headers of the C library, or compilers, often define.
static constexpr llvm::StringLiteral reserved =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t "
    "char32_t class co_await co_return co_yield compl concept const const_cast consteval "
    "constexpr constinit continue decltype default delete do double dynamic_cast else enum "
    "explicit export extern false float for friend goto if inline int long mutable namespace new "
    "noexcept not not_eq nullptr operator or or_eq private protected public register "
    "reinterpret_cast requires restrict return short signed sizeof static static_assert "
    "static_cast struct switch template this thread_local throw true try typedef typeid typename "
    "typeof union unsigned using virtual void volatile wchar_t while xor xor_eq BUFSIZ EOF "
    "INFINITY M_E M_PI NAN NULL RAND_MAX assert errno linux stderr stdin stdout unix";

// What headers of the C library, and ours, declare outside of any namespace, and what a model may
// well be called.
static constexpr llvm::StringLiteral global =
    "main axloom std abort abs access acos acosh alarm asin asinh atan atan2 atanh atexit "
    "atof atoi atol bcmp bcopy bsearch bzero calloc cbrt ceil chdir chmod chown clock close "
    "conj copysign cos cosh ctermid ctime difftime div drem dup environ erf erfc exit exp "
    "exp2 expm1 fabs fclose fdim feof ferror fflush ffs fgetc fgets finite floor fma fmax "
    "fmin fmod fopen fork fprintf fputc fputs fread free freopen frexp fscanf fseek fsync "
    "ftell fwrite gamma getc getchar getenv getline getpid getw gmtime hypot ilogb index "
    "isalnum isalpha isatty isdigit isinf islower isnan isspace isupper j0 j1 jn kill labs "
    "ldexp ldiv lgamma link llabs llrint llround localtime lockf log log10 log1p log2 logb "
    "lrint lround lseek malloc memchr memcmp memcpy memmove memset mktime modf nan nanosleep "
    "nearbyint nextafter nice open pause pclose perror pipe popen pow printf putc putchar "
    "putenv puts putw qsort raise rand random read realloc realpath remainder remove remquo "
    "rename rewind rindex rint rmdir round scalb scalbn scanf select setbuf setenv "
    "significand sin sinh sleep sprintf sqrt srand sscanf stat strcat strchr strcmp strcpy "
    "strdup strlen strncpy strstr strtod strtof strtok strtol swab symlink sync sysconf "
    "system tan tanh tgamma time timezone tmpfile tolower toupper trunc truncate ungetc "
    "unlink usleep vfork write y0 y1 yn";

Identifiers::Identifiers(std::initializer_list<llvm::StringRef> taken) {
  for (llvm::StringRef word : llvm::split(reserved, ' '))
    used.insert(word);
  used.insert(taken.begin(), taken.end());
}

std::string Identifiers::add(llvm::StringRef name) {
  std::string text;
  for (char c : name)
    text += llvm::isAlnum(c) ? c : '_';
  if (text.empty() || llvm::isDigit(text[0]))
    text = "_" + text;
  while (!used.insert(text).second)
    text += '_';
  return text;
}

std::vector<std::string> Identifiers::add(const std::vector<ValueInfo> &values) {
  std::vector<std::string> names;
  for (const ValueInfo &value : values)
    names.push_back(add(value.name));
  return names;
}

std::string codegen::identifier(llvm::StringRef name) {
  std::string text = Identifiers().add(name);
  // Types of the C library, and what the runtime's header declares.
  bool isTaken = name.ends_with("_t") || name.starts_with_insensitive("axl_") ||
                 llvm::is_contained(llvm::split(global, ' '), name);
  return isTaken ? text + "_" : text;
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
