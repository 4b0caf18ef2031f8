#include "codegen/halide/CustomBodies.h"

#include <map>

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

const HalideBody *codegen::requireBody(ir::CustomOp op) {
  const ir::CustomDefinition *definition = op.requireDefinition();
  if (!definition)
    return nullptr;
  const auto *body = dynamic_cast<const HalideBody *>(definition->body.get());
  if (body)
    return body;
  InFlightDiagnostic error = op.emitError("'") << definition->name << "' has no body in Halide";
  error.attachNote(definition->location) << "give its definition one";
  return nullptr;
}

FailureOr<std::string> codegen::bodiesOf(ir::KernelOp kernel) {
  std::map<std::string, std::string> bodies;
  WalkResult walked = kernel->walk([&](ir::CustomOp op) {
    const HalideBody *body = requireBody(op);
    if (body)
      bodies[op.getDefinition().str()] = body->text();
    return body ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return failure();
  std::string text;
  for (const auto &[name, body] : bodies)
    text += name + " = " + body + "\n";
  return text;
}
