#include "codegen/halide/Math.h"

#include "runtime/Random.h"

#include <cmath>
#include <numbers>
#include <optional>

using namespace axloom;
using codegen::minus;
using codegen::plus;
using codegen::times;
using Halide::Expr;

/// Coefficients from the highest power down.
static Expr polynomial(const Expr &x, std::initializer_list<float> coefficients) {
  Expr sum = Expr(*coefficients.begin());
  for (auto c = coefficients.begin() + 1; c != coefficients.end(); ++c)
    sum = sum * x + *c;
  return sum;
}

// In a polynomial LLVM finds nothing to reassociate: of three terms that follow one another, two
// are put together strictly. What is left, a * b + c, becomes a fused multiply-add in each.

static Expr strictly(Halide::Internal::Call::IntrinsicOp op, const Expr &a, const Expr &b,
                     std::optional<Halide::Type> type = std::nullopt) {
  return Halide::Internal::Call::make(type.value_or(a.type()), op, {a, b},
                                      Halide::Internal::Call::PureIntrinsic);
}
static Expr strictlyCompared(Halide::Internal::Call::IntrinsicOp op, const Expr &a, const Expr &b) {
  return strictly(op, a, b, Halide::Bool(a.type().lanes()));
}
Expr codegen::plus(const Expr &a, const Expr &b) {
  return a.type().is_float() ? strictly(Halide::Internal::Call::strict_add, a, b) : a + b;
}
Expr codegen::minus(const Expr &a, const Expr &b) {
  return a.type().is_float() ? strictly(Halide::Internal::Call::strict_sub, a, b) : a - b;
}
Expr codegen::times(const Expr &a, const Expr &b) {
  return a.type().is_float() ? strictly(Halide::Internal::Call::strict_mul, a, b) : a * b;
}

/// Whether a number is a power of two whose reciprocal is one, too.
static bool hasExactReciprocal(const Expr &x) {
  std::optional<double> number = Halide::Internal::as_const_float(x);
  int exponent = 0;
  return number && std::abs(std::frexp(*number, &exponent)) == 0.5 && std::abs(exponent) < 100;
}

Expr codegen::over(const Expr &a, const Expr &b) {
  if (!a.type().is_float() || hasExactReciprocal(b))
    return a / b;
  if (Halide::Internal::is_const_zero(b)) // Halide refuses this; the sign of 0 is lost
    return times(a, Halide::Internal::make_const(a.type(), INFINITY));
  return strictly(Halide::Internal::Call::strict_div, a, b);
}

// An instruction that takes the larger of two gives the second one where either is no number.
static Expr notBelow(const Expr &x, const Expr &least) {
  return strictly(Halide::Internal::Call::strict_max, least, x);
}
static Expr notAbove(const Expr &x, const Expr &most) {
  return strictly(Halide::Internal::Call::strict_min, most, x);
}

/// Told by its bits: LLVM may take it that floats are numbers.
static Expr isNotANumber(const Expr &x) {
  if (x.type().bits() == 64)
    return (Halide::reinterpret<int64_t>(x) & Expr(INT64_MAX)) > Expr(INT64_C(0x7ff0000000000000));
  return (Halide::reinterpret<int32_t>(x) & INT32_MAX) > 0x7f800000;
}

/// Whether this is a constant, and a number.
static bool isNumber(const Expr &x) {
  std::optional<double> number = Halide::Internal::as_const_float(x);
  return number && !std::isnan(*number);
}

/// What strict_max or strict_min give, or not-a-number where either operand is.
static Expr extreme(Halide::Internal::Call::IntrinsicOp op, const Expr &a, const Expr &b) {
  if (isNumber(a))
    return strictly(op, a, b);
  if (isNumber(b))
    return strictly(op, b, a);
  return Halide::select(isNotANumber(a), a, strictly(op, a, b));
}

Expr codegen::larger(const Expr &a, const Expr &b) {
  return a.type().is_float() ? extreme(Halide::Internal::Call::strict_max, a, b)
                             : Halide::max(a, b);
}

Expr codegen::smaller(const Expr &a, const Expr &b) {
  return a.type().is_float() ? extreme(Halide::Internal::Call::strict_min, a, b)
                             : Halide::min(a, b);
}

Expr codegen::isBelow(const Expr &a, const Expr &b) {
  return a.type().is_float() ? strictlyCompared(Halide::Internal::Call::strict_lt, a, b) : a < b;
}

Expr codegen::isEqual(const Expr &a, const Expr &b) {
  return a.type().is_float() ? strictlyCompared(Halide::Internal::Call::strict_eq, a, b) : a == b;
}

/// The number of a constant's type that is next to it in the direction of `towards`; nothing where
/// that is none, or one that programs may have processors take for 0, or where this is no constant.
static std::optional<Expr> neighbour(const Expr &x, double towards) {
  std::optional<double> number = Halide::Internal::as_const_float(x);
  if (!number)
    return std::nullopt;
  bool isDouble = x.type().bits() == 64;
  float single = std::nextafter(float(*number), float(towards));
  double next = isDouble ? std::nextafter(*number, towards) : single;
  return (isDouble ? std::isnormal(next) : std::isnormal(single))
             ? std::optional(Halide::Internal::make_const(x.type(), next))
             : std::nullopt;
}

// Halide has no strict a <= b that does not hold of not-a-number.
Expr codegen::isAtMost(const Expr &a, const Expr &b) {
  if (!a.type().is_float())
    return a <= b;
  if (std::optional<Expr> above = neighbour(b, HUGE_VAL))
    return isBelow(a, *above);
  if (std::optional<Expr> below = neighbour(a, -HUGE_VAL))
    return isBelow(*below, b);
  return isBelow(a, b) || isEqual(a, b);
}

static bool isSingle(const Expr &x) { return x.type().element_of() == Halide::Float(32); }

// x = n ln 2 + r with |r| <= ln 2 / 2; e^r is a polynomial in r, and 2^n has n + 127 as its
// exponent bits. n is the nearest integer because a sum beyond 2^23 has no bits for fractions; the
// lowest bits of that sum are n + `bias`. Gives e^r and 2^(n + bias - 127), 0 where n + bias is 0.
static std::pair<Expr, Expr> exponential(const Expr &x, int bias) {
  const float beyondFractions = 12582912.0f + float(bias); // 1.5 * 2^23
  Expr shifted = x * 1.44269504f + beyondFractions;
  Expr n = minus(shifted, beyondFractions);
  Expr r = x - n * 0.693145752f; // exact: the constant has 15 bits, n at most 8
  r = minus(r, times(n, 1.42860677e-6f));
  Expr mantissa = polynomial(
      r, {0.00138145406f, 0.00836874545f, 0.041668389f, 0.166665211f, 0.49999994f, 1.0f, 1.0f});
  return {mantissa, Halide::reinterpret<float>(Halide::reinterpret<uint32_t>(shifted) << 23)};
}

// 2^n is made as 2 * 2^(n - 1), so that n = 128 does not overflow too early. Where n is -126, below
// 2^-125.5, 2^(n - 1) and the result are 0.
Expr codegen::expOf(Expr x) {
  if (!isSingle(x))
    return Halide::exp(x);
  const float least = -87.33f, most = 88.72f;
  auto [mantissa, half] = exponential(notAbove(notBelow(x, least), most), 126);
  return times(times(mantissa, half), 2.0f);
}

// -88 stands for all numbers below: there n is -127, so that 2^n and the result are 0.
Expr codegen::expOfNegative(Expr x) {
  if (!isSingle(x))
    return Halide::exp(x);
  auto [mantissa, power] = exponential(notBelow(x, -88.0f), 127);
  return times(mantissa, power);
}

// x = n + r exactly, |r| <= 1/2; 2^r is a polynomial in r, and n is added to its exponent. -127
// stands for all numbers below: there r is 0, so that 2^r is 1, whose exponent bits are 127.
// Between -127 and -126 the result is a number below 2^-126, with an error below 2^-127.
Expr codegen::exp2OfNegative(Expr x) {
  if (!isSingle(x))
    return Halide::exp(x * Halide::Internal::make_const(x.type(), std::numbers::ln2));
  const float beyondFractions = 12582912.0f; // 1.5 * 2^23: its lowest bits are 0
  x = notBelow(x, -127.0f);
  Expr shifted = plus(x, beyondFractions);
  Expr r = minus(x, minus(shifted, beyondFractions));
  Expr mantissa = polynomial(r, {1.53264715e-4f, 1.33908063e-3f, 9.61850583e-3f, 5.55035993e-2f,
                                 2.40226477e-1f, 6.93147182e-1f, 1.0f});
  Expr exponent = Halide::reinterpret<uint32_t>(shifted) << 23;
  return Halide::reinterpret<float>(Halide::reinterpret<uint32_t>(mantissa) + exponent);
}

Expr codegen::inUnitsOfLog2(const Expr &x) {
  return times(x, Halide::Internal::make_const(x.type(), std::numbers::log2e));
}

// What is no finite number is told by its bits and made of them: LLVM may take it that floats are
// finite, and knows nothing of integers.
constexpr int32_t oneBits = 0x3f800000, infinityBits = 0x7f800000, notANumberBits = 0x7fc00000,
                  signBit = INT32_MIN;
static Expr isZero(const Expr &bits) { return (bits & ~signBit) == 0; }

/// Bits of the logarithm of what has none that is finite: -inf of zeros, inf and not-a-number of
/// themselves, not-a-number of all below 0.
static Expr bitsOfOtherLog(const Expr &bits) {
  return Halide::select(isZero(bits), infinityBits | signBit,
                        Halide::select(bits < 0, notANumberBits, bits));
}

// x = 2^e m with m in [sqrt(1/2), sqrt(2)); log m = f - f^2 / 2 + f^3 p(f) for f = m - 1.
Expr codegen::logOf(Expr x) {
  if (!isSingle(x))
    return Halide::log(x);
  Expr bits = Halide::reinterpret<int32_t>(x);
  const int32_t sqrtHalf = 0x3f3504f3, leastNormal = 0x00800000, scale = 23;
  Expr isSmall = bits < leastNormal; // has no exponent of its own
  Expr scaled =
      Halide::select(isSmall, Halide::reinterpret<int32_t>(times(x, float(1 << scale))), bits);
  Expr binade = (scaled - sqrtHalf) >> 23;
  Expr f = Halide::reinterpret<float>(scaled - (binade << 23)) - 1.0f;
  Expr exponent = binade - Halide::select(isSmall, scale, 0);
  Expr p = polynomial(f, {6.97161147e-2f, -1.14797338e-1f, 1.16854199e-1f, -1.24256873e-1f,
                          1.42490576e-1f, -1.66678023e-1f, 2.00007157e-1f, -2.49999970e-1f,
                          3.33333312e-1f});
  Expr e = Halide::cast<float>(exponent);
  Expr square = times(f, f);
  Expr tail = plus(times(square, f) * p + times(square, -0.5f), times(e, 1.42860677e-6f));
  Expr y = plus(times(e, 0.693145752f), plus(f, tail));
  Expr finite = bits > 0 && bits < infinityBits;
  return Halide::reinterpret<float>(
      Halide::select(finite, Halide::reinterpret<int32_t>(y), bitsOfOtherLog(bits)));
}

Expr codegen::tanhOf(Expr x) {
  if (!isSingle(x))
    return Halide::tanh(x);
  Expr square = times(x, x);
  Expr small =
      x + times(x, square) * polynomial(square, {-6.04516510e-3f, 2.09613291e-2f, -5.38432633e-2f,
                                                 1.33327188e-1f, -3.33333284e-1f});
  Expr size = Halide::abs(x);
  Expr large = 1.0f - 2.0f / (expOf(2.0f * size) + 1.0f);
  return Halide::select(size < 0.63f, small, Halide::select(x < 0.0f, -large, large));
}

Expr codegen::sigmoidOf(Expr x) {
  Expr e = expOf(-Halide::abs(x)), one = Halide::cast(x.type(), 1);
  Expr ofSize = over(one, plus(one, e));
  return Halide::select(x < 0, times(e, ofSize), ofSize);
}

// A polynomial in x^2 below 1; beyond, 1 - e^(-x^2) q(x).
Expr codegen::erfOf(Expr x) {
  if (!isSingle(x)) // Halide's own is for f32, the C library's for f64
    return Halide::Internal::Call::make(Halide::Float(64, x.type().lanes()), "erf",
                                        {Halide::cast(Halide::Float(64, x.type().lanes()), x)},
                                        Halide::Internal::Call::PureExtern);
  Expr square = times(x, x);
  Expr small =
      x + x * polynomial(square, {7.87587506e-5f, -8.01686429e-4f, 5.18908742e-3f, -2.68542120e-2f,
                                  1.12835947e-1f, -3.76126267e-1f, 1.28379166e-1f});
  Expr size = notAbove(Halide::abs(x), 4.0f);
  Expr q = polynomial(size, {-6.14593549e-6f, 1.62007396e-4f, -1.91210938e-3f, 1.33717694e-2f,
                             -6.18560941e-2f, 2.00398103e-1f, -4.70379908e-1f, 8.16736274e-1f,
                             -1.05592481f, 9.86994215e-1f});
  Expr large = 1.0f - times(expOfNegative(times(-size, size)), q);
  return Halide::select(Halide::abs(x) < 1.0f, small, Halide::select(x < 0.0f, -large, large));
}

/// sin(x + turns * pi / 2): reduces to |r| <= pi / 4, where a quarter of the circle decides between
/// two polynomials.
static Expr circular(const Expr &x, int turns) {
  Expr n = Halide::round(x * 0.636619772f);
  // The first three parts of pi / 2 have 8 bits each: their products with n are exact below 10^5.
  Expr r = minus(minus(x, times(n, 0x1.92p0f)), times(n, 0x1.fap-12f)); // exact, too
  Expr third = times(n, 0x1.54p-20f), rest = minus(r, third);
  Expr lost = minus(minus(r, rest), third); // by rounding
  r = minus(rest, minus(times(n, 0x1.10b4612p-30f), lost));
  r = Halide::clamp(r, -0.8f, 0.8f); // where n has no bits left for pi
  Expr square = times(r, r);
  Expr sine = r + times(r, square) * polynomial(square, {2.72499258e-6f, -1.98400867e-4f,
                                                         8.33333187e-3f, -1.66666667e-1f});
  Expr cosine = plus(1.0f, times(square, -0.5f)) +
                times(square, square) * polynomial(square, {-2.73009592e-7f, 2.48006004e-5f,
                                                            -1.38888877e-3f, 4.16666667e-2f});
  Expr quarter = Halide::cast<int32_t>(Halide::clamp(n, -1e9f, 1e9f)) + turns;
  Expr value = Halide::select((quarter & 1) == 0, sine, cosine);
  value = Halide::select((quarter & 2) == 0, value, -value);
  Expr finite = (Halide::reinterpret<int32_t>(x) & ~signBit) < infinityBits;
  return Halide::reinterpret<float>(
      Halide::select(finite, Halide::reinterpret<int32_t>(value), notANumberBits));
}

Expr codegen::sinOf(Expr x) { return isSingle(x) ? circular(x, 0) : Halide::sin(x); }
Expr codegen::cosOf(Expr x) { return isSingle(x) ? circular(x, 1) : Halide::cos(x); }

// The power of |x|; below 0 it takes the sign of an odd exponent, and there is none for one that is
// not whole. 0 has no logarithm that could be multiplied: where it is a constant, LLVM would see
// that the product is none of finite numbers.
Expr codegen::powOf(Expr x, Expr exponent) {
  if (!isSingle(x))
    return Halide::pow(x, exponent);
  Expr bits = Halide::reinterpret<int32_t>(x);
  Expr zero = isZero(bits);
  Expr base = Halide::reinterpret<float>(Halide::select(zero, oneBits, bits & ~signBit));
  Expr size = expOf(exponent * logOf(base));
  size = Halide::select(exponent == 0.0f, 1.0f, size);
  auto isWhole = [](const Expr &e) { return Halide::floor(e) == e; };
  Expr sign = Halide::select(isWhole(exponent * 0.5f), 0, signBit);
  Expr sizeBits = Halide::reinterpret<int32_t>(size);
  sizeBits =
      Halide::select(zero && exponent > 0.0f, 0, zero && exponent < 0.0f, infinityBits, sizeBits);
  Expr below = Halide::select(isWhole(exponent) || zero, sizeBits | sign, notANumberBits);
  return Halide::reinterpret<float>(Halide::select(bits < 0, below, sizeBits));
}

Expr codegen::floorDivide(Expr a, Expr b) {
  // Halide's remainder is never negative.
  return Halide::select(b < 0 && a % b != 0, a / b - 1, a / b);
}

/// A mixing function of 32-bit integers ("lowbias32", found by C. Wellons' search for low bias).
static Expr mix(Expr x) {
  x = x ^ (x >> 16);
  x = x * Halide::Internal::make_const(Halide::UInt(32), 0x7feb352dU);
  x = x ^ (x >> 15);
  x = x * Halide::Internal::make_const(Halide::UInt(32), 0x846ca68bU);
  return x ^ (x >> 16);
}

static Expr word(const Expr &x) { return Halide::cast<uint32_t>(x); }
static Expr constant(uint32_t x) { return Halide::Internal::make_const(Halide::UInt(32), x); }

Expr codegen::counterSteps(const std::vector<std::pair<Expr, int64_t>> &coordinates) {
  Expr steps = constant(0);
  for (const auto &[coordinate, number] : coordinates)
    steps = steps + word(coordinate) * constant(random::coordinateFactors[number]);
  return steps;
}

Expr codegen::uniform(Expr seed, Expr step, Expr site, const Expr &steps) {
  Expr key0 = mix(word(seed) ^ constant(0x9e3779b9U));
  Expr key1 = mix(key0 + word(step));
  Expr hash = mix(key1 ^ (word(site) * constant(0x85ebca6bU))) + steps;
  Expr bits = mix(mix(hash) ^ key1);
  return Halide::cast<float>(Halide::cast<int32_t>(bits >> 8)) * 5.9604644775390625e-8f;
}
