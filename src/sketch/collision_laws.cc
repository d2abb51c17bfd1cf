#include "sketch/collision_laws.h"

#include <algorithm>
#include <cmath>

namespace twinset::inline v1 {
namespace {

constexpr double kLn2 = 0.69314718055994530942;

double Pairs(double documents) { return documents * (documents - 1) / 2; }

}  // namespace

double FixedPairBound(double bits, double primes) {
  return std::min(1.0, bits / primes);
}

double AnyPairBound(double documents, double bits, double primes) {
  return std::min(1.0, Pairs(documents) * bits / primes);
}

Result<double> PrimesNeeded(double documents, double bits, double failure) {
  if (!(documents >= 2 && bits >= 1 && failure > 0 && failure < 1)) {
    return Fail(ErrorCode::kUsage,
                "a fingerprint is sized for at least 2 documents of at least "
                "1 bit and a failure above 0 and below 1");
  }
  return Pairs(documents) * bits / failure;
}

int PrimeBits(double primes) {
  int bits = 5;  // the bound holds from 17 on
  while (std::ldexp(1.0, bits) < primes * bits * kLn2) ++bits;
  return bits;
}

double PrimeLength(double primes) {
  const double log = std::log(primes);
  return std::max(1.0, std::log2(primes * (log + std::log(log) - 1)));
}

double PrimesBelow(int bits) { return std::ldexp(1.0, bits) / (bits * kLn2); }

double ExpectedCollisions(double documents, int bits) {
  return std::ldexp(Pairs(documents), -bits);
}

double AnyCollision(double expected) { return -std::expm1(-expected); }

double DocumentsFor(double tolerated, double pair_probability) {
  return (1 + std::sqrt(1 + 8 * tolerated / pair_probability)) / 2;
}

double PolynomialBound(double documents, double bits, int degree) {
  return std::min(1.0, std::ldexp(Pairs(documents) * bits, -degree));
}

double BirthdayDocuments(int bits, double probability) {
  return std::sqrt(2 * std::ldexp(1.0, bits) * -std::log1p(-probability));
}

}  // namespace twinset::inline v1
