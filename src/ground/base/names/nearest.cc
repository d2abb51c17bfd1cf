#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>

#include "twinset/plain_words.h"

namespace twinset {

namespace {

constexpr size_t kLongestWord = 64, kShortWord = 3;

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

// Edit distance in which swapping neighbours counts once (optimal string
// alignment).
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> cost(a.size() + 1,
                                        std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      cost[i][j] =
          std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1,
                    cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

// The finite number that all of `text` is.
std::optional<double> WholeTextAsNumber(std::string_view text) {
  double number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || end != last || !std::isfinite(number)) return {};
  return number;
}

std::string ShortestText(double number) {
  char digits[32];
  return {digits, std::to_chars(digits, std::end(digits), number).ptr};
}

}  // namespace

std::string_view v1::NearestName(std::string_view word,
                                 const std::vector<std::string_view>& names) {
  if (word.size() > kLongestWord) return {};
  const std::string wanted = Lower(word);
  const size_t letters =
      word.size() - std::min(word.find_first_not_of('-'), word.size());
  std::string_view best;
  size_t best_rank =
      letters <= kShortWord ? 2 : std::max<size_t>(2, letters / 3) + 1;
  for (const std::string_view name : names) {
    if (name.size() > 2 * kLongestWord) continue;
    const std::string lower = Lower(name);
    const size_t distance = Distance(wanted, lower);
    // A start of the full name is what somebody types who remembers half of it.
    const bool starts =
        letters >= kShortWord && lower.compare(0, wanted.size(), wanted) == 0;
    const size_t rank = starts ? std::min<size_t>(distance, 1) : distance;
    if (rank < best_rank && rank < name.size()) {
      best_rank = rank;
      best = name;
    }
  }
  return best;
}

std::string v1::NumberMeant(std::string_view text) {
  if (text.ends_with('%')) {
    text.remove_suffix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    const auto number = WholeTextAsNumber(text);
    if (!number) return "";
    return std::string(text) + " % is " + ShortestText(*number / 100);
  }
  std::string with_point(text);
  if (const size_t comma = with_point.find(','); comma != with_point.npos)
    with_point[comma] = '.';
  const auto number = WholeTextAsNumber(with_point);
  return number ? "write " + ShortestText(*number) : "";
}

}  // namespace twinset
