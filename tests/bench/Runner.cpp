// Runs compiled models for the benchmark, which asks on standard input:
//   bench-runner THREADS [LIBRARY MODEL]
//     LIBRARY is a bundle linked as a shared library, MODEL its name.
// Each line of input is answered by a line of output, a number or "error: ..."; between two lines
// the program sleeps.
//   call FUNCTION COUNT NAME=VALUE...  milliseconds of each of COUNT calls, on average; values are
//                                      size symbols and integer arguments
//   parameters "FILE"                  writes the parameters of a new model
//   example "FILE" FUNCTION NAME=VALUE...
//                                      writes arguments and results of a new model's first call;
//                                      both are answered by 0
//   bytes                              memory that the calls so far needed: arena and scratch
//   peak                               f32 GFLOP/s of the machine
//   peak_bf16                          the same of bf16; 0 if it has no instructions for that
//   bandwidth                          GB/s that the machine reads from memory
#include "runtime/profile/Machine.h"
#include "tests/bench/Calls.h"
#include "tests/bench/Library.h"

#include <chrono>
#include <iomanip>
#include <iostream>
#include <optional>
#include <sstream>

using namespace axloom;
using runtime::concat;
using runtime::Error;

namespace {

bench::Values readValues(std::istringstream &words) {
  bench::Values values;
  for (std::string word; words >> word;) {
    size_t equals = word.find('=');
    values[word.substr(0, equals)] = std::stoll(word.substr(equals + 1));
  }
  return values;
}

class Runner {
public:
  // `tables`: the model, or null.
  Runner(int threads, const axl_model *tables) : threads(threads) {
    if (tables)
      calls.emplace(*tables);
  }

  double answer(const std::string &line) {
    std::istringstream words(line);
    std::string command;
    words >> command;
    if (command == "peak")
      return runtime::peakGflops(threads);
    if (command == "peak_bf16")
      return runtime::peakBf16Gflops(threads);
    if (command == "bandwidth")
      return runtime::readBandwidth(threads);
    if (!calls)
      throw Error(AXL_ERROR_ARGUMENT, concat("no model is loaded that could answer: ", line));
    if (command == "bytes")
      return double(calls->workingBytes());
    if (command == "call")
      return milliseconds(words);
    if (command == "parameters" || command == "example")
      return write(command, words);
    throw Error(AXL_ERROR_ARGUMENT, concat("unknown command: ", line));
  }

private:
  double milliseconds(std::istringstream &words) {
    std::string function;
    int count = 0;
    words >> function >> count;
    bench::Call &call = calls->find(function, readValues(words));
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i)
      call.run();
    std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    return time.count() / count;
  }

  double write(const std::string &what, std::istringstream &words) {
    std::string path, function;
    words >> std::quoted(path) >> function;
    if (what == "parameters")
      calls->writeParameters(path);
    else
      calls->writeExample(path, function, readValues(words));
    return 0;
  }

  int threads;
  std::optional<bench::Calls> calls;
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 2 && argc != 4) {
    std::cerr << "usage: bench-runner THREADS [LIBRARY MODEL]\n";
    return 2;
  }
  try {
    int threads = axl_set_threads(std::stoi(argv[1]));
    Runner runner(threads, argc == 4 ? &bench::load(argv[2], argv[3]) : nullptr);
    for (std::string line; std::getline(std::cin, line);) {
      try {
        std::cout << runner.answer(line) << std::endl;
      } catch (const std::exception &error) {
        std::cout << "error: " << error.what() << std::endl;
      }
    }
    return 0;
  } catch (const std::exception &error) {
    std::cerr << "bench-runner: error: " << error.what() << "\n";
    return 1;
  }
}
