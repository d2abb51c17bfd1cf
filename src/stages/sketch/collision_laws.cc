#include "sketch/collision_laws.h"

#include <algorithm>
#include <cmath>

namespace twinset {
namespace {

constexpr double kLn2 = 0.69314718055994530942;

}  // namespace

double PrimeLength(double primes) {
  const double log = std::log(primes);
  return std::max(1.0, std::log2(primes * (log + std::log(log) - 1)));
}

double PrimesBelow(int bits) { return std::ldexp(1.0, bits) / (bits * kLn2); }

double AnyCollision(double expected) { return -std::expm1(-expected); }

double DocumentsFor(double tolerated, double pair_probability) {
  return (1 + std::sqrt(1 + 8 * tolerated / pair_probability)) / 2;
}

double BirthdayDocuments(int bits, double probability) {
  return std::sqrt(2 * std::ldexp(1.0, bits) * -std::log1p(-probability));
}

}  // namespace twinset
