// What generated host code calls (section 3 of the C interface). Nothing here throws.
#include "runtime/core/Describe.h"
#include "runtime/core/FiniteCheck.h"
#include "runtime/core/ModelState.h"

#include <chrono>
#include <iterator>

using namespace axloom::runtime;

namespace {

int failAt(const axl_context *context, int code, int32_t location, std::string_view message) {
  return axl_report(code, concat(message, place(context->model->model, location)).c_str());
}

int launch(axl_context *context, int32_t index, const axl_tensor *tensors, const int32_t *sizes) {
  const ModelState &model = *context->model;
  const axl_device *device = model.device;
  const axl_kernel &kernel = model.model.kernels[index];
  if (!model.profile)
    return device->launch(device, &kernel, tensors, sizes);
  auto start = std::chrono::steady_clock::now();
  int code = device->launch(device, &kernel, tensors, sizes);
  if (code == AXL_OK)
    code = device->wait(device);
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  model.profile->add(index, time.count(), workOf(kernel, context->buffers->sizes, tensors));
  return code;
}

constexpr const char *sentences[] = {"no error",
                                     "an argument does not fit",
                                     "a size does not fit",
                                     "the machine lacks an instruction set",
                                     "the model does not fit the runtime",
                                     "the device has no memory left",
                                     "a kernel failed",
                                     "a file could not be read or written",
                                     "a file is damaged",
                                     "a checkpoint belongs to another model",
                                     "a value is not finite",
                                     "the data cannot be used",
                                     "the generated code contradicts itself; please report this"};

} // namespace

int64_t axl_size(axl_context *context, int32_t symbol) { return context->buffers->sizes[symbol]; }

axl_memory axl_arena(axl_context *context, int64_t bytes) {
  DeviceMemory &arena = context->buffers->arena;
  // An arena of no bytes still has an address: null means failure.
  if (arena.reserve(bytes > 0 ? bytes : 1) == AXL_OK)
    return arena.get();
  axl_report(AXL_ERROR_MEMORY, concat("the arena needs ", bytes, " bytes: ", axl_last_error(),
                                      "; use smaller batches")
                                   .c_str());
  return nullptr;
}

const axl_tensor *axl_variable(axl_context *context, int32_t index) {
  bool ofSession = context->model->model.variables[index].kind == AXL_SESSION;
  return ofSession ? &context->session->variables.tensors[index]
                   : &context->model->variables.tensors[index];
}

int axl_prepared(axl_context *context, int32_t index, axl_tensor *tensor) {
  return context->model->prepared.find(context, index, tensor);
}

const axl_tensor *axl_offsets(axl_context *context, int32_t symbol) {
  return &context->buffers->offsetTensors[symbol];
}

int axl_launch(axl_context *context, int32_t index, const axl_tensor *tensors, int32_t count,
               const int32_t *sizes, int32_t sizeCount) {
  const ModelState &model = *context->model;
  const axl_kernel &kernel = model.model.kernels[index];
  if (count != kernel.operand_count || sizeCount != kernel.size_count)
    return failAt(context, AXL_ERROR_INTERNAL, kernel.location,
                  concat("kernel '", kernel.name, "' takes ", kernel.operand_count, " tensors and ",
                         kernel.size_count, " sizes, but was launched with ", count, " and ",
                         sizeCount));
  if (int code = launch(context, index, tensors, sizes))
    return failAt(context, code, kernel.location,
                  concat("kernel '", kernel.name, "': ", axl_last_error()));
  return model.checkFinite ? checkFiniteResults(model, kernel, tensors) : AXL_OK;
}

int axl_copy(axl_context *context, const axl_tensor *destination, const axl_tensor *source) {
  return context->model->device->copy(context->model->device, destination, source);
}

int axl_fail(axl_context *context, int code, int32_t location, const char *message) {
  if (!message)
    message = code >= 0 && code < int(std::size(sentences)) ? sentences[code] : "unknown error";
  return failAt(context, code, location, message);
}
