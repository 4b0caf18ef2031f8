#include "runtime/abi/axloom.h"

#include <stdio.h>

int main(void) {
  int threads = axl_set_threads(2);
  printf("%d threads\n", threads);
  return threads == 2 ? 0 : 1;
}
