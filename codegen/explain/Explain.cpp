#include "codegen/explain/Explain.h"

#include "codegen/explain/Launches.h"
#include "codegen/host/Arena.h"
#include "ir/Ragged.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

static std::optional<ir::SourceLine> lineFrom(StringRef text) {
  auto [file, number] = text.rsplit(':');
  unsigned line = 0;
  if (file.empty() || number.getAsInteger(10, line))
    return std::nullopt;
  return ir::SourceLine{llvm::sys::path::filename(file).str(), line};
}

std::string codegen::problemWithLine(StringRef line) {
  return line.empty() || lineFrom(line) ? ""
                                        : "--line is '" + line.str() + "', expected FILE:NUMBER";
}

namespace {
/// What launches do, and take at best.
struct Prediction {
  double gigaOperations = 0, megabytesRead = 0, megabytesWritten = 0;
  double products = 0, memory = 0; // ms
  double least = 0;                // ms, the larger of both for each launch

  Prediction &operator+=(const Prediction &other);
};

/// Writes an answer.
class Writer {
public:
  Writer(const Description &model, const SizeValues &sizes, const Question &question)
      : model(model), sizes(sizes), machine(question.machine), line(lineFrom(question.line)),
        os(text) {}

  void writeHead(ModuleOp planned, const passes::PipelineOptions &pipeline);
  void writeFunction(func::FuncOp function, ArrayRef<passes::Remark> remarks);
  void writeEnd();

  std::string text;

private:
  std::string bytesText(const Amount &bytes, func::FuncOp function) const;
  std::string arenaText(func::FuncOp function) const;
  Prediction predict(const Launch &launch, func::FuncOp function) const;
  void writePredicted(ArrayRef<Launch> launches, func::FuncOp function);
  void writeFormulas(const Launch &launch);
  void writeOrigin(const Launch &launch);

  const Description &model;
  const SizeValues &sizes;
  const MachineLimits &machine;
  std::optional<ir::SourceLine> line; // the only one that was asked for
  bool isLineFound = false;
  llvm::raw_string_ostream os;
};
} // namespace

Prediction &Prediction::operator+=(const Prediction &other) {
  gigaOperations += other.gigaOperations;
  megabytesRead += other.megabytesRead;
  megabytesWritten += other.megabytesWritten;
  products += other.products;
  memory += other.memory;
  least += other.least;
  return *this;
}

static std::string number(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.4g", value);
  return text;
}

//===----------------------------------------------------------------------===//
// The model and its memory
//===----------------------------------------------------------------------===//

/// Bytes as megabytes, or as a formula where sizes are not known.
std::string Writer::bytesText(const Amount &bytes, func::FuncOp function) const {
  if (!sizes.areKnown())
    return bytes.str() + " bytes";
  return number(1e-6 * bytes.at([&](StringRef symbol) { return sizes.of(symbol, function); })) +
         " MB";
}

std::string Writer::arenaText(func::FuncOp function) const {
  auto valueOf = [&](StringRef symbol) {
    return sizes.areKnown() ? sizes.of(symbol, function)
                            : double(model.symbols[model.symbolIndex.lookup(symbol)].maximum);
  };
  return number(1e-6 * arenaBytes(model, function, valueOf)) +
         (sizes.areKnown() ? " MB" : " MB with all sizes at their maxima");
}

void Writer::writeHead(ModuleOp planned, const passes::PipelineOptions &pipeline) {
  os << "model " << model.name << " for " << model.target;
  if (sizes.areKnown())
    os << (sizes.str().empty() ? "" : " at " + sizes.str())
       << "; the machine: " << number(machine.gflops) << " GFLOP/s, "
       << (machine.bf16Gflops > 0 ? number(machine.bf16Gflops) + " of bf16, " : "")
       << number(machine.bandwidth) << " GB/s";
  os << "\n";
  for (StringRef optimization : passes::optimizations())
    if (std::string why = pipeline.whyOff(optimization); !why.empty())
      os << "off: " << optimization << " (" << why << ")\n";
  for (StringRef kind : {"parameter", "state", "session"}) {
    Amount bytes;
    for (auto variable : planned.getOps<ir::VariableOp>()) {
      auto type = cast<ir::NamedTensorType>(variable.getType());
      if (variable.getKind() == kind)
        bytes.add(ir::elementBytes(type.getElementType()), ir::elementCount(type));
    }
    if (!bytes.isZero())
      os << kind << " variables: " << bytesText(bytes, nullptr) << "\n";
  }
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

Prediction Writer::predict(const Launch &launch, func::FuncOp function) const {
  auto times = double(launch.count());
  auto value = [&](const Amount &amount) {
    return times * amount.at([&](StringRef symbol) { return sizes.of(symbol, function); });
  };
  Prediction all;
  double ofBf16 = 2e-9 * value(launch.bf16MultiplyAdds);
  double ofOthers = 2e-9 * value(launch.multiplyAdds);
  all.gigaOperations = ofBf16 + ofOthers;
  all.megabytesRead = 1e-6 * value(launch.bytesRead);
  all.megabytesWritten = 1e-6 * value(launch.bytesWritten);
  double bf16Gflops = machine.bf16Gflops > 0 ? machine.bf16Gflops : machine.gflops;
  all.products = 1e3 * (ofOthers / machine.gflops + ofBf16 / bf16Gflops);
  all.memory = (all.megabytesRead + all.megabytesWritten) / machine.bandwidth;
  all.least = std::max(all.products, all.memory);
  return all;
}

static void writeName(llvm::raw_ostream &os, const Launch &launch) {
  os << launch.names.front();
  if (launch.names.size() > 1)
    os << (launch.isGroup ? " with " : " and ") << launch.names.size() - 1 << " more";
  os << ", " << launch.family << "\n";
}

void Writer::writePredicted(ArrayRef<Launch> launches, func::FuncOp function) {
  std::vector<std::pair<Prediction, const Launch *>> order;
  Prediction all;
  for (const Launch &launch : launches) {
    order.emplace_back(predict(launch, function), &launch);
    all += order.back().first;
  }
  llvm::stable_sort(order,
                    [](const auto &a, const auto &b) { return a.first.least > b.first.least; });
  os << "  at least " << number(all.least) << " ms: " << number(all.gigaOperations)
     << " GFLOP in products, " << number(all.megabytesRead) << " MB read, "
     << number(all.megabytesWritten) << " MB written\n";
  os << "  ms at least   share  limit        GFLOP   MB read  MB written  kernel\n";
  for (const auto &[part, launch] : order) {
    os << llvm::format("  %11.4g %6.1f %%  %s %9.4g %9.4g   %9.4g  ", part.least,
                       all.least > 0 ? 100 * part.least / all.least : 0.0,
                       part.products > part.memory ? "products" : "memory  ", part.gigaOperations,
                       part.megabytesRead, part.megabytesWritten);
    writeName(os, *launch);
    writeOrigin(*launch);
  }
}

void Writer::writeFormulas(const Launch &launch) {
  os << "  ";
  writeName(os, launch);
  if (!launch.multiplyAdds.isZero())
    os << "      multiply-adds: " << launch.multiplyAdds.str() << "\n";
  if (!launch.bf16MultiplyAdds.isZero())
    os << "      multiply-adds of bf16: " << launch.bf16MultiplyAdds.str() << "\n";
  os << "      bytes read: " << launch.bytesRead.str() << "\n";
  os << "      bytes written: " << launch.bytesWritten.str() << "\n";
  writeOrigin(launch);
}

/// The lines that its ops come from, and why they are together.
void Writer::writeOrigin(const Launch &launch) {
  for (const auto &[place, ops] : launch.ops) {
    os << "      " << place.str() << "  ";
    llvm::interleaveComma(ops, os, [&](const auto &op) {
      os << (op.second > 1 ? std::to_string(op.second) + " " : "") << op.first;
    });
    os << "\n";
  }
  for (const std::string &reason : launch.reasons)
    os << "      - " << reason << "\n";
}

void Writer::writeFunction(func::FuncOp function, ArrayRef<passes::Remark> remarks) {
  std::vector<Launch> launches = launchesOf(function, model);
  std::vector<std::string> others = addReasons(launches, function.getSymName(), remarks);
  if (line) {
    llvm::erase_if(launches, [&](const Launch &launch) { return !launch.ops.contains(*line); });
    llvm::erase_if(others, [&](StringRef text) { return !text.starts_with(line->str() + ": "); });
    if (launches.empty() && others.empty())
      return;
    isLineFound = true;
  }
  size_t count = 0;
  for (const Launch &launch : launches)
    count += launch.count();
  os << "\nfunction " << function.getSymName() << ": " << count
     << (count == 1 ? " launch" : " launches") << (line ? " of " + line->str() : "") << ", arena "
     << arenaText(function) << "\n";
  if (sizes.areKnown())
    writePredicted(launches, function);
  else
    for (const Launch &launch : launches)
      writeFormulas(launch);
  for (const std::string &remark : others)
    os << "  - " << remark << "\n";
}

void Writer::writeEnd() {
  if (line && !isLineFound)
    os << "\nno kernel holds an op of " << line->str()
       << ": no op stands there, or it was folded, merged with an equal one of another line, or is "
          "not used\n";
}

std::string codegen::explain(ModuleOp planned, const Description &model, const SizeValues &sizes,
                             const Question &question, const passes::PipelineOptions &pipeline,
                             ArrayRef<passes::Remark> remarks) {
  Writer writer(model, sizes, question);
  writer.writeHead(planned, pipeline);
  for (auto function : planned.getOps<func::FuncOp>())
    if (!function.isExternal())
      writer.writeFunction(function, remarks);
  writer.writeEnd();
  return writer.text;
}
