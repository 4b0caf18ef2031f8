#include "runtime/core/Prepared.h"

#include "runtime/core/Types.h"

#include <span>

using namespace axloom::runtime;

Prepared::Prepared(const axl_model &model, const axl_device *device) : model(model) {
  for (int32_t index = 0; index < model.prepared_count; ++index)
    entries.push_back({DeviceMemory(device)});
}

void Prepared::forget() {
  std::lock_guard lock(mutex);
  ++generation;
}

int Prepared::find(axl_context *context, int32_t index, axl_tensor *tensor) {
  std::lock_guard lock(mutex);
  Entry &entry = entries[size_t(index)];
  if (entry.generation != generation) {
    if (int code = make(context, model.prepared[index], entry))
      return code;
    entry.generation = generation;
  }
  *tensor = entry.tensor;
  return AXL_OK;
}

// A packed tensor of `shape` in this memory.
static axl_tensor packed(const axl_shape &shape, axl_memory memory, int64_t offset) {
  axl_tensor tensor{memory, offset, shape.type, shape.rank, {}, {}};
  int64_t stride = 1;
  for (int32_t axis = shape.rank - 1; axis >= 0; --axis) {
    tensor.extent[axis] = shape.extent[axis];
    tensor.stride[axis] = stride;
    stride *= shape.extent[axis];
  }
  return tensor;
}

static int64_t bytesOf(const axl_shape &shape) {
  int64_t bytes = elementSize(shape.type);
  for (int32_t axis = 0; axis < shape.rank; ++axis)
    bytes *= shape.extent[axis];
  return bytes;
}

int Prepared::make(axl_context *context, const axl_prepared_info &info, Entry &entry) {
  if (int code = entry.memory.reserve(bytesOf(info.to)))
    return code;
  const axl_tensor &variable = *axl_variable(context, info.variable);
  entry.tensor = packed(info.to, entry.memory.get(), 0);
  axl_tensor tensors[] = {packed(info.from, variable.memory, variable.offset), entry.tensor};
  return axl_launch(context, info.kernel, tensors, 2, nullptr, 0);
}
