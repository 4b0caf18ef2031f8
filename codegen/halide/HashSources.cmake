# Writes a header with a hash of the sources that decide which code a kernel becomes: objects in the cache that older
# sources made are then never used. Called with -DOUTPUT=file -DSOURCES="a;b;c".
set(text "")
foreach(source IN LISTS SOURCES)
  file(SHA256 ${source} hash)
  string(APPEND text "${hash}")
endforeach()
string(SHA256 hash "${text}")
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT
"// A hash of the sources of the kernel generator.
#pragma once
namespace axloom::codegen {
inline constexpr const char *sourceHash = \"${hash}\";
} // namespace axloom::codegen
")
