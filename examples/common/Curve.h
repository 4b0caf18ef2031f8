// The loss curve of a run, drawn from its history.
#pragma once

#include <string>

namespace example {

// Reads the history that training wrote (a JSON object a line) and draws training loss, its moving
// average and validation loss over the steps. A history without a loss yet makes no picture.
// Lines that are cut off, by a crash or a full disk, are passed over. Returns whether it drew.
bool drawCurve(const std::string &history, const std::string &picture, const std::string &title);

} // namespace example
