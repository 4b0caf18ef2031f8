#include "passes/Passes.h"

#include "passes/AssignLayouts.h"
#include "passes/FormKernels.h"
#include "passes/Pipeline.h"
#include "passes/PlanMemory.h"
#include "passes/RecomputeActivations.h"

#include "mlir/Pass/PassRegistry.h"

void axloom::passes::registerPasses() {
  mlir::registerPass(createInfer);
  mlir::registerPass(createSimplify);
  mlir::registerPass(createRecognizeAttention);
  mlir::registerPass(createRecognizeLinearCrossEntropy);
  mlir::registerPass(createDifferentiate);
  mlir::registerPass(createFuseHorizontal);
  mlir::registerPass(createWidenSums);
  mlir::registerPass([] { return createLowerPrecision(); });
  mlir::registerPass(createNumberTokens);
  mlir::registerPass([] { return createRecomputeActivations(); });
  mlir::registerPass([] { return createFormKernels(); });
  mlir::registerPass(createNarrowResults);
  mlir::registerPass(createAssignLayouts);
  mlir::registerPass(createGroupUpdates);
  mlir::registerPass([] { return createPlanMemory(); });
  registerPipeline();
}
