#include "codegen/bundle/Bundle.h"

#include "codegen/WriteFile.h"

#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace axloom::codegen;

std::string
axloom::codegen::makeArchive(llvm::ArrayRef<std::pair<std::string, std::string>> members) {
  std::vector<llvm::NewArchiveMember> objects;
  for (const auto &[name, bytes] : members)
    objects.emplace_back(llvm::MemoryBufferRef(bytes, name));
  auto archive = llvm::writeArchiveToBuffer(objects, llvm::SymtabWritingMode::NormalSymtab,
                                            llvm::object::Archive::K_GNU, /*Deterministic=*/true,
                                            /*Thin=*/false);
  if (!archive)
    llvm::report_fatal_error(archive.takeError());
  return (*archive)->getBuffer().str();
}

std::string axloom::codegen::write(const Bundle &bundle, llvm::StringRef folder) {
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return ("cannot make the folder '" + folder + "': " + code.message()).str();
  const std::pair<std::string, const std::string *> files[] = {
      {"lib" + bundle.name + ".a", &bundle.archive},
      {bundle.name + ".h", &bundle.header},
      {bundle.name + ".json", &bundle.parameters},
      {bundle.name + ".txt", &bundle.report}};
  for (const auto &[name, contents] : files)
    if (std::error_code code = writeFile((folder + "/" + name).str(), *contents))
      return ("cannot write '" + name + "' into '" + folder + "': " + code.message()).str();
  return "";
}
