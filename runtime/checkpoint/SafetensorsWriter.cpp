#include "runtime/checkpoint/AtomicFile.h"
#include "runtime/checkpoint/Safetensors.h"
#include "runtime/checkpoint/SafetensorsHeader.h"

#include <nlohmann/json.hpp>

using namespace axloom::runtime;
using namespace axloom::runtime::safetensors;

namespace {

std::string makeHeader(std::span<const Named> tensors, const Metadata &metadata) {
  nlohmann::ordered_json header;
  auto &strings = header[std::string(metadataKey)];
  strings[std::string(checksumKey)] = noChecksum;
  for (const auto &[name, value] : metadata)
    strings[name] = value;
  for (const Named &tensor : tensors)
    strings[concat(tensorChecksumPrefix, tensor.name)] =
        hex(crc32c(tensor.view.data(), size_t(tensor.view.bytes())));
  int64_t end = 0;
  for (const Named &tensor : tensors) {
    if (tensor.name == metadataKey)
      throw Error(AXL_ERROR_ARGUMENT, concat("a tensor of a file cannot be called '", metadataKey,
                                             "', where the file says what it holds; rename it"));
    auto &entry = header[std::string(tensor.name)];
    entry["dtype"] = dtypes[size_t(tensor.view.type())];
    entry["shape"] = nlohmann::ordered_json::array();
    for (int64_t extent : tensor.view.extents())
      entry["shape"].push_back(extent);
    entry["data_offsets"] = {end, end + tensor.view.bytes()};
    end += tensor.view.bytes();
  }
  std::string text = header.dump();
  // Spaces at the end let the data begin at a multiple of 64 bytes.
  text.append((64 - (text.size() + 8) % 64) % 64, ' ');
  text.replace(findChecksum(text), noChecksum.size(), hex(headerChecksum(text)));
  return text;
}

} // namespace

void axloom::runtime::writeSafetensors(const std::string &path, std::span<const Named> tensors,
                                       const Metadata &metadata, FileLayer &files) {
  std::string header = makeHeader(tensors, metadata);
  uint64_t length = header.size();
  AtomicFile file(path, files);
  file.write(&length, sizeof(length));
  file.write(header.data(), header.size());
  for (const Named &tensor : tensors)
    file.write(tensor.view.data(), size_t(tensor.view.bytes()));
  file.commit();
}
