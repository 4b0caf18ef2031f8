#include "codegen/explain/Launches.h"

#include "codegen/KernelInfo.h"
#include "ir/Factors.h"
#include "ir/Ragged.h"
#include "ir/Work.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

static void addOp(OpsByLine &ops, StringRef name, Location location) {
  for (const ir::SourceLine &line : ir::sourceLines(location))
    ++ops[line][name.str()];
}

static void addOperands(Launch &launch, const CompiledKernel &code) {
  for (const Operand &operand : code.operands) {
    Amount bytes;
    if (!operand.inRows)
      bytes.add(ir::elementBytes(operand.elementType), operand.dimensions);
    if (reads(operand.access))
      launch.bytesRead += bytes;
    if (writes(operand.access))
      launch.bytesWritten += bytes;
    if (operand.isZeroed)
      launch.bytesWritten += bytes;
  }
}

static Launch launchOf(ir::KernelOp kernel, const KernelInfo &info) {
  Launch launch{.names = {info.name}, .code = info.code->name, .family = info.code->family};
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (!isa<ir::ConstantOp>(op))
      addOp(launch.ops, op.getName().stripDialect(), op.getLoc());
    bool isRounded = ir::areFactorsRounded(&op);
    for (ir::SizeAttr product : ir::multiplyAdds(&op))
      (isRounded ? launch.bf16MultiplyAdds : launch.multiplyAdds).add(1, product);
  }
  addOperands(launch, *info.code);
  return launch;
}

/// What a launch needs made before it each time.
static Launch preparationOf(ir::KernelOp kernel, const KernelInfo &info) {
  Launch launch{.names = {info.name}, .code = info.code->name, .family = info.code->family};
  addOp(launch.ops, info.code->family, kernel.getLoc());
  addOperands(launch, *info.code);
  return launch;
}

static Launch copyOf(Operation *op, Value value, std::string name) {
  Launch launch{.names = {std::move(name)}, .family = "copy"};
  addOp(launch.ops, op->getName().stripDialect(), op->getLoc());
  ir::NamedTensorType type = ir::tensorType(value);
  launch.bytesRead.add(ir::elementBytes(type.getElementType()), ir::elementCount(type));
  launch.bytesWritten = launch.bytesRead;
  launch.code = launch.bytesRead.str();
  return launch;
}

/// The copies that host code makes of what was not computed where it belongs.
static void addCopies(func::FuncOp function, std::vector<Launch> &launches) {
  Operation *exit = function.getBody().front().getTerminator();
  for (auto [index, value] : llvm::enumerate(exit->getOperands()))
    if (placementOf(value) != ir::PlacementAttr::result(function.getContext(), index))
      launches.push_back(copyOf(exit, value, ("copy to result " + Twine(index)).str()));
  for (auto write : function.getOps<ir::WriteOp>()) {
    auto home = ir::PlacementAttr::inVariable(function.getContext(), write.getVariable());
    if (placementOf(write.getValue()) != home)
      launches.push_back(copyOf(write, write.getValue(), passes::copyName(write.getVariable())));
  }
}

/// Whether two launches do the same for the same lines.
static bool areAlike(const Launch &a, const Launch &b) {
  return !a.isGroup && !b.isGroup && a.code == b.code && a.family == b.family && a.ops == b.ops &&
         a.multiplyAdds == b.multiplyAdds && a.bf16MultiplyAdds == b.bf16MultiplyAdds &&
         a.bytesRead == b.bytesRead && a.bytesWritten == b.bytesWritten;
}

/// Adds a kernel to the launch of its group.
static void addToGroup(Launch &group, const Launch &member) {
  group.isGroup = true;
  group.names.push_back(member.names.front());
  for (const auto &[line, ops] : member.ops)
    for (const auto &[name, count] : ops)
      group.ops[line][name] += count;
  group.multiplyAdds += member.multiplyAdds;
  group.bf16MultiplyAdds += member.bf16MultiplyAdds;
  group.bytesRead += member.bytesRead;
  group.bytesWritten += member.bytesWritten;
}

std::vector<Launch> codegen::launchesOf(func::FuncOp function, const Description &model) {
  std::vector<Launch> all;
  std::map<std::pair<int64_t, std::string>, size_t> groups; // by number and code
  for (auto kernel : function.getOps<ir::KernelOp>()) {
    if (auto found = model.preparations.find(kernel); found != model.preparations.end())
      for (const PreparationInfo &preparation : found->second)
        if (preparation.kernel >= 0)
          all.push_back(preparationOf(kernel, model.kernels[preparation.kernel]));
    Launch launch = launchOf(kernel, model.kernels[model.kernelIndex.lookup(kernel)]);
    if (std::optional<int64_t> group = kernel.getGroup()) {
      auto [first, isNew] = groups.try_emplace({*group, launch.code}, all.size());
      if (!isNew) {
        addToGroup(all[first->second], launch);
        continue;
      }
    }
    all.push_back(std::move(launch));
  }
  addCopies(function, all);
  std::vector<Launch> distinct;
  for (Launch &launch : all) {
    auto same =
        llvm::find_if(distinct, [&](const Launch &other) { return areAlike(launch, other); });
    if (same == distinct.end())
      distinct.push_back(std::move(launch));
    else
      same->names.push_back(launch.names.front());
  }
  return distinct;
}

bool Launch::holds(const passes::Remark &remark) const {
  if (!remark.launch.empty())
    return llvm::is_contained(names, remark.launch);
  SmallVector<ir::SourceLine> lines = ir::sourceLines(remark.location);
  return !lines.empty() && llvm::all_of(lines, [&](const ir::SourceLine &line) {
    auto found = ops.find(line);
    return found != ops.end() && found->second.contains(remark.op);
  });
}

std::vector<std::string> codegen::addReasons(MutableArrayRef<Launch> launches, StringRef function,
                                             ArrayRef<passes::Remark> remarks) {
  auto addOnce = [](std::vector<std::string> &texts, const std::string &text) {
    if (!llvm::is_contained(texts, text))
      texts.push_back(text);
  };
  std::vector<std::string> others;
  for (const passes::Remark &remark : remarks) {
    if (remark.function != function)
      continue;
    std::string text = ir::firstLine(remark.location) + ": " + remark.text;
    bool isHeld = false;
    for (Launch &launch : launches)
      if (launch.holds(remark)) {
        isHeld = true;
        if (remark.launch.empty() || remark.launch == launch.names.front()) // the others are alike
          addOnce(launch.reasons, text);
      }
    if (!isHeld)
      addOnce(others, text);
  }
  return others;
}
