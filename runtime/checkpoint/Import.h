// Parameters from files of other programs, and to them: safetensors under names of their own.
//
// Test: tests/runtime/ImportTest.cpp.
#pragma once

#include "runtime/checkpoint/FileLayer.h"
#include "runtime/checkpoint/NameTable.h"
#include "runtime/core/Model.h"

namespace axloom::runtime {

// Sets the parameters of the model that the table has a place for, and gives their names; nothing
// changes if one of them does not fit. Throws AXL_ERROR_CHECKPOINT with a list of the first tensors
// that are missing, left over or have other shapes, by name; AXL_ERROR_FILE and AXL_ERROR_FORMAT as
// SafetensorsFile does.
std::vector<std::string> importParameters(Model &model, const std::string &path,
                                          const NameTable &table);

// Writes the parameters under the table's names and in its shapes, atomically: what
// importParameters has read comes out with the same bits. The file is marked as PyTorch's, whose
// names and shapes these tables are for. What the table leaves out is not written;
// a tensor that is several parameters is written once. Throws AXL_ERROR_CHECKPOINT with the
// parameters that the table has no row for, and those that are one tensor but differ.
void exportParameters(const Model &model, const std::string &path, const NameTable &table,
                      FileLayer &files = FileLayer::system());

} // namespace axloom::runtime
