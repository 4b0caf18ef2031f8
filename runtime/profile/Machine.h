// What the machine can do at most, measured: what profiles and benchmarks are compared with.
#pragma once

namespace axloom::runtime {

// GFLOP/s of f32 multiply-adds on so many threads.
double peakGflops(int threads);

// GFLOP/s of products of bf16 that are added up in f32, by instructions for pairs of them; 0 if the
// machine has none.
double peakBf16Gflops(int threads);

// GB/s that so many threads read from memory together, from arrays far larger than any cache.
double readBandwidth(int threads);

} // namespace axloom::runtime
