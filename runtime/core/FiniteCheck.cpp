#include "runtime/core/FiniteCheck.h"

#include "runtime/core/Describe.h"
#include "runtime/core/Tensor.h"

#include <cstring>
#include <new>

using namespace axloom::runtime;

namespace {

// Whether all of `count` elements, one after the other, are finite: their exponents are not all
// ones.
template <class Word, Word exponent> bool rowIsFinite(const std::byte *bytes, int64_t count) {
  bool finite = true;
  for (int64_t i = 0; i < count; ++i) {
    Word word;
    std::memcpy(&word, bytes + i * int64_t(sizeof(Word)), sizeof(Word));
    finite &= (word & exponent) != exponent;
  }
  return finite;
}

using RowIsFinite = bool (*)(const std::byte *, int64_t);
constexpr RowIsFinite rowChecks[] = {rowIsFinite<uint32_t, 0x7f800000u>,
                                     rowIsFinite<uint16_t, 0x7f80>,
                                     rowIsFinite<uint64_t, 0x7ff0000000000000u>};
static_assert(AXL_F32 == 0 && AXL_BF16 == 1 && AXL_F64 == 2);

// Bytes from the tensor's first element to the end of its last.
int64_t spannedBytes(const axl_tensor &tensor) {
  int64_t last = 0;
  for (int32_t axis = 0; axis < tensor.rank; ++axis)
    last += (tensor.extent[axis] - 1) * tensor.stride[axis];
  return (last + 1) * elementSize(tensor.type);
}

// Goes through all elements, a row at a time; describes the first that is not finite, or returns
// "".
std::string search(const axl_tensor &tensor, const std::byte *bytes) {
  RowIsFinite isFinite = rowChecks[tensor.type];
  int64_t size = elementSize(tensor.type);
  int32_t inner = tensor.rank - 1;
  bool packedRows = tensor.rank > 0 && tensor.stride[inner] == 1;
  int64_t rowLength = packedRows ? tensor.extent[inner] : 1;
  std::array<int64_t, AXL_MAX_RANK> at{};
  int32_t axis;
  do {
    const std::byte *row = bytes;
    for (int32_t i = 0; i < tensor.rank; ++i)
      row += at[i] * tensor.stride[i] * size;
    if (!isFinite(row, rowLength)) {
      while (packedRows && isFinite(row + at[inner] * size, 1))
        ++at[inner];
      std::string place = "not finite at [";
      for (int32_t i = 0; i < tensor.rank; ++i)
        place += concat(i ? ", " : "", at[i]);
      return place + "]";
    }
    for (axis = packedRows ? inner - 1 : inner; axis >= 0; --axis) {
      if (++at[axis] < tensor.extent[axis])
        break;
      at[axis] = 0;
    }
  } while (axis >= 0);
  return "";
}

// "" if all elements are finite (or no floating-point numbers).
std::string findNotFinite(const axl_device *device, const axl_tensor &tensor) {
  if (tensor.type == AXL_I32 || tensor.type == AXL_I1)
    return "";
  for (int32_t axis = 0; axis < tensor.rank; ++axis)
    if (tensor.extent[axis] == 0)
      return "";
  check(device->wait(device));
  if (device->host_memory)
    return search(tensor, reinterpret_cast<std::byte *>(tensor.memory) + tensor.offset);
  std::vector<std::byte> bytes(size_t(spannedBytes(tensor)));
  check(
      device->copy_out(device, bytes.data(), tensor.memory, tensor.offset, int64_t(bytes.size())));
  return search(tensor, bytes.data());
}

void checkVariables(const ModelState &model, const Variables &variables) {
  for (size_t i = 0; i < variables.tensors.size(); ++i) {
    if (!variables.tensors[i].memory)
      continue;
    std::string found = findNotFinite(model.device, variables.tensors[i]);
    const axl_value &value = model.model.variables[i].value;
    if (!found.empty())
      throw Error(AXL_ERROR_NOT_FINITE, concat("variable '", value.name, "' is ", found,
                                               place(model.model, value.location)));
  }
}

} // namespace

void axloom::runtime::checkFiniteInputs(const ModelState &model, const SessionState *session,
                                        const axl_function &function,
                                        std::span<const axl_tensor> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string found = findNotFinite(model.device, arguments[i]);
    const axl_value &value = function.arguments[i];
    if (!found.empty())
      throw Error(AXL_ERROR_NOT_FINITE, concat("argument '", value.name, "' of ", function.name,
                                               " is ", found, place(model.model, value.location)));
  }
  checkVariables(model, model.variables);
  if (session)
    checkVariables(model, session->variables);
}

void axloom::runtime::checkFiniteVariables(ModelState &model) {
  drawMissingValues(model);
  checkVariables(model, model.variables);
}

int axloom::runtime::checkFiniteResults(const ModelState &model, const axl_kernel &kernel,
                                        const axl_tensor *tensors) try {
  for (int32_t i = 0; i < kernel.operand_count; ++i) {
    const axl_operand &operand = kernel.operands[i];
    if (!(operand.access & AXL_WRITE))
      continue;
    std::string found = findNotFinite(model.device, tensors[i]);
    if (!found.empty())
      return axl_report(AXL_ERROR_NOT_FINITE,
                        concat("tensor '", operand.name, "', written by kernel '", kernel.name,
                               "', is ", found, place(model.model, operand.location))
                            .c_str());
  }
  return AXL_OK;
} catch (const Error &error) {
  return axl_report(error.code(), error.what());
} catch (const std::bad_alloc &) {
  return axl_report(AXL_ERROR_MEMORY, "there is no memory to search a kernel's results in");
}
