#include "passes/Passes.h"

#include "passes/AssignLayouts.h"
#include "passes/FormKernels.h"
#include "passes/PlanMemory.h"

void axloom::passes::registerPasses() {
  mlir::registerPass([] { return createFormKernels(); });
  mlir::registerPass([] { return createAssignLayouts(); });
  mlir::registerPass([] { return createPlanMemory(); });
}
