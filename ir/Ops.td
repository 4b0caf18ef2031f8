// All ops of the axloom dialect; each group has its own file under ops/.

include "ir/ops/Program.td"
include "ir/ops/Pointwise.td"
include "ir/ops/Structure.td"
include "ir/ops/Composite.td"
include "ir/ops/Kernel.td"
