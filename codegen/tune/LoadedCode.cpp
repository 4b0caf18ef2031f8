#include "codegen/tune/LoadedCode.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"

using namespace axloom::codegen;

LoadedCode::LoadedCode(std::unique_ptr<llvm::orc::LLJIT> linker) : linker(std::move(linker)) {}
LoadedCode::LoadedCode(LoadedCode &&) noexcept = default;
LoadedCode::~LoadedCode() = default;

llvm::Expected<LoadedCode> LoadedCode::load(llvm::ArrayRef<std::string> objects) {
  llvm::InitializeNativeTarget();
  auto linker =
      llvm::orc::LLJITBuilder().setPlatformSetUp(llvm::orc::setUpInactivePlatform).create();
  if (!linker)
    return linker.takeError();
  for (const std::string &object : objects) {
    auto bytes = llvm::MemoryBuffer::getFile(object);
    if (!bytes)
      return llvm::createStringError(bytes.getError(), "cannot read '" + object + "'");
    if (llvm::Error error = (*linker)->addObjectFile(std::move(*bytes)))
      return error;
  }
  return LoadedCode(std::move(*linker));
}

llvm::Expected<axl_pipeline> LoadedCode::find(const std::string &symbol) const {
  auto address = linker->lookup(symbol);
  if (!address)
    return address.takeError();
  return address->toPtr<axl_pipeline>();
}
