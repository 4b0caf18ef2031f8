#include "Common.h"

void cases(Tensors t, Size S) {
  auto [q, k, scores, visible, ids, table] = t;
  q - S;
  2 * S / S;
#ifdef MISUSE
  S - 1; // sizes_have_only_products_and_quotients
  1 + S; // sizes_have_only_products_and_quotients
  S % S; // sizes_have_only_products_and_quotients
#endif
}
