#include "runtime/plot/Picture.h"

#include "runtime/checkpoint/AtomicFile.h"
#include "runtime/plot/Png.h"

using namespace axloom::runtime;
using namespace axloom::runtime::plot;

namespace {

void writeFile(const std::string &path, const std::string &bytes) {
  AtomicFile file(path);
  file.write(bytes.data(), bytes.size());
  file.commit();
}

} // namespace

void axloom::runtime::plot::save(const SvgCanvas &canvas, const std::string &path) {
  writeFile(path, canvas.document());
}

void axloom::runtime::plot::save(const PixelCanvas &canvas, const std::string &path) {
  writeFile(path, encodePng(canvas.columns(), canvas.rows(), canvas.pixels()));
}
