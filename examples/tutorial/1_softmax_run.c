/* Calls the compiled softmax and checks it against the formula in double precision. */
#include "softmax.h"

#include <math.h>
#include <stdio.h>

int main(void) {
  enum { rows = 2, columns = 3 };
  float x[rows][columns] = {{1, 2, 3}, {1000, 1001, 1000}}, y[rows][columns];
  if (softmax(rows, columns, *x, *y) != AXL_OK) {
    fprintf(stderr, "%s\n", axl_last_error());
    return 1;
  }

  double worst = 0;
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (int i = 0; i < columns; ++i)
      sum += exp((double)x[row][i] - x[row][0]);
    for (int i = 0; i < columns; ++i)
      worst = fmax(worst, fabs(exp((double)x[row][i] - x[row][0]) / sum - y[row][i]));
    printf("%.4f %.4f %.4f\n", y[row][0], y[row][1], y[row][2]);
  }
  printf("%s\n", worst < 1e-6 ? "as the formula says" : "WRONG");
  return worst < 1e-6 ? 0 : 1;
}
