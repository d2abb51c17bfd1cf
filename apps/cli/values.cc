#include "values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

tl::unexpected<Error> Bad(std::string_view text, std::string_view wanted) {
  return Fail(ErrorCode::kUsage,
              fmt::format("'{}' is not {}", Printable(text), wanted));
}

}  // namespace

Result<uint64_t> ParseCount(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    return Bad(text, "a whole number");
  return number;
}

Result<uint64_t> ParseSize(std::string_view text) {
  constexpr std::string_view kWanted =
      "a size (a whole number with K, M, G or T, as 8G)";
  uint64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc()) return Bad(text, kWanted);
  std::string suffix(end, last);
  for (char& c : suffix)
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  if (suffix.size() == 3 && suffix.compare(1, 2, "IB") == 0) suffix.resize(1);
  if (!suffix.empty() && suffix.back() == 'B') suffix.pop_back();
  if (suffix.empty()) return number;
  constexpr std::string_view kUnits = "KMGT";
  const size_t unit = kUnits.find(suffix[0]);
  if (suffix.size() != 1 || unit == std::string_view::npos)
    return Bad(text, kWanted);
  const int shift = 10 * (static_cast<int>(unit) + 1);
  if (number > std::numeric_limits<uint64_t>::max() >> shift)
    return Bad(text, "below 2^64");
  return number << shift;
}

Result<int> ParseInt(std::string_view text, int low, int high) {
  int number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() ||
      number < low || number > high)
    return Bad(text, fmt::format("a whole number from {} to {}", low, high));
  return number;
}

Result<Shard> ParseShard(const std::string& flag, std::string_view text) {
  const size_t slash = std::min(text.find('/'), text.size());
  Shard shard;
  const auto take = [](std::string_view digits, uint32_t* number) {
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), *number);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  if (slash == text.size() || !take(text.substr(0, slash), &shard.number) ||
      !take(text.substr(slash + 1), &shard.of) || shard.of == 0 ||
      shard.number >= shard.of) {
    return Fail(ErrorCode::kUsage,
                flag + " does not understand '" + std::string(text) + "'", {},
                "write 0/N for the first of N, up to N-1/N");
  }
  return shard;
}

Result<double> ParseNumber(std::string_view text) {
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() ||
      !std::isfinite(number)) {
    auto bad = Bad(text, "a number");
    bad.value().remedy = NumberMeant(text);
    return bad;
  }
  return number;
}

Result<std::vector<std::string>> SplitLists(
    const std::vector<std::string>& values) {
  std::vector<std::string> items;
  for (const std::string& value : values) {
    size_t begin = 0;
    while (true) {
      const size_t comma = std::min(value.find(',', begin), value.size());
      const size_t first = value.find_first_not_of(' ', begin);
      if (first == std::string::npos || first >= comma)
        return Bad(value, "a list with something between the commas");
      const size_t last = value.find_last_not_of(' ', comma - 1);
      items.push_back(value.substr(first, last - first + 1));
      if (comma == value.size()) break;
      begin = comma + 1;
    }
  }
  return items;
}

std::string ShellQuoted(std::string_view word) {
  const bool plain =
      !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               (c >= '0' && c <= '9') ||
               std::string_view("@%_+=:,./-").find(c) != std::string_view::npos;
      });
  if (plain) return std::string(word);
  std::string quoted = "'";
  for (char c : word) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + "'";
}

}  // namespace twinset::cli
