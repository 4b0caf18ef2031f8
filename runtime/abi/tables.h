/* The tables that a generated program describes itself with: constants, tensors, variables,
 * functions, kernels. Part of the C interface; axloom.h has the rules that hold here too, and the
 * functions.
 *
 * Tested by tests/runtime/AbiTest.cpp, AbiIsC.c and LoopNestTest.cpp. */
#ifndef AXLOOM_RUNTIME_ABI_TABLES_H
#define AXLOOM_RUNTIME_ABI_TABLES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Constants ------------------------------------------------------------------------------- */

/* Changes whenever a struct of the interface changes; models of another version are refused. */
#define AXL_ABI_VERSION 8

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
  /* The model was generated for another version of the interface, or for an unknown device. */
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

/* ---- Tensors and the tables of a model ------------------------------------------------------- */

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
  const axl_extent *limits;  /* i32 arguments: all elements are at least 0 and below each of these,
                              * up to one of factor 0; null: no such check */
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
  AXL_INIT_CONSTANT = 2, /* value */
  AXL_INIT_UNIFORM = 3,  /* low, high */
  AXL_INIT_NORMAL = 4    /* mean, standard deviation */
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
 * nothing. Returns an axl_code, handing on what the functions returned that it called. */
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

/* AXL_ZEROED: filled with zeros before the first chunk, so that chunks only add. AXL_ROWS: only
 * rows are read or written, whose bytes another operand has as well. */
enum { AXL_READ = 1, AXL_WRITE = 2, AXL_ZEROED = 4, AXL_ROWS = 8 };

/* A tensor that a kernel works on. In chunk i of loop l, an operand with axis[l] >= 0 is narrowed
 * along that axis to [i * step, min((i + 1) * step, extent)). Two loops may advance the same axis:
 * the inner one then divides what the outer one left. With step[l] < 0 it is narrowed to
 * [max(0, i * chunk + step), min((i + 1) * chunk, extent)): chunks overlap, and with AXL_FROM_START
 * a sequential loop reaches more of it with each. */
enum { AXL_FROM_START = -INT32_MAX };
typedef struct axl_operand {
  const char *name;
  int32_t access;              /* AXL_READ | AXL_WRITE: accumulated into, updated in place; 0: left
                                * alone, for the kernel reads what was prepared of it, or has it in
                                * a result */
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

#ifdef __cplusplus
}
#endif

#endif
