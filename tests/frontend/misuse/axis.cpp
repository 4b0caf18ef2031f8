#include "Common.h"

struct Second : Axis<"batch_2"> {};
#ifdef MISUSE
struct Spaced : Axis<"my axis"> {}; // name_is_an_identifier
struct Digit : Axis<"2nd"> {};      // name_is_an_identifier
struct Empty : Axis<""> {};         // name_is_an_identifier
#endif
