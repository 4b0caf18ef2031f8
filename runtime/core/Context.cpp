// What generated host code calls (section 1 of the C interface). Nothing here throws.
#include "runtime/core/Describe.h"
#include "runtime/core/FiniteCheck.h"
#include "runtime/core/ModelState.h"

#include <algorithm>
#include <chrono>
#include <new>

using namespace axloom::runtime;

namespace {

int failAt(const axl_context *context, int code, int32_t location, std::string_view message) {
  return axl_report(code, concat(message, place(context->model->model, location)).c_str());
}

int checkCounts(const axl_context *context, const axl_kernel &kernel, int32_t count,
                int32_t sizeCount) {
  if (count == kernel.operand_count && sizeCount == kernel.size_count)
    return AXL_OK;
  return failAt(context, AXL_ERROR_INTERNAL, kernel.location,
                concat("kernel '", kernel.name, "' takes ", kernel.operand_count, " tensors and ",
                       kernel.size_count, " sizes, but was launched with ", count, " and ",
                       sizeCount));
}

// The tensors of one of several kernels with the same code.
const axl_tensor *tensorsOf(const axl_kernel &kernel, size_t number, const axl_tensor *tensors) {
  return tensors + number * size_t(kernel.operand_count);
}

int runTimed(const axl_context *context, std::span<const int32_t> indices,
             const axl_tensor *tensors, const int32_t *sizes) {
  const ModelState &model = *context->model;
  const axl_device *device = model.device;
  const axl_kernel *kernels = model.model.kernels;
  auto run = [&] {
    return device->launch(device, &kernels[indices[0]], int32_t(indices.size()), tensors, sizes);
  };
  if (!model.profile)
    return run();
  auto start = std::chrono::steady_clock::now();
  int code = run();
  if (code == AXL_OK)
    code = device->wait(device);
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  Work work;
  for (size_t i = 0; i < indices.size(); ++i)
    work += workOf(kernels[indices[i]], context->buffers->sizes,
                   tensorsOf(kernels[indices[0]], i, tensors));
  model.profile->add(indices[0], time.count(), work, int64_t(indices.size()));
  return code;
}

// Launches kernels with the same code as one; their tensors and sizes follow one another.
int launch(const axl_context *context, std::span<const int32_t> indices, const axl_tensor *tensors,
           const int32_t *sizes) {
  const ModelState &model = *context->model;
  const axl_kernel &first = model.model.kernels[indices[0]];
  if (int code = runTimed(context, indices, tensors, sizes))
    return failAt(context, code, first.location,
                  concat("kernel '", first.name, "': ", axl_last_error()));
  for (size_t i = 0; model.checkFinite && i < indices.size(); ++i)
    if (int code = checkFiniteResults(model, model.model.kernels[indices[i]],
                                      tensorsOf(first, i, tensors)))
      return code;
  return AXL_OK;
}

// Puts a kernel behind those that wait for the next launch.
int defer(axl_context *context, int32_t index, const axl_tensor *tensors,
          const int32_t *sizes) try {
  Deferred &deferred = context->buffers->deferred;
  const axl_kernel *kernels = context->model->model.kernels;
  const axl_kernel &kernel = kernels[index];
  if (!deferred.kernels.empty() && kernels[deferred.kernels[0]].blocks->code != kernel.blocks->code)
    return failAt(context, AXL_ERROR_INTERNAL, kernel.location,
                  concat("kernel '", kernel.name, "' has other code than '",
                         kernels[deferred.kernels[0]].name, "', which it was launched with"));
  deferred.kernels.push_back(index);
  deferred.tensors.insert(deferred.tensors.end(), tensors, tensors + kernel.operand_count);
  deferred.sizes.insert(deferred.sizes.end(), sizes, sizes + kernel.size_count);
  return AXL_OK;
} catch (const std::bad_alloc &) {
  return axl_report(AXL_ERROR_MEMORY, "no memory left");
}

} // namespace

int64_t axl_size(axl_context *context, int32_t symbol) { return context->buffers->sizes[symbol]; }

axl_memory axl_arena(axl_context *context, int64_t bytes) {
  DeviceMemory &arena = context->buffers->arena;
  if (bytes < 0) { // sizes whose product does not fit
    axl_report(AXL_ERROR_MEMORY, "the arena needs more bytes than there are; use smaller batches");
    return nullptr;
  }
  // An arena of no bytes still has an address: null means failure.
  if (arena.reserve(std::max<int64_t>(bytes, 1)) == AXL_OK)
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

int axl_prepared(axl_context *context, int32_t index, axl_tensor *tensor) try {
  return context->model->prepared.find(context, index, tensor);
} catch (const std::bad_alloc &) {
  return axl_report(AXL_ERROR_MEMORY, "no memory left");
}

const axl_tensor *axl_offsets(axl_context *context, int32_t symbol) {
  return &context->buffers->offsetTensors[symbol];
}

int axl_launch(axl_context *context, int32_t index, const axl_tensor *tensors, int32_t count,
               const int32_t *sizes, int32_t sizeCount) {
  if (int code = checkCounts(context, context->model->model.kernels[index], count, sizeCount))
    return code;
  Deferred &deferred = context->buffers->deferred;
  if (deferred.kernels.empty())
    return launch(context, std::span(&index, 1), tensors, sizes);
  int code = defer(context, index, tensors, sizes);
  if (code == AXL_OK)
    code = launch(context, deferred.kernels, deferred.tensors.data(), deferred.sizes.data());
  deferred.clear();
  return code;
}

int axl_defer(axl_context *context, int32_t index, const axl_tensor *tensors, int32_t count,
              const int32_t *sizes, int32_t sizeCount) {
  if (int code = checkCounts(context, context->model->model.kernels[index], count, sizeCount))
    return code;
  return defer(context, index, tensors, sizes);
}

int axl_copy(axl_context *context, const axl_tensor *destination, const axl_tensor *source) {
  return context->model->device->copy(context->model->device, destination, source);
}
