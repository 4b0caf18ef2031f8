//===- Initializer.h - the first values of parameters and states -------------------===//
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace axloom {

/// A kind and its numbers, as the runtime draws them when a model is created.
struct Initializer {
  std::string kind;
  std::vector<std::pair<std::string, double>> numbers;
};

namespace init {

inline Initializer zeros() { return {"zeros", {}}; }
inline Initializer ones() { return {"ones", {}}; }
inline Initializer constant(double value) { return {"constant", {{"value", value}}}; }
inline Initializer uniform(double low, double high) {
  return {"uniform", {{"low", low}, {"high", high}}};
}
inline Initializer normal(double mean, double deviation) {
  return {"normal", {{"mean", mean}, {"stddev", deviation}}};
}
/// Keeps the variance of activations and gradients through a linear layer (Glorot & Bengio 2010).
inline Initializer xavier(double inputs, double outputs) {
  double bound = std::sqrt(6 / (inputs + outputs));
  return uniform(-bound, bound);
}

} // namespace init
} // namespace axloom
