// What .ci/run compiles to learn how quick a machine is: it never changes, so
// that the budget in minutes
// (.ci/budget.tsv) means the same work everywhere.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <regex>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

template <int kDepth>
struct Nested {
  using Value =
      std::variant<int, std::string, std::map<int, std::vector<std::string>>>;
  std::unordered_map<std::string, Value> values;
  Nested<kDepth - 1> below;

  size_t Count(const std::function<bool(const std::string&)>& wanted) const {
    size_t count = below.Count(wanted);
    for (const auto& [key, value] : values) {
      std::visit([&](const auto& one) { count += sizeof one + wanted(key); },
                 value);
    }
    return count + kDepth;
  }
};
template <>
struct Nested<0> {
  size_t Count(const std::function<bool(const std::string&)>&) const {
    return 0;
  }
};

int main(int argc, char** argv) {
  const std::regex pattern("([a-z]+)[0-9]*(-[a-z]+)?");
  std::vector<std::string> words(argv, argv + argc);
  std::sort(words.begin(), words.end(), std::greater<>());
  std::shuffle(words.begin(), words.end(), std::mt19937_64(1));
  const Nested<24> nested;
  std::cout << nested.Count(
      [&](const std::string& word) { return std::regex_match(word, pattern); });
}
