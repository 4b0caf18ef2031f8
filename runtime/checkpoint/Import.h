// Parameters from files of other programs, and to them: safetensors under names of their own.
//
// Test: tests/runtime/ImportTest.cpp.
#pragma once

#include "runtime/checkpoint/FileLayer.h"
#include "runtime/checkpoint/NameTable.h"
#include "runtime/checkpoint/Shards.h"
#include "runtime/core/Model.h"

namespace axloom::runtime {

// Sets the parameters of the model that the table has a place for, and gives their names. The files
// are read as one: a published model's are shardsOf(PATH). F16 and BF16 become f32, exactly.
// Nothing changes where a tensor is missing, left over (as may be a part of one), in two files, or
// of another shape or type: throws AXL_ERROR_CHECKPOINT with a list of the first of them, by name;
// AXL_ERROR_FILE and AXL_ERROR_FORMAT as SafetensorsFile does. Each tensor is read once, one at a
// time: where one turns out to be damaged, the parameters of those before it have been set.
std::vector<std::string> importParameters(Model &model, const std::vector<std::string> &files,
                                          const NameTable &table);

// Writes the parameters under the table's names and in its shapes, atomically, to one file: what
// importParameters has read comes out with the same bits, or as the same numbers if they have
// become wider. The file is marked as PyTorch's, whose names and shapes these tables are for. What
// the table leaves out is not written; a tensor that is several parameters is written once, and one
// of which parameters are parts with all of its parts. Throws AXL_ERROR_CHECKPOINT with the
// parameters that the table has no row for, those that are one tensor but differ, and the parts
// that no parameter is.
void exportParameters(const Model &model, const std::string &path, const NameTable &table,
                      FileLayer &files = FileLayer::system());

} // namespace axloom::runtime
