// The files of one training run, all in one folder.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

namespace example {

struct RunFolder {
  explicit RunFolder(std::string path);

  std::string path;
  std::string vocabulary; // the subword units that were learned
  std::string words;      // or those of published weights
  std::string labels;     // of a classifier
  std::string checkpoint; // parameters, optimizer state, position in the data
  std::string history;    // losses, a JSON object a line
  std::string curve;      // the loss curve, a picture
  std::string confusion;  // the confusion matrix of a classifier, a picture

  // Makes the folder if it is missing, and takes it for as long as this object or a copy of it
  // lives, where the file system has locks: then what killed runs have left half-written goes away.
  // Throws Error (AXL_ERROR_FILE) if the folder cannot be made, files cannot be written there, or
  // another run has taken it: before hours of training rather than after.
  // What a setAside that was killed has moved comes back.
  void prepare();

  // Moves the files of an earlier run to the folder `previous` in this one, replacing the run that
  // is there, so that one that starts anew loses nothing. Gives that folder, "" if there was no
  // checkpoint: a run that ended before its first one leaves nothing that counts.
  std::string setAside() const;

private:
  std::shared_ptr<std::FILE> lock;
};

} // namespace example
