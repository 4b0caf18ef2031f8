/* Calls the compiled kernel from C and checks its numbers, with sizes that fit no vector. */
#include "standardize.h"

#include <math.h>
#include <stdio.h>

enum { rows = 7, columns = 33 };

int main(void) {
  float x[rows * columns], y[rows * columns]; /* [row, column] */
  for (int i = 0; i < rows * columns; ++i)
    x[i] = 5.0f + sinf((float)(i * i));

  if (standardize(rows, columns, x, y) != AXL_OK) {
    fprintf(stderr, "%s\n", axl_last_error());
    return 1;
  }

  double worst = 0;
  for (int row = 0; row < rows; ++row) {
    const float *in = x + row * columns, *out = y + row * columns;
    double mean = 0, variance = 0;
    for (int i = 0; i < columns; ++i)
      mean += in[i] / (double)columns;
    for (int i = 0; i < columns; ++i)
      variance += (in[i] - mean) * (in[i] - mean) / columns;
    for (int i = 0; i < columns; ++i)
      worst = fmax(worst, fabs(out[i] - (in[i] - mean) / sqrt(variance + 1e-5)));
  }
  printf("largest error %g\n", worst);
  return worst < 1e-5 ? 0 : 1;
}
