#include "passes/Remarks.h"

#include "ir/SourceLines.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::passes;

static bool isTrial(Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  return module && module->hasAttr(trialMark);
}

static remark::RemarkOpts optionsOf(Operation *op, StringRef pass) {
  auto function = op->getParentOfType<func::FuncOp>();
  return remark::RemarkOpts::name(pass)
      .category(pass)
      .subCategory(op->getName().stripDialect())
      .function(function ? function.getSymName() : "");
}

static void write(remark::detail::InFlightRemark remark, const Twine &text, StringRef launch) {
  if (!remark)
    return;
  remark << StringRef(text.str());
  if (!launch.empty())
    remark << remark::detail::Remark::Arg("Launch", launch);
}

void passes::remarkDone(Operation *op, StringRef pass, const Twine &what, StringRef launch) {
  if (!isTrial(op))
    write(remark::passed(op->getLoc(), optionsOf(op, pass)), what, launch);
}

void passes::remarkMissed(Operation *op, StringRef pass, const Twine &why, StringRef launch) {
  if (!isTrial(op))
    write(remark::missed(op->getLoc(), optionsOf(op, pass)), why, launch);
}

std::string passes::kernelName(func::FuncOp function, unsigned index, StringRef anchor) {
  return (function.getSymName() + "." + Twine(index) + "." + anchor).str();
}

std::string passes::copyName(StringRef variable) { return ("copy to '" + variable + "'").str(); }

std::string passes::nameOf(Operation *op) {
  return (op->getName().stripDialect() + " of " + ir::firstLine(op->getLoc())).str();
}

std::string passes::usersOf(Value value) {
  SmallVector<Operation *> users = llvm::to_vector(value.getUsers()); // the last one first
  SmallVector<std::string> places;
  for (Operation *user : llvm::reverse(users)) {
    std::string place =
        isa<func::ReturnOp>(user) ? "what the function returns" : ir::firstLine(user->getLoc());
    if (!llvm::is_contained(places, place))
      places.push_back(place);
  }
  std::string last = places.pop_back_val();
  return places.empty() ? last : llvm::join(places, ", ") + " and " + last;
}

bool Obstacle::end(Operation *at, unsigned length, const Twine &reason) {
  if (!op || length >= steps) {
    op = at;
    steps = length;
    why = reason.str();
  }
  return false;
}

namespace {
class Streamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Streamer(std::vector<Remark> &remarks) : remarks(remarks) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    bool isDone = remark.getRemarkType() == llvm::remarks::Type::Passed;
    StringRef op = remark.getCombinedCategoryName().rsplit(':').second;
    auto args = remark.getArgs();
    remarks.push_back({isDone, remark.getRemarkName().str(), remark.getFunction().str(), op.str(),
                       args.front().val, args.size() > 1 ? args[1].val : "", remark.getLocation()});
  }

private:
  std::vector<Remark> &remarks;
};
} // namespace

RemarkLog::RemarkLog(MLIRContext &context) : context(context) {
  remark::RemarkCategories all{
      .all = {}, .passed = ".*", .missed = ".*", .analysis = {}, .failed = {}};
  // Fails only where a context has an engine already, which the next line rules out.
  context.setRemarkEngine(nullptr);
  (void)remark::enableOptimizationRemarks(context, std::make_unique<Streamer>(remarks),
                                          std::make_unique<remark::RemarkEmittingPolicyAll>(), all);
}

RemarkLog::~RemarkLog() { context.setRemarkEngine(nullptr); }
