#include "tests/runtime/FakeModel.h"

#include <HalideRuntime.h>

int fake::poison = -1;
int fake::stepOfLastCall = -1, fake::seedOfLastCall = -1;

namespace {

template <class T> T *dataOf(const axl_tensor &tensor) {
  return reinterpret_cast<T *>(reinterpret_cast<char *>(tensor.memory) + tensor.offset);
}

template <class T> T *dataOf(void *buffer) {
  return reinterpret_cast<T *>(static_cast<halide_buffer_t *>(buffer)->host);
}

int32_t extentOf(void *buffer, int dimension) {
  return static_cast<halide_buffer_t *>(buffer)->dim[dimension].extent;
}

int32_t strideOf(void *buffer, int dimension) {
  return static_cast<halide_buffer_t *>(buffer)->dim[dimension].stride;
}

// ---- pipelines ----

// x: [batch, position], factor: [], y: [batch, position]
int multiply(void **arguments) {
  const float *x = dataOf<float>(arguments[0]);
  float factor = *dataOf<float>(arguments[1]);
  float *y = dataOf<float>(arguments[2]);
  for (int row = 0; row < extentOf(arguments[2], 1); ++row)
    for (int column = 0; column < extentOf(arguments[2], 0); ++column)
      y[row * strideOf(arguments[2], 1) + column] =
          factor * x[row * strideOf(arguments[0], 1) + column];
  return 0;
}

// source: [batch, position], table: [token], error: [batch, position]
int computeError(void **arguments) {
  const int32_t *source = dataOf<int32_t>(arguments[0]);
  const float *table = dataOf<float>(arguments[1]);
  float *error = dataOf<float>(arguments[2]);
  int count = extentOf(arguments[2], 0) * extentOf(arguments[2], 1);
  for (int i = 0; i < count; ++i) {
    error[i] = table[source[i]] - float(source[i]);
    if (fake::poison >= 0)
      error[i] /= float(source[i] - fake::poison);
  }
  return 0;
}

// error: [batch, position], source: [batch, position], table: [token], loss: []
int descend(void **arguments) {
  const float *error = dataOf<float>(arguments[0]);
  const int32_t *source = dataOf<int32_t>(arguments[1]);
  float *table = dataOf<float>(arguments[2]);
  float *loss = dataOf<float>(arguments[3]);
  int count = extentOf(arguments[0], 0) * extentOf(arguments[0], 1);
  *loss = 0;
  for (int i = 0; i < count; ++i) {
    *loss += error[i] * error[i] / float(count);
    table[source[i]] -= 0.1f * error[i] / float(count);
  }
  return 0;
}

int report(void **) {
  halide_error(nullptr, "the tile does not fit\n");
  return -7;
}

// ---- tables ----

constexpr axl_extent fixed(int64_t value) { return {value, {-1, -1, -1, -1}}; }
constexpr axl_extent sized(int32_t symbol) { return {1, {symbol, -1, -1, -1}}; }

const axl_symbol symbols[] = {
    {"B", 8, AXL_SIZE_FREE, {}}, {"S", 16, AXL_SIZE_FREE, {}}, {"T", 16, AXL_SIZE_FREE, {}}};
const axl_location locations[] = {{"model.cpp", 10, 3}, {"model.cpp", 20, 5}, {"model.cpp", 30, 7}};

const char *const weightAxes[] = {"out", "in"};
const axl_extent weightExtents[] = {fixed(4), fixed(3)};
const char *const tableAxes[] = {"token"};
const axl_extent tableExtents[] = {fixed(10)};
const char *const sourceAxes[] = {"batch", "position"};
const axl_extent sourceExtents[] = {sized(0), sized(1)};
const char *const saidAxes[] = {"batch", "time"};
const axl_extent saidExtents[] = {sized(0), sized(2)};
const axl_extent batchExtents[] = {sized(0)};

enum { Weight, Table, Count, Heard, Said };
const axl_variable_info variables[] = {
    {{"weight", AXL_F32, 2, weightAxes, weightExtents, 0, 0},
     AXL_PARAMETER,
     AXL_INIT_UNIFORM,
     {-0.92582009977255142, 0.92582009977255142}},
    {{"table", AXL_F32, 1, tableAxes, tableExtents, 0, 0}, AXL_PARAMETER, AXL_INIT_NORMAL, {0, 1}},
    {{"count", AXL_I32, 0, nullptr, nullptr, 0, 1}, AXL_STATE, AXL_INIT_ZEROS, {}},
    {{"heard", AXL_I32, 2, sourceAxes, sourceExtents, 0, 1}, AXL_SESSION, AXL_INIT_ZEROS, {}},
    {{"said", AXL_I32, 2, saidAxes, saidExtents, 0, 1}, AXL_SESSION, AXL_INIT_ZEROS, {}}};

enum { Multiply, Error, Descend, Report };
const axl_loop rowPairs[] = {{AXL_PARALLEL, 2}};
const axl_operand multiplyOperands[] = {{"x", AXL_READ, {0}, {0}, 1},
                                        {"factor", AXL_READ, {-1}, {0}, 1},
                                        {"y", AXL_WRITE, {0}, {0}, 1}};
const axl_operand errorOperands[] = {{"source", AXL_READ, {}, {}, 1},
                                     {"table", AXL_READ, {}, {}, 1},
                                     {"error", AXL_WRITE, {}, {}, 2}};
const axl_operand descendOperands[] = {{"error", AXL_READ, {}, {}, 2},
                                       {"source", AXL_READ, {}, {}, 1},
                                       {"table", AXL_READ | AXL_WRITE, {}, {}, 2},
                                       {"loss", AXL_WRITE, {}, {}, 2}};
const axl_operand reportOperands[] = {{"y", AXL_WRITE, {}, {}, 2}};
const int32_t inOrder[] = {0, 1, 2, 3};
const axl_block multiplyBlock{multiply, 3, inOrder};
const axl_block errorBlock{computeError, 3, inOrder};
const axl_block descendBlock{descend, 4, inOrder};
const axl_block reportBlock{report, 1, inOrder};
const axl_kernel kernels[] = {
    {"multiply_rows", 1, rowPairs, 3, multiplyOperands, 1, &multiplyBlock, 0, 1, nullptr, 0,
     nullptr},
    {"token_error", 0, nullptr, 3, errorOperands, 1, &errorBlock, 0, 2, nullptr, 0, nullptr},
    {"descend", 0, nullptr, 4, descendOperands, 1, &descendBlock, 0, 2, nullptr, 0, nullptr},
    {"report", 0, nullptr, 1, reportOperands, 1, &reportBlock, 0, 2, nullptr, 0, nullptr}};

// ---- host code ----

int scale(axl_context *context, const axl_tensor *arguments, const axl_tensor *results) {
  const axl_tensor tensors[] = {arguments[0], arguments[1], results[0]};
  return axl_launch(context, Multiply, tensors, 3, nullptr, 0);
}

// The errors of all tokens, in the arena.
int tokenErrors(axl_context *context, const axl_tensor &source, axl_tensor &errors) {
  errors = source;
  errors.type = AXL_F32;
  errors.offset = 0;
  errors.memory = axl_arena(context, axl_size(context, 0) * axl_size(context, 1) * 4);
  if (!errors.memory)
    return AXL_ERROR_MEMORY;
  const axl_tensor tensors[] = {source, *axl_variable(context, Table), errors};
  return axl_launch(context, Error, tensors, 3, nullptr, 0);
}

int trainStep(axl_context *context, const axl_tensor *arguments, const axl_tensor *results) {
  axl_tensor errors;
  if (int code = tokenErrors(context, arguments[0], errors))
    return code;
  const axl_tensor tensors[] = {errors, arguments[0], *axl_variable(context, Table), results[0]};
  if (int code = axl_launch(context, Descend, tensors, 4, nullptr, 0))
    return code;
  ++*dataOf<int32_t>(*axl_variable(context, Count));
  fake::seedOfLastCall = *dataOf<int32_t>(arguments[1]);
  fake::stepOfLastCall = *dataOf<int32_t>(arguments[2]);
  return AXL_OK;
}

int evaluate(axl_context *context, const axl_tensor *arguments, const axl_tensor *results) {
  axl_tensor errors;
  if (int code = tokenErrors(context, arguments[0], errors))
    return code;
  int64_t count = errors.extent[0] * errors.extent[1];
  float &loss = *dataOf<float>(results[0]) = 0;
  for (int64_t i = 0; i < count; ++i)
    loss += dataOf<float>(errors)[i] * dataOf<float>(errors)[i] / float(count);
  return AXL_OK;
}

int encode(axl_context *context, const axl_tensor *arguments, const axl_tensor *) {
  return axl_copy(context, axl_variable(context, Heard), &arguments[0]);
}

int decodeStep(axl_context *context, const axl_tensor *arguments, const axl_tensor *results) {
  const axl_tensor &heard = *axl_variable(context, Heard), &said = *axl_variable(context, Said);
  int32_t position = *dataOf<int32_t>(arguments[1]);
  if (position >= said.extent[1])
    return axl_report(AXL_ERROR_SIZE, "the cache is full");
  for (int64_t row = 0; row < heard.extent[0]; ++row) {
    dataOf<int32_t>(said)[row * said.stride[0] + position] = dataOf<int32_t>(arguments[0])[row];
    dataOf<int32_t>(results[0])[row] =
        position < heard.extent[1] ? dataOf<int32_t>(heard)[row * heard.stride[0] + position] : 0;
  }
  return AXL_OK;
}

int broken(axl_context *context, const axl_tensor *, const axl_tensor *results) {
  return axl_launch(context, Report, results, 1, nullptr, 0);
}

const axl_value scaleArguments[] = {{"x", AXL_F32, 2, sourceAxes, sourceExtents, 0, 1},
                                    {"factor", AXL_F32, 0, nullptr, nullptr, 0, 1}};
const axl_value scaleResults[] = {{"y", AXL_F32, 2, sourceAxes, sourceExtents, 0, 1}};
const axl_extent tokenLimits[] = {fixed(10), {}};

const axl_value trainArguments[] = {
    {"source", AXL_I32, 2, sourceAxes, sourceExtents, tokenLimits, 1},
    {"seed", AXL_I32, 0, nullptr, nullptr, 0, 1},
    {"step", AXL_I32, 0, nullptr, nullptr, 0, 1}};
const axl_value loss[] = {{"loss", AXL_F32, 0, nullptr, nullptr, 0, 2}};
const axl_value stepArguments[] = {{"token", AXL_I32, 1, sourceAxes, batchExtents, 0, 1},
                                   {"position", AXL_I32, 0, nullptr, nullptr, 0, 1}};
const axl_value next[] = {{"next", AXL_I32, 1, sourceAxes, batchExtents, 0, 1}};
const axl_value scalar[] = {{"y", AXL_F32, 0, nullptr, nullptr, 0, 2}};

const axl_function functions[] = {
    {"scale", 2, scaleArguments, 1, scaleResults, 0, 0, scale, 1, 0, nullptr},
    {"train_step", 3, trainArguments, 1, loss, 0, 1, trainStep, 1, 0, nullptr},
    {"evaluate", 1, trainArguments, 1, loss, 0, 0, evaluate, 1, 0, nullptr},
    {"encode", 1, trainArguments, 0, nullptr, 1, 0, encode, 1, 0, nullptr},
    {"decode_step", 2, stepArguments, 1, next, 1, 0, decodeStep, 1, 0, nullptr},
    {"broken", 0, nullptr, 1, scalar, 0, 0, broken, 2, 0, nullptr}};

const char *const features[] = {"sse2"};

} // namespace

const axl_model fake::model = {AXL_ABI_VERSION, "fake", "00c0ffee", "x86-64-linux",
                               "cpu",           1,      features,   3,
                               symbols,         5,      variables,  6,
                               functions,       4,      kernels,    0,
                               nullptr,         3,      locations};
