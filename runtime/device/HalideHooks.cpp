#include "runtime/device/HalideHooks.h"

#include "runtime/device/ScratchPool.h"

#include <HalideRuntime.h>
#include <mutex>
#include <utility>

using namespace axloom::runtime;

namespace {

// Pipelines report from the thread that called them, except from inside their own parallel loops:
// there the message goes where any thread can pick it up.
std::mutex strayMutex;
std::string strayMessage;
thread_local std::string ownMessage;

void keepMessage(void *, const char *message) {
  ownMessage = message;
  while (!ownMessage.empty() && ownMessage.back() == '\n')
    ownMessage.pop_back();
  std::lock_guard lock(strayMutex);
  strayMessage = ownMessage;
}

thread_local int tasks = 0; // that this thread is in

int runTask(void *context, halide_task_t task, int index, uint8_t *closure) {
  ++tasks;
  int code = task(context, index, closure);
  --tasks;
  return code;
}

int runLoopTask(void *context, halide_loop_task_t task, int from, int count, uint8_t *closure,
                void *parent) {
  ++tasks;
  int code = task(context, from, count, closure, parent);
  --tasks;
  return code;
}

void *provide(void *, size_t bytes) { return axloom::runtime::allocateScratch(bytes); }
void takeBack(void *, void *memory) { axloom::runtime::releaseScratch(memory); }

} // namespace

void axloom::runtime::installHalideHooks() {
  halide_set_error_handler(keepMessage);
  halide_set_custom_malloc(provide);
  halide_set_custom_free(takeBack);
  halide_set_custom_do_task(runTask);
  halide_set_custom_do_loop_task(runLoopTask);
}

bool axloom::runtime::insideParallelLoop() { return tasks > 0; }

std::string axloom::runtime::takePipelineMessage() {
  std::lock_guard lock(strayMutex);
  std::string message = std::exchange(ownMessage, {});
  if (message.empty() || message == strayMessage)
    return std::exchange(strayMessage, {});
  return message; // the other one is of another thread
}
