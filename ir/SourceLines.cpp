#include "ir/SourceLines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace axloom;

std::string ir::SourceLine::str() const { return file + ":" + std::to_string(line); }

FileLineColLoc ir::filePlace(Location location) {
  FileLineColLoc found;
  location->walk([&](Location part) {
    found = llvm::dyn_cast<FileLineColLoc>(part);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

SmallVector<ir::SourceLine> ir::sourceLines(Location location) {
  SmallVector<SourceLine> lines;
  location->walk([&](Location part) {
    if (auto place = llvm::dyn_cast<FileLineColLoc>(part)) {
      SourceLine line{llvm::sys::path::filename(place.getFilename()).str(), place.getLine()};
      if (!llvm::is_contained(lines, line))
        lines.push_back(line);
    }
    return WalkResult::advance();
  });
  return lines;
}

std::string ir::firstLine(Location location) {
  SmallVector<SourceLine> lines = sourceLines(location);
  return lines.empty() ? "an unknown line" : lines.front().str();
}

Location ir::locationOf(ArrayRef<Operation *> ops) {
  return FusedLoc::get(ops.front()->getContext(),
                       llvm::map_to_vector(ops, [](Operation *op) { return op->getLoc(); }));
}
