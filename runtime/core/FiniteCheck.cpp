#include "runtime/core/FiniteCheck.h"

#include "runtime/core/Describe.h"
#include "runtime/core/Tensor.h"

#include <cmath>

using namespace axloom::runtime;

namespace {

template <class T> bool isFinite(const void *element) {
  return std::isfinite(double(*static_cast<const T *>(element)));
}

template <> bool isFinite<BFloat16>(const void *element) {
  return std::isfinite(float(*static_cast<const BFloat16 *>(element)));
}

// Bytes from the tensor's first element to the end of its last.
int64_t spannedBytes(const axl_tensor &tensor) {
  int64_t last = 0;
  for (int32_t axis = 0; axis < tensor.rank; ++axis)
    last += (tensor.extent[axis] - 1) * tensor.stride[axis];
  return (last + 1) * elementSize(tensor.type);
}

// Goes through all elements; describes the first that is not finite, or returns "".
std::string search(const axl_tensor &tensor, const std::byte *bytes) {
  auto finite = tensor.type == AXL_F32    ? isFinite<float>
                : tensor.type == AXL_BF16 ? isFinite<BFloat16>
                                          : isFinite<double>;
  std::array<int64_t, AXL_MAX_RANK> at{};
  int32_t axis;
  do {
    int64_t offset = 0;
    for (int32_t i = 0; i < tensor.rank; ++i)
      offset += at[i] * tensor.stride[i];
    if (!finite(bytes + offset * elementSize(tensor.type))) {
      std::string place = "not finite at [";
      for (int32_t i = 0; i < tensor.rank; ++i)
        place += concat(i ? ", " : "", at[i]);
      return place + "]";
    }
    for (axis = tensor.rank - 1; axis >= 0; --axis) {
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
      throw Error(AXL_ERROR_NOT_FINITE,
                  concat("variable '", value.name, "' is ", found, " before the call",
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
}
