#include "runtime/checkpoint/Halves.h"
#include "runtime/checkpoint/Safetensors.h"
#include "runtime/checkpoint/SafetensorsHeader.h"
#include "runtime/core/Describe.h"
#include "runtime/core/Packed.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

using namespace axloom::runtime;
using namespace axloom::runtime::safetensors;

namespace {

constexpr int64_t longestHeader = 100'000'000; // what the format allows

// The element type of a dtype, -1 for one that we do not have.
int32_t typeOf(const std::string &dtype) {
  auto found = std::find(dtypes.begin(), dtypes.end(), dtype);
  return found == dtypes.end() ? -1 : int32_t(found - dtypes.begin());
}

// Bytes of an element; 0 for those that cannot be read.
int64_t elementSizeOf(const SafetensorsFile::Entry &entry) {
  return areHalves(entry.dtype) ? int64_t(sizeof(uint16_t)) : elementSize(entry.type);
}

// Whether this is a list of whole numbers from 0 to 2^63 - 1: JSON's other numbers would be taken
// for some of them.
bool areSizes(const nlohmann::json &list) {
  return list.is_array() && std::ranges::all_of(list, [](const nlohmann::json &number) {
           return number.is_number_unsigned() && number.get<uint64_t>() <= INT64_MAX;
         });
}

// Parses JSON. `twice` becomes a name that its outermost object has twice, where there is one.
nlohmann::json parse(const std::string &text, std::optional<std::string> &twice) {
  std::set<std::string> names;
  auto look = [&](int depth, nlohmann::json::parse_event_t event, const nlohmann::json &name) {
    bool isName = event == nlohmann::json::parse_event_t::key && depth == 1;
    if (isName && !names.insert(name.get<std::string>()).second)
      twice = name.get<std::string>();
    return true; // keeps it
  };
  return nlohmann::json::parse(text, look);
}

bool areStrings(const nlohmann::json &object) {
  return object.is_object() &&
         std::ranges::all_of(object, [](const nlohmann::json &value) { return value.is_string(); });
}

} // namespace

SafetensorsFile::SafetensorsFile(const std::string &path, Checksums checksums)
    : path(path), checksums(checksums) {
  file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || ::fstat(file, &status) != 0) {
    int reason = errno;
    if (file >= 0)
      ::close(file);
    throw Error(AXL_ERROR_FILE, concat("cannot read '", path, "': ", std::strerror(reason)));
  }
  fileSize = status.st_size;
  try {
    readHeader();
    checkLayout();
  } catch (...) {
    ::close(file);
    throw;
  }
}

SafetensorsFile::~SafetensorsFile() { ::close(file); }

void SafetensorsFile::damaged(const std::string &what) const {
  throw Error(AXL_ERROR_FORMAT, concat("'", path, "' ", what));
}

void SafetensorsFile::readBytes(void *destination, int64_t offset, int64_t count) const {
  auto *next = static_cast<char *>(destination);
  while (count > 0) {
    int64_t got = ::pread(file, next, size_t(count), offset);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      throw Error(AXL_ERROR_FILE, concat("cannot read '", path, "': ", std::strerror(errno)));
    if (got == 0)
      damaged(concat("is truncated: it ends at byte ", offset, ", in the middle of its data"));
    next += got;
    offset += got;
    count -= got;
  }
}

void SafetensorsFile::readHeader() {
  int64_t length = 0;
  if (fileSize < int64_t(sizeof(length)))
    damaged(concat("is truncated or no safetensors file: it has ", fileSize, " bytes"));
  readBytes(&length, 0, sizeof(length));
  if (length < 2 || length > longestHeader)
    damaged(concat("is damaged or no safetensors file: its header would have ", uint64_t(length),
                   " bytes"));
  if (length > fileSize - int64_t(sizeof(length)))
    damaged(concat("is truncated or damaged: it has ", fileSize,
                   " bytes, its header alone would "
                   "have ",
                   length));
  dataStart = int64_t(sizeof(length)) + length;
  std::string header(size_t(length), '\0');
  readBytes(header.data(), sizeof(length), length);

  std::string plain = header;
  size_t place = findChecksum(plain);
  if (place != std::string::npos) {
    std::string found = plain.substr(place, noChecksum.size());
    plain.replace(place, noChecksum.size(), noChecksum);
    std::string expected = hex(headerChecksum(plain));
    if (found != expected)
      damaged(
          concat("has a damaged header: its checksum should be ", expected, ", but is ", found));
  } else if (checksums == Checksums::Required) {
    damaged("has a damaged header or was not written by Axloom: it has no checksum");
  }
  parseHeader(header);
}

void SafetensorsFile::parseHeader(const std::string &text) try {
  std::optional<std::string> twice;
  auto header = parse(text, twice);
  if (twice)
    damaged(concat("has a header that contradicts itself: it has '", *twice, "' twice"));
  if (!header.is_object())
    damaged("has a header that cannot be understood: no JSON object");
  for (const auto &[name, value] : header.items()) {
    if (name != metadataKey) {
      std::string dtype = value.at("dtype");
      const nlohmann::json &shape = value.at("shape"), &offsets = value.at("data_offsets");
      if (!areSizes(shape) || !areSizes(offsets) || offsets.size() != 2)
        damaged(concat("has tensor '", name,
                       "' whose shape or data_offsets are not whole numbers from 0, two offsets"));
      Entry entry{name,
                  typeOf(dtype),
                  dtype,
                  shape,
                  offsets.at(0).get<int64_t>(),
                  offsets.at(1).get<int64_t>()};
      bool isForeign = entry.type < 0 && checksums == Checksums::Required;
      if (isForeign || entry.extents.size() > AXL_MAX_RANK)
        damaged(concat("has tensor '", name, "' of dtype ", value.at("dtype").dump(), " and shape ",
                       shape.dump(),
                       "; supported are F32, BF16, F64, I32 and BOOL "
                       "with at most ",
                       AXL_MAX_RANK, " axes"));
      tensors.push_back(entry);
      continue;
    }
    if (!areStrings(value))
      damaged(concat("has a header whose ", metadataKey, " is no object of strings"));
    for (const auto &[key, entry] : value.items())
      if (key.starts_with(tensorChecksumPrefix))
        sums[key.substr(tensorChecksumPrefix.size())] = entry.get<std::string>();
      else if (key != checksumKey)
        strings[key] = entry.get<std::string>();
  }
} catch (const nlohmann::json::exception &error) {
  damaged(concat("has a header that cannot be understood: ", error.what()));
}

// Tensors must lie one after the other, fill the file, and be as long as their shapes say.
void SafetensorsFile::checkLayout() {
  std::sort(tensors.begin(), tensors.end(), [](const Entry &a, const Entry &b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
  int64_t end = 0;
  for (const Entry &entry : tensors) {
    int64_t size = elementSizeOf(entry);
    int64_t bytes = size == 0 ? entry.end - entry.begin : packedSize(entry.extents, size);
    if (entry.begin != end || bytes < 0 || entry.end - entry.begin != bytes)
      damaged(concat("has a header that contradicts itself: tensor '", entry.name,
                     "' should begin at byte ", end, " of the data and have ", bytes,
                     " bytes, but lies from ", entry.begin, " to ", entry.end));
    end = entry.end;
  }
  if (fileSize - dataStart != end)
    damaged(concat(fileSize - dataStart < end ? "is truncated" : "has bytes after its last tensor",
                   ": it has ", fileSize, " bytes, its header announces ",
                   uint64_t(dataStart) + uint64_t(end)));
}

const SafetensorsFile::Entry *SafetensorsFile::find(std::string_view name) const {
  auto found = std::find_if(tensors.begin(), tensors.end(),
                            [&](const Entry &entry) { return entry.name == name; });
  return found == tensors.end() ? nullptr : &*found;
}

bool SafetensorsFile::isReadAs(const Entry &entry, int32_t type) {
  return (type >= 0 && entry.type == type) || (type == AXL_F32 && areHalves(entry.dtype));
}

Tensor SafetensorsFile::read(const Entry &entry, int32_t type) const {
  if (!isReadAs(entry, type))
    damaged(concat("has tensor '", entry.name, "' of dtype ", entry.dtype, ", which cannot be read",
                   type < 0 ? "" : concat(" as ", elementName(type))));
  Tensor tensor(type, entry.extents);
  // Numbers that become wider come to the end of the memory that they will fill.
  const int64_t bytes = entry.end - entry.begin;
  auto *stored = static_cast<std::byte *>(tensor.data()) + (tensor.bytes() - bytes);
  readBytes(stored, dataStart + entry.begin, bytes);
  if (auto sum = sums.find(entry.name); sum == sums.end()) {
    if (checksums == Checksums::Required)
      damaged(concat("has no checksum for tensor '", entry.name, "'"));
  } else if (std::string found = hex(crc32c(stored, size_t(bytes))); found != sum->second) {
    damaged(concat("is damaged: tensor '", entry.name, "', ", describe(AnyView(tensor)),
                   ", has checksum ", found, " instead of ", sum->second));
  }
  if (entry.type != type)
    widenHalves(entry.dtype, stored, tensor.view<float>());
  return tensor;
}
