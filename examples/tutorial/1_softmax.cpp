// Step 1: the softmax of each row of a matrix, as one function for C.
#include "codegen/driver/Generate.h"
#include "frontend/Axloom.h"

using namespace axloom;

struct Row : Axis<"row"> {};
struct Column : Axis<"column"> {};

void build(Program &program, Options &options) {
  Size R = program.size("R", 1 << 20), C = program.size("C", 4096);
  bool formula = options.choice("as", {"op", "formula"}) == 1;
  program.function("softmax", [&](Function &f) {
    auto x = f.argument<float, Row, Column>("x", R, C);
    auto e = exp(x - max<Column>(x)); // minus the largest, so that nothing overflows
    auto y = e / sum<Column>(e);
    f.result<Row, Column>("y", formula ? y : softmax<Column>(x));
  });
}

int main(int argc, char **argv) { return generate(argc, argv, build); }
