/* The C interface between generated programs and the Axloom runtime.
 *
 * A bundle exports one static `axl_model`: tables that describe its variables, functions and
 * kernels, and pointers to their code. Generated host code is a set of `axl_entry` functions; they
 * compute shapes and byte offsets and call the functions of section 3. Section 4 is what programs
 * written in C use; programs in C++ use runtime/Runtime.h.
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

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1. Constants ---------------------------------------------------------------------------- */

/* Changes whenever a struct of this file changes; models of another version are refused. */
#define AXL_ABI_VERSION 5

#define AXL_MAX_RANK 8
#define AXL_MAX_OPERANDS 64 /* of one kernel */
#define AXL_MAX_LOOPS 4     /* of one kernel */
#define AXL_MAX_SIZES 32    /* size scalars of one kernel */
#define AXL_MAX_FACTORS 4   /* symbols in one extent */

/* Bytes, of variables and arenas. Arguments and results are aligned to their element only. */
#define AXL_ALIGNMENT 64

/* Element types. i1 takes a byte, 0 or 1. */
enum { AXL_F32 = 0, AXL_BF16 = 1, AXL_F64 = 2, AXL_I32 = 3, AXL_I1 = 4 };

typedef enum axl_code {
  AXL_OK = 0,
  /* A name, type, rank, extent or value that does not fit what the model declares. */
  AXL_ERROR_ARGUMENT = 1,
  /* A size symbol with two values, or one beyond its declared maximum. */
  AXL_ERROR_SIZE = 2,
  /* The machine lacks an instruction set that the model was compiled for. */
  AXL_ERROR_CPU = 3,
  /* The model was generated for another version of this file, or for an unknown device. */
  AXL_ERROR_ABI = 4,
  /* The device has no memory left. */
  AXL_ERROR_MEMORY = 5,
  /* A kernel reported an error. */
  AXL_ERROR_KERNEL = 6,
  /* A file cannot be read or written; the message holds the system's reason. */
  AXL_ERROR_FILE = 7,
  /* A file is truncated, damaged, or not what it claims to be. */
  AXL_ERROR_FORMAT = 8,
  /* A checkpoint that is sound but belongs to another model. */
  AXL_ERROR_CHECKPOINT = 9,
  /* Infinity or not-a-number where a number was expected. */
  AXL_ERROR_NOT_FINITE = 10,
  /* A corpus, vocabulary or batch that cannot be used. */
  AXL_ERROR_DATA = 11,
  /* Generated code or tables that contradict themselves: a bug in Axloom. */
  AXL_ERROR_INTERNAL = 12
} axl_code;

/* ---- 2. Tensors and the tables of a model ---------------------------------------------------- */

/* A block of device memory. On the CPU it is the host pointer itself; on other devices a handle
 * that only the device can read. Generated host code never looks inside: it adds byte offsets. */
typedef struct axl_memory_block *axl_memory;

/* A tensor on the device. Strides may exceed the packed ones (slices, padded rows); 0 repeats. */
typedef struct axl_tensor {
  axl_memory memory;
  int64_t offset; /* bytes from the start of the memory */
  int32_t type;
  int32_t rank;
  int64_t extent[AXL_MAX_RANK];
  int64_t stride[AXL_MAX_RANK];
} axl_tensor;

/* A tensor of the caller: packed, row-major in the declared order of its axes. */
typedef struct axl_host_tensor {
  void *data;
  int32_t type;
  int32_t rank;
  int64_t extent[AXL_MAX_RANK];
} axl_host_tensor;

typedef struct axl_shape {
  int32_t type;
  int32_t rank;
  int64_t extent[AXL_MAX_RANK];
} axl_shape;

/* A place in the user's source. */
typedef struct axl_location {
  const char *file;
  int32_t line;
  int32_t column;
} axl_location;

/* Where the value of a size comes from. A ragged axis has a length of its own for each entry of
 * another axis (for each sentence of a batch), and its tensors hold entry after entry, unpadded:
 * their outermost dimension stands for the batch and all ragged axes together. */
enum {
  AXL_SIZE_FREE = 0,    /* the extents of arguments and results, or the session */
  AXL_SIZE_LONGEST = 1, /* the largest length of symbol lengths[0] */
  AXL_SIZE_TOTAL = 2    /* the sum over all entries of the product of their `lengths` */
};

/* A size that each call decides, from 0 to maximum. */
typedef struct axl_symbol {
  const char *name;
  int64_t maximum;
  int32_t rule;
  int32_t lengths[AXL_MAX_FACTORS]; /* indices of symbols, up to the first -1 or to the end */
} axl_symbol;

/* factor × product of symbols. `symbols` holds indices into axl_model.symbols, up to the first -1
 * or to the end; a constant has symbols[0] == -1. */
typedef struct axl_extent {
  int64_t factor;
  int32_t symbols[AXL_MAX_FACTORS];
} axl_extent;

/* What a variable, argument or result looks like from outside. */
typedef struct axl_value {
  const char *name;
  int32_t type;
  int32_t rank;
  const char *const *axes;   /* rank names, outermost first: the declared (external) order */
  const axl_extent *extents; /* rank extents in the same order */
  int64_t limit;             /* i32 arguments: all elements lie in [0, limit); 0: no such check */
  int32_t location;          /* index into axl_model.locations */
} axl_value;

/* Kinds of variables. Checkpoints hold the first two; sessions own the last. */
enum { AXL_PARAMETER = 0, AXL_STATE = 1, AXL_SESSION = 2 };

/* Initializers and what their two numbers mean. Random ones draw from the counter-based generator
 * (runtime/Random.h) with the model's seed, step 0 and a site made from the variable's name:
 * the order of tables and of external axes changes nothing. */
enum {
  AXL_INIT_ZEROS = 0,
  AXL_INIT_ONES = 1,
  AXL_INIT_CONSTANT = 2,      /* value */
  AXL_INIT_UNIFORM = 3,       /* low, high */
  AXL_INIT_NORMAL = 4,        /* mean, standard deviation */
  AXL_INIT_XAVIER_UNIFORM = 5 /* fan in, fan out: uniform in ±sqrt(6 / (in + out)) */
};

typedef struct axl_variable_info {
  axl_value value;
  int32_t kind;
  int32_t initializer;
  double numbers[2];
} axl_variable_info;

/* An argument that holds the lengths of a ragged size: i32, one for each entry, each from 0 to the
 * symbol's maximum. */
typedef struct axl_lengths {
  int32_t symbol;
  int32_t argument;
} axl_lengths;

struct axl_context; /* one call in progress: variables, arena, sizes */

/* A generated function. Arguments and results are device tensors in the order of the tables,
 * packed in the declared order of their axes; results are written, never read, and overlap
 * nothing. Returns an axl_code, handing on what the functions of section 3 returned. */
typedef int (*axl_entry)(struct axl_context *context, const axl_tensor *arguments,
                         const axl_tensor *results);

typedef struct axl_function {
  const char *name;
  int32_t argument_count;
  const axl_value *arguments;
  int32_t result_count;
  const axl_value *results;
  int32_t uses_session;     /* 1: it reads or writes session variables, so it needs a session */
  int32_t writes_variables; /* 1: it writes parameters or state */
  axl_entry entry;
  int32_t location;
  int32_t lengths_count;
  const axl_lengths *lengths;
} axl_function;

/* One compiled pipeline: on the CPU, Halide's `<name>_argv` function. `arguments` points at
 *   - a halide_buffer_t for each operand that axl_block.operands lists (dimensions reversed: Halide
 *     counts from the innermost; every min is 0), then
 *   - an int32_t for each size passed to axl_launch, then
 *   - an int32_t for each loop of the kernel: the index at which this chunk starts along the loop
 *     (for the logical coordinates that random, iota and causal masks need).
 * Returns 0, or an error code after having called halide_error. */
typedef int (*axl_pipeline)(void **arguments);

typedef struct axl_block {
  axl_pipeline code;
  int32_t operand_count;
  const int32_t *operands; /* indices into axl_kernel.operands; blocks may share operands */
} axl_block;

enum { AXL_PARALLEL = 0, AXL_SEQUENTIAL = 1 };

/* A loop over chunks. Its length is the extent that remains, after the loops outside it, of the
 * axis it advances in the first operand that has step 0; all such operands must agree. The last
 * chunk may be shorter. Chunks of a parallel loop run in any order and at the same time; those of
 * a sequential loop one after the other, ascending. */
typedef struct axl_loop {
  int32_t kind;
  int32_t chunk; /* indices in a chunk */
} axl_loop;

/* AXL_ZEROED: filled with zeros before the first chunk, so that chunks only add. */
enum { AXL_READ = 1, AXL_WRITE = 2, AXL_ZEROED = 4 };

/* A tensor that a kernel works on. In chunk i of loop l, an operand with axis[l] >= 0 is narrowed
 * along that axis to [i * step, min((i + 1) * step, extent)). Two loops may advance the same axis:
 * the inner one then divides what the outer one left. With step[l] AXL_UNTIL_CHUNK_ENDS it is
 * narrowed to [0, min((i + 1) * chunk, extent)): a sequential loop then reaches more of it with
 * each chunk. */
enum { AXL_UNTIL_CHUNK_ENDS = -1 };
typedef struct axl_operand {
  const char *name;
  int32_t access;              /* both AXL_READ | AXL_WRITE: accumulated into, updated in place */
  int32_t axis[AXL_MAX_LOOPS]; /* what loop l advances, counted from the outermost axis, or -1 */
  int32_t step[AXL_MAX_LOOPS]; /* indices a chunk advances; 0: the loop's chunk. 1: partial results
                                * or scratch with one entry for each chunk */
  int32_t location;            /* of the operation that computes this tensor */
} axl_operand;

/* A tensor whose dimension 0 holds entry after entry. In chunk e of loop 0 it is narrowed to entry
 * e, and dimension 0 becomes 1 + length_count dimensions: 1 and the entry's lengths. The axes that
 * axl_operand names are those of the narrowed tensor. */
typedef struct axl_ragged_operand {
  int32_t operand;
  int32_t offsets; /* operand that says where entries start: i32 [entries + 1] */
  int32_t length_count;
  int32_t lengths[AXL_MAX_FACTORS]; /* indices into axl_ragged.lengths */
} axl_ragged_operand;

/* How a kernel tells the entries of a ragged batch apart. Its loop 0 then has a chunk for each. */
typedef struct axl_ragged {
  int32_t length_count;
  const int32_t *lengths; /* operands o of offsets: entry e has length o[e + 1] - o[e] */
  const int32_t *sizes;   /* for each length: the size scalar that carries it, or -1 */
  int32_t operand_count;
  const axl_ragged_operand *operands;
} axl_ragged;

/* Products that a kernel computes and adds up in f32, or wider. */
typedef struct axl_product {
  axl_extent multiply_adds; /* how many */
  int32_t factors;          /* AXL_BF16 if they are rounded to that, AXL_F32 otherwise */
} axl_product;

/* Block kernels plus the loop nest that calls them: for each chunk, all blocks in order. */
typedef struct axl_kernel {
  const char *name;
  int32_t loop_count; /* outermost first; no loops: one call of each block */
  const axl_loop *loops;
  int32_t operand_count;
  const axl_operand *operands;
  int32_t block_count;
  const axl_block *blocks;
  int32_t size_count;
  int32_t location;
  const axl_ragged *ragged;    /* or null */
  int32_t product_count;       /* none: it has no products, or they cannot be counted */
  const axl_product *products; /* that its sums are made of */
} axl_kernel;

/* What a kernel makes of a parameter or state and of nothing else, such as a weight packed for
 * matrix products: made when it is first asked for, and again only after variables have changed.
 * The kernel takes the variable, as a tensor of shape `from`, and what it makes, of shape `to`;
 * both are packed. It takes no sizes. */
typedef struct axl_prepared_info {
  int32_t variable;
  int32_t kernel;
  axl_shape from;
  axl_shape to;
} axl_prepared_info;

typedef struct axl_model {
  int32_t abi_version; /* AXL_ABI_VERSION */
  const char *name;
  const char *fingerprint; /* hexadecimal hash of the graph: same graph, same fingerprint */
  const char *target;      /* what it was compiled for, used in messages */
  const char *device;      /* name of the axl_device that runs it: "cpu" */
  /* Instruction sets needed, by LLVM's names: "avx2", "avx512bf16"; runtime/core/CpuFeatures.cpp
   * knows them all. */
  int32_t feature_count;
  const char *const *features;
  int32_t symbol_count;
  const axl_symbol *symbols;
  int32_t variable_count;
  const axl_variable_info *variables;
  int32_t function_count;
  const axl_function *functions;
  int32_t kernel_count;
  const axl_kernel *kernels;
  int32_t prepared_count;
  const axl_prepared_info *prepared;
  int32_t location_count;
  const axl_location *locations;
} axl_model;

/* ---- 3. What generated host code calls ------------------------------------------------------- */

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

/* Records an error at a location (index or -1) and returns `code`. message 0: a sentence that fits
 * the code. */
int axl_fail(struct axl_context *context, int code, int32_t location, const char *message);

/* ---- 4. What programs in C call -------------------------------------------------------------- */

typedef struct axl_instance axl_instance; /* a model with its variables, as runtime::Model */
typedef struct axl_session axl_session;   /* state of a caller, as runtime::Session */

/* The message of the last error in this thread, "" before the first. Valid until the next one. */
const char *axl_last_error(void);

/* Threads that kernels use, for all models together; 0: as many as the machine has. Until the
 * first call of this function the environment variable AXLOOM_THREADS decides, and without it the
 * machine. Returns the number in use. Not to be called while a model runs. */
int axl_set_threads(int count);

/* Checks the machine, allocates the variables and initializes them from `seed`. The caller owns
 * *instance and passes it to axl_close when no session uses it any more. */
int axl_open(const axl_model *model, uint32_t seed, axl_instance **instance);
void axl_close(axl_instance *instance);

/* A session with variables and an arena of its own. `sizes` has a value for each entry of
 * axl_model.symbols, 0 for those that no session variable uses. Owned by the caller. */
int axl_session_open(axl_instance *instance, const int64_t *sizes, axl_session **session);
void axl_session_close(axl_session *session);

/* Runs a function by its index; arguments and results in the order of its tables. `session` may be
 * NULL for functions that need none. The caller owns all tensors; nothing is kept after the
 * return. One call at a time on an instance or session; sessions of one instance may run at the
 * same time as long as nothing writes parameters or state. */
int axl_call(axl_instance *instance, axl_session *session, int32_t function,
             const axl_host_tensor *arguments, const axl_host_tensor *results);

/* The same for models without variables (axloom_add_kernel): opens the model on first use and
 * keeps it. Thread-safe; calls of one model run one after the other. */
int axl_call_kernel(const axl_model *model, int32_t function, const axl_host_tensor *arguments,
                    const axl_host_tensor *results);

/* Copies a variable out of or into an instance; `tensor` must have its type and extents. */
int axl_variable_get(axl_instance *instance, const char *name, const axl_host_tensor *tensor);
int axl_variable_set(axl_instance *instance, const char *name, const axl_host_tensor *tensor);

/* Saves parameters and state as a checkpoint, or loads one: runtime/checkpoint/Checkpoint.h. */
int axl_save(axl_instance *instance, const char *path);
int axl_load(axl_instance *instance, const char *path);

/* ---- 5. Devices ------------------------------------------------------------------------------ */

/* What runs kernels. Functions return an axl_code and leave a message by axl_report. Work is done
 * in the order in which it was asked for, and may be done later: wait ends when all of it is. */
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
