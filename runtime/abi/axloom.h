/* The C interface between generated programs and the Axloom runtime.
 *
 * A bundle exports one static `axl_model`: tables (tables.h) that describe its variables, functions
 * and kernels, and pointers to their code. Generated host code is a set of `axl_entry` functions;
 * they compute shapes and byte offsets and call the functions of section 1. Section 2 is what
 * programs written in C use; programs in C++ use runtime/Runtime.h.
 *
 * Rules that hold for everything here:
 *  - No exception crosses this interface. A function that can fail returns an `axl_code` (AXL_OK
 *    is 0) and leaves a message for `axl_last_error()`, one for each thread.
 *  - Extents and strides count elements, offsets count bytes. Axes go from the outermost (slowest)
 *    inwards.
 *  - Tables are static and immutable; the runtime points into them for as long as a model is open.
 *  - An index of -1 in a table means "none".
 *
 * Tested by tests/runtime/AbiTest.cpp, AbiIsC.c and LoopNestTest.cpp. */
#ifndef AXLOOM_RUNTIME_ABI_AXLOOM_H
#define AXLOOM_RUNTIME_ABI_AXLOOM_H

#include "runtime/abi/tables.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1. What generated host code calls ------------------------------------------------------- */

/* The value of a size symbol in this call, taken from its arguments or its session. */
int64_t axl_size(struct axl_context *context, int32_t symbol);

/* The arena of this call with room for `bytes`, aligned to AXL_ALIGNMENT, contents undefined. To be
 * called at most once, first thing in an entry: asking for more moves it. NULL, with the message
 * already set, when the device has no memory left: return AXL_ERROR_MEMORY then. */
axl_memory axl_arena(struct axl_context *context, int64_t bytes);

/* A variable, packed in its declared order. Stays valid for the whole call. */
const axl_tensor *axl_variable(struct axl_context *context, int32_t index);

/* Describes entry `index` of axl_model.prepared in *tensor, after having it made if the variables
 * changed since. */
int axl_prepared(struct axl_context *context, int32_t index, axl_tensor *tensor);

/* Where entries start in tensors whose outermost extent is `symbol`, a total: i32 [entries + 1],
 * from 0 to the total. Stays valid for the whole call. */
const axl_tensor *axl_offsets(struct axl_context *context, int32_t symbol);

/* Runs a kernel on `count` tensors (those of axl_kernel.operands, in order) and `size_count` size
 * scalars (32-bit patterns; a random site travels as one of them). */
int axl_launch(struct axl_context *context, int32_t kernel, const axl_tensor *tensors,
               int32_t count, const int32_t *sizes, int32_t size_count);

/* The same, but together with those that follow, up to the next axl_launch, as one launch. All are
 * of kernels with the same code, and none reads or writes what another one writes. */
int axl_defer(struct axl_context *context, int32_t kernel, const axl_tensor *tensors, int32_t count,
              const int32_t *sizes, int32_t size_count);

/* Copies between two tensors of one type and the same extents; strides may differ. */
int axl_copy(struct axl_context *context, const axl_tensor *destination, const axl_tensor *source);

/* ---- 2. What programs in C call -------------------------------------------------------------- */

typedef struct axl_instance axl_instance; /* a model with its variables, as runtime::Model */
typedef struct axl_session axl_session;   /* state of a caller, as runtime::Session */

/* The message of the last error in this thread, "" before the first. Valid until the next call of a
 * function in this thread, also of one that succeeds: copy what is to be kept. */
const char *axl_last_error(void);

/* Threads that kernels use, for all models together; 0: as many as the process may use
 * processors. Until the first call of this function the environment variable AXLOOM_THREADS
 * decides, which is 0 if not set. Returns the number in use. Not to be called while a model runs;
 * nor is fork, whose child starts threads of its own when it first needs them. */
int axl_set_threads(int count);

/* Checks the machine and allocates the variables, which get their values from `seed` when needed.
 * The caller owns *instance and passes it to axl_close when no session uses it any more. */
int axl_open(const axl_model *model, uint32_t seed, axl_instance **instance);
void axl_close(axl_instance *instance);

/* A session with variables and an arena of its own. `sizes` has a value for each entry of
 * axl_model.symbols; 0 leaves open one that no session variable uses. Owned by the caller. */
int axl_session_open(axl_instance *instance, const int64_t *sizes, axl_session **session);
void axl_session_close(axl_session *session);

/* Runs a function by its index; arguments and results in the order of its tables. `session` may be
 * NULL for functions that need none. The caller owns all tensors; nothing is kept after the
 * return. A result shares memory with no other tensor of the call. One call at a time on an
 * instance or session; sessions of one instance may run at the same time as long as nothing writes
 * parameters or state. */
int axl_call(axl_instance *instance, axl_session *session, int32_t function,
             const axl_host_tensor *arguments, const axl_host_tensor *results);

/* The same for models without variables (axloom_add_kernel): opens the model on first use and
 * keeps it. Thread-safe; calls of one model run one after the other. */
int axl_call_kernel(const axl_model *model, int32_t function, const axl_host_tensor *arguments,
                    const axl_host_tensor *results);

/* Copies a variable out of or into an instance; `tensor` must have its type and extents. */
int axl_variable_get(axl_instance *instance, const char *name, const axl_host_tensor *tensor);
int axl_variable_set(axl_instance *instance, const char *name, const axl_host_tensor *tensor);

/* Saves parameters and state as a checkpoint, or loads one: runtime/checkpoint/Checkpoint.h. The
 * position of training that the checkpoint loaded last has is saved with them. */
int axl_save(axl_instance *instance, const char *path);
int axl_load(axl_instance *instance, const char *path);

/* Loads all variables that the instance has and leaves what else the checkpoint holds, for models
 * that are a part of the trained one: loadParameters of the same file. The position stays. */
int axl_load_parameters(axl_instance *instance, const char *path);

/* ---- 3. Devices ------------------------------------------------------------------------------ */

/* What runs kernels. Functions return an axl_code and leave a message by axl_report. Work is done
 * in the order in which it was asked for, and may be done later: wait ends when all of it is. But
 * when copy_in or copy_out returns, the host's memory has been read or written. */
typedef struct axl_device {
  const char *name;
  int32_t host_memory; /* 1: axl_memory is a host pointer; arguments are used where they lie */
  void *state;         /* the device's own */
  int (*allocate)(const struct axl_device *device, int64_t bytes, axl_memory *memory);
  void (*release)(const struct axl_device *device, axl_memory memory);
  int (*copy_in)(const struct axl_device *device, axl_memory destination, int64_t offset,
                 const void *source, int64_t bytes);
  int (*copy_out)(const struct axl_device *device, void *destination, axl_memory source,
                  int64_t offset, int64_t bytes);
  int (*copy)(const struct axl_device *device, const axl_tensor *destination,
              const axl_tensor *source);
  /* Runs a kernel on `count` sets of tensors and sizes, which follow one another. No set has what
   * another one writes. */
  int (*launch)(const struct axl_device *device, const axl_kernel *kernel, int32_t count,
                const axl_tensor *tensors, const int32_t *sizes);
  int (*wait)(const struct axl_device *device);
} axl_device;

/* The host's processor, known as "cpu". */
const axl_device *axl_cpu_device(void);

/* Makes a device known under its name, which models refer to. It must stay alive. */
int axl_register_device(const axl_device *device);

/* Runs a kernel's loop nest on the host, on tensors whose memory is host pointers: the launch of
 * the CPU, and a building block for devices that emulate. */
int axl_run_on_host(const axl_kernel *kernel, const axl_tensor *tensors, const int32_t *sizes);

/* The same on `count` sets of tensors and sizes, which follow one another; all threads work on all
 * of them. */
int axl_run_sets_on_host(const axl_kernel *kernel, int32_t count, const axl_tensor *tensors,
                         const int32_t *sizes);

/* The same for axl_copy. */
int axl_copy_on_host(const axl_tensor *destination, const axl_tensor *source);

/* Sets the message of axl_last_error and returns `code`. */
int axl_report(int code, const char *message);

#ifdef __cplusplus
}
#endif

#endif
