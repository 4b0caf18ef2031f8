// The loss curve of a run, drawn from its history.
#pragma once

#include <string>

namespace example {

// Reads the history that training wrote and draws training loss, its moving average and validation
// loss over the steps. A history without a loss yet makes no picture. Returns whether it drew.
// Throws Error where the history cannot be read.
bool drawCurve(const std::string &history, const std::string &picture, const std::string &title);

} // namespace example
