// Money in cents and exact fractions. No double decides who is shown or what a
// click costs.
#ifndef TWINSET_SRC_MEASURE_ADS_MONEY_H_
#define TWINSET_SRC_MEASURE_ADS_MONEY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace twinset::ads {

using Wide = unsigned __int128;

// 0 only of two zeros.
Wide WideGcd(Wide a, Wide b);

// Bids beyond ten million are refused: a cent value fits in 30 bits.
inline constexpr int64_t kMostCents = 1'000'000'000;

// A fraction that is not negative, in lowest terms, both parts at most 2^48.
// Then cents * fraction * fraction fits in 127 bits.
class Ratio {
 public:
  static constexpr uint64_t kMostPart = uint64_t{1} << 48;

  Ratio() = default;  // 0
  // nullopt when den is 0 or a part is too large in lowest terms.
  static std::optional<Ratio> Of(Wide num, Wide den);
  static Ratio One() { return Ratio(1, 1); }

  uint64_t num() const { return num_; }
  uint64_t den() const { return den_; }
  bool IsZero() const { return num_ == 0; }
  // Correctly rounded parts, one division: the same on any machine. For rows.
  double AsDouble() const {
    return static_cast<double>(num_) / static_cast<double>(den_);
  }
  friend bool operator==(const Ratio&, const Ratio&) = default;

 private:
  Ratio(uint64_t num, uint64_t den) : num_(num), den_(den) {}
  uint64_t num_ = 0, den_ = 1;
};

std::optional<Ratio> Times(const Ratio& x, const Ratio& y);
// -1, 0 or 1 as cents_x * x is below, equal to or above cents_y * y.
int CompareProducts(int64_t cents_x, const Ratio& x, int64_t cents_y,
                    const Ratio& y);

// "12", "0.05", ".38": digits with at most one point, up to 9 before it and 9
// behind it. No sign, no exponent, no spaces.
std::optional<Ratio> ParseExactDecimal(std::string_view text);
// A decimal of whole cents, "$" before it allowed, at most kMostCents.
std::optional<int64_t> ParseCents(std::string_view text);
// "1.51".
std::string CentsText(int64_t cents);

}  // namespace twinset::ads

#endif  // TWINSET_SRC_MEASURE_ADS_MONEY_H_
