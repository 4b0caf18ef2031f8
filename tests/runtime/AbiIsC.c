/* The C interface, used from C. */
#include "runtime/abi/axloom.h"

int scaleFromC(const axl_model *model, const float *x, float factor, float *y, int64_t count) {
  axl_host_tensor arguments[2] = {{(void *)x, AXL_F32, 2, {1, count}}, {&factor, AXL_F32, 0, {0}}};
  axl_host_tensor result = {y, AXL_F32, 2, {1, count}};
  return axl_call_kernel(model, 0, arguments, &result);
}
