#include "runtime/core/Prepared.h"

#include "runtime/core/ModelState.h"
#include "runtime/core/Packed.h"

#include <algorithm>

using namespace axloom::runtime;

Prepared::Prepared(const axl_model &model, const axl_device *device)
    : model(model), device(device), entries(size_t(model.prepared_count)) {}

void Prepared::forget() {
  std::lock_guard lock(mutex);
  ++generation;
}

void Prepared::forget(std::span<const int32_t> indices) {
  std::lock_guard lock(mutex);
  for (int32_t index : indices)
    entries[size_t(index)] = {};
}

int Prepared::find(axl_context *context, int32_t index, axl_tensor *tensor) {
  std::lock_guard lock(mutex);
  Entry &entry = entries[size_t(index)];
  if (entry.generation != generation) {
    context->buffers->prepared.push_back(index);
    if (int code = make(context, model.prepared[index], entry))
      return code;
    entry.generation = generation;
  }
  context->buffers->preparedInUse.push_back(entry.memory);
  *tensor = entry.tensor;
  return AXL_OK;
}

static axl_tensor packed(const axl_shape &shape, axl_memory memory, int64_t offset) {
  axl_tensor tensor{memory, offset, shape.type, shape.rank, {}, {}};
  std::copy_n(shape.extent, shape.rank, tensor.extent);
  setPackedStrides(tensor);
  return tensor;
}

int Prepared::make(axl_context *context, const axl_prepared_info &info, Entry &entry) {
  entry.tensor = packed(info.to, nullptr, 0);
  if (!entry.memory)
    entry.memory = std::make_shared<DeviceMemory>(device);
  if (int code = entry.memory->reserve(packedBytes(entry.tensor)))
    return code;
  entry.tensor.memory = entry.memory->get();
  const axl_tensor &variable = *axl_variable(context, info.variable);
  axl_tensor tensors[] = {packed(info.from, variable.memory, variable.offset), entry.tensor};
  return axl_launch(context, info.kernel, tensors, 2, nullptr, 0);
}
