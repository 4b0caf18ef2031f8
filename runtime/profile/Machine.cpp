#include "runtime/profile/Machine.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <immintrin.h>
#include <memory>
#include <thread>
#include <vector>

namespace axloom::runtime {
namespace {

constexpr int repetitions = 3; // the best of them counts

// Wide vectors of the compiler's own: one register each where the functions below use them.
typedef float Lanes16 __attribute__((vector_size(64)));
typedef float Lanes8 __attribute__((vector_size(32)));
typedef float Lanes4 __attribute__((vector_size(16)));

// Twelve chains x <- x * a + b: more than latency times multipliers of today's cores, and few
// enough to stay in sixteen registers. Named one by one, since compilers keep arrays in memory.
// Gives a number that depends on all of them.
template <class V> [[gnu::always_inline]] inline float multiplyAdds(int64_t rounds) {
  V a = V{} + 0.999f, b = V{} + 0.001f, first = V{};
  // From here on no compiler knows where they start: it would leave out a chain that stays what it
  // is, as 1 does.
  asm volatile("" : "+m"(first));
  V x0 = first, x1 = first + 1.f, x2 = first + 2.f, x3 = first + 3.f, x4 = first + 4.f,
    x5 = first + 5.f, x6 = first + 6.f, x7 = first + 7.f, x8 = first + 8.f, x9 = first + 9.f,
    x10 = first + 10.f, x11 = first + 11.f;
  for (int64_t i = 0; i < rounds; ++i) {
    x0 = x0 * a + b, x1 = x1 * a + b, x2 = x2 * a + b, x3 = x3 * a + b;
    x4 = x4 * a + b, x5 = x5 * a + b, x6 = x6 * a + b, x7 = x7 * a + b;
    x8 = x8 * a + b, x9 = x9 * a + b, x10 = x10 * a + b, x11 = x11 * a + b;
  }
  V sum = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9 + x10 + x11;
  return sum[0];
}
constexpr int chains = 12;

// The same with x <- x + a0 * b0 + a1 * b1.
[[gnu::target("avx512f,avx512bf16")]] float bf16DotProducts(int64_t rounds) {
  __m512bh a = _mm512_cvtne2ps_pbh(_mm512_set1_ps(0.999f), _mm512_set1_ps(0.5f));
  __m512bh b = _mm512_cvtne2ps_pbh(_mm512_set1_ps(0.001f), _mm512_set1_ps(0.002f));
  __m512 x0 = _mm512_set1_ps(0), x1 = _mm512_set1_ps(1), x2 = _mm512_set1_ps(2),
         x3 = _mm512_set1_ps(3), x4 = _mm512_set1_ps(4), x5 = _mm512_set1_ps(5),
         x6 = _mm512_set1_ps(6), x7 = _mm512_set1_ps(7), x8 = _mm512_set1_ps(8),
         x9 = _mm512_set1_ps(9), x10 = _mm512_set1_ps(10), x11 = _mm512_set1_ps(11);
  for (int64_t i = 0; i < rounds; ++i) {
    x0 = _mm512_dpbf16_ps(x0, a, b), x1 = _mm512_dpbf16_ps(x1, a, b);
    x2 = _mm512_dpbf16_ps(x2, a, b), x3 = _mm512_dpbf16_ps(x3, a, b);
    x4 = _mm512_dpbf16_ps(x4, a, b), x5 = _mm512_dpbf16_ps(x5, a, b);
    x6 = _mm512_dpbf16_ps(x6, a, b), x7 = _mm512_dpbf16_ps(x7, a, b);
    x8 = _mm512_dpbf16_ps(x8, a, b), x9 = _mm512_dpbf16_ps(x9, a, b);
    x10 = _mm512_dpbf16_ps(x10, a, b), x11 = _mm512_dpbf16_ps(x11, a, b);
  }
  __m512 sum = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9 + x10 + x11;
  return sum[0];
}

template <class V> [[gnu::always_inline]] inline float sumOf(const float *data, int64_t count) {
  constexpr int64_t lanes = sizeof(V) / sizeof(float);
  auto *at = reinterpret_cast<const V *>(data);
  V s0{}, s1{}, s2{}, s3{};
  for (int64_t i = 0; i < count / lanes; i += 4)
    s0 += at[i], s1 += at[i + 1], s2 += at[i + 2], s3 += at[i + 3];
  V sum = (s0 + s1) + (s2 + s3);
  return sum[0];
}

// The loops above for one instruction set.
struct Loops {
  int lanes;
  float (*multiplyAdds)(int64_t rounds);
  float (*sum)(const float *data, int64_t count);
};

[[gnu::target("avx512f")]] float fma16(int64_t rounds) { return multiplyAdds<Lanes16>(rounds); }
[[gnu::target("avx512f")]] float sum16(const float *data, int64_t count) {
  return sumOf<Lanes16>(data, count);
}
[[gnu::target("avx2,fma")]] float fma8(int64_t rounds) { return multiplyAdds<Lanes8>(rounds); }
[[gnu::target("avx2,fma")]] float sum8(const float *data, int64_t count) {
  return sumOf<Lanes8>(data, count);
}
float fma4(int64_t rounds) { return multiplyAdds<Lanes4>(rounds); }
float sum4(const float *data, int64_t count) { return sumOf<Lanes4>(data, count); }

Loops fastestLoops() {
  if (__builtin_cpu_supports("avx512f"))
    return {16, fma16, sum16};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return {8, fma8, sum8};
  return {4, fma4, sum4};
}

// Keeps a result, so that computing it cannot be left out.
void keep(float value) { asm volatile("" : : "r,m"(value) : "memory"); }

// Runs `work(thread)` on all threads at once.
void runTogether(int threads, const std::function<void(int)> &work) {
  std::vector<std::jthread> team;
  team.reserve(size_t(threads));
  for (int thread = 0; thread < threads; ++thread)
    team.emplace_back(work, thread);
}

// Seconds of that, the best of some repetitions.
double seconds(int threads, const std::function<void(int)> &work) {
  double best = 1e9;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    auto start = std::chrono::steady_clock::now();
    runTogether(threads, work);
    std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  return best;
}

} // namespace

double peakGflops(int threads) {
  constexpr int64_t rounds = 20'000'000; // a tenth of a second
  Loops loops = fastestLoops();
  double time = seconds(threads, [&](int) { keep(loops.multiplyAdds(rounds)); });
  return 2e-9 * chains * loops.lanes * double(rounds) * threads / time;
}

double peakBf16Gflops(int threads) {
  constexpr int64_t rounds = 20'000'000;
  constexpr int products = 32; // of an instruction
  if (!__builtin_cpu_supports("avx512bf16"))
    return 0;
  double time = seconds(threads, [&](int) { keep(bf16DotProducts(rounds)); });
  return 2e-9 * chains * products * double(rounds) * threads / time;
}

double readBandwidth(int threads) {
  // Floats of a thread: 256 MiB of them, or its part of 1 GiB, where threads are many.
  constexpr int64_t most = int64_t(1) << 26, ofAll = int64_t(1) << 28, unit = 1 << 12;
  const int64_t count = std::min(most, ofAll / threads / unit * unit);
  Loops loops = fastestLoops();
  std::vector<std::unique_ptr<Lanes16[]>> arrays;
  for (int thread = 0; thread < threads; ++thread)
    arrays.push_back(std::make_unique_for_overwrite<Lanes16[]>(size_t(count / 16)));
  // Memory is near the processor that writes to it first.
  runTogether(threads, [&](int thread) {
    std::memset(arrays[size_t(thread)].get(), 0, sizeof(float) * size_t(count));
  });
  double time = seconds(threads, [&](int thread) {
    keep(loops.sum(reinterpret_cast<const float *>(arrays[size_t(thread)].get()), count));
  });
  return 1e-9 * sizeof(float) * double(count) * threads / time;
}

} // namespace axloom::runtime
