#include "ads/money.h"

#include <algorithm>

namespace twinset::ads {

Wide WideGcd(Wide a, Wide b) {
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

std::optional<Ratio> Ratio::Of(Wide num, Wide den) {
  if (den == 0) return std::nullopt;
  const Wide common = WideGcd(num, den);
  num /= common;
  den /= common;
  if (num > kMostPart || den > kMostPart) return std::nullopt;
  return Ratio(static_cast<uint64_t>(num), static_cast<uint64_t>(den));
}

std::optional<Ratio> Times(const Ratio& x, const Ratio& y) {
  return Ratio::Of(static_cast<Wide>(x.num()) * y.num(),
                   static_cast<Wide>(x.den()) * y.den());
}

int CompareProducts(int64_t cents_x, const Ratio& x, int64_t cents_y,
                    const Ratio& y) {
  const Wide left = static_cast<Wide>(cents_x) * x.num() * y.den();
  const Wide right = static_cast<Wide>(cents_y) * y.num() * x.den();
  return left < right ? -1 : left > right ? 1 : 0;
}

std::optional<Ratio> ParseExactDecimal(std::string_view text) {
  const size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  const std::string_view part =
      point < text.size() ? text.substr(point + 1) : std::string_view();
  if (whole.size() > 9 || part.size() > 9 || whole.size() + part.size() == 0)
    return std::nullopt;
  uint64_t num = 0, den = 1;
  for (const std::string_view digits : {whole, part}) {
    for (const char c : digits) {
      if (c < '0' || c > '9') return std::nullopt;
      num = num * 10 + static_cast<uint64_t>(c - '0');
    }
  }
  for (size_t i = 0; i < part.size(); ++i) den *= 10;
  return Ratio::Of(num, den);
}

std::optional<int64_t> ParseCents(std::string_view text) {
  if (!text.empty() && text.front() == '$') text.remove_prefix(1);
  const std::optional<Ratio> value = ParseExactDecimal(text);
  if (!value || 100 % value->den() != 0) return std::nullopt;
  const uint64_t cents = value->num() * (100 / value->den());
  if (cents > static_cast<uint64_t>(kMostCents)) return std::nullopt;
  return static_cast<int64_t>(cents);
}

std::string CentsText(int64_t cents) {
  const std::string digits = std::to_string(cents % 100);
  return std::to_string(cents / 100) + (digits.size() < 2 ? ".0" : ".") +
         digits;
}

}  // namespace twinset::ads
