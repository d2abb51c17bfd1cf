#include "sketch/text_profile.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/utf8.h"

namespace twinset {

namespace {

// Shorter tokens are not counted.
constexpr size_t kLeastCharacters = 3;

using Counted = std::pair<std::string_view, uint64_t>;

bool IsLongEnough(std::string_view token) {
  size_t characters = 0;
  for (const char byte : token) {
    characters += !IsContinuation(byte);
    if (characters == kLeastCharacters) return true;
  }
  return false;
}

// Each token once, with how often it stands there.
std::vector<Counted> CountTokens(std::string_view tokens) {
  std::vector<std::string_view> all;
  for (size_t at = 0; at < tokens.size();) {
    const size_t end = std::min(tokens.find(' ', at), tokens.size());
    const std::string_view token = tokens.substr(at, end - at);
    if (IsLongEnough(token)) all.push_back(token);
    at = end + 1;
  }
  std::sort(all.begin(), all.end());
  std::vector<Counted> counted;
  for (const std::string_view token : all) {
    if (counted.empty() || counted.back().first != token)
      counted.emplace_back(token, 0);
    ++counted.back().second;
  }
  return counted;
}

uint64_t QuantumOf(uint64_t most) {
  const uint64_t percent = (most + 50) / 100;  // rounded half up
  if (percent >= 2) return percent;
  return most > 1 ? 2 : 1;
}

class TextProfileSketcher : public Sketcher {
 public:
  std::string name() const override { return "text-profile"; }
  SketchLayout layout() const override {
    return {.value_bits = 128, .values = 1};
  }
  void Compute(std::string_view features, Sketch* sketch) const override {
    const std::string profile = TextProfile(features);
    const std::string digest = profile.empty() ? Md5(features) : Md5(profile);
    sketch->assign(digest.size() / sizeof(uint32_t), 0);
    for (size_t i = 0; i < digest.size(); ++i) {  // a big-endian number
      uint32_t& word = (*sketch)[sketch->size() - 1 - i / 4];
      word = word << 8 | static_cast<uint8_t>(digest[i]);
    }
  }
};

}  // namespace

std::string TextProfile(std::string_view tokens) {
  std::vector<Counted> counted = CountTokens(tokens);
  uint64_t most = 0;
  for (const auto& [token, count] : counted) most = std::max(most, count);
  const uint64_t quantum = QuantumOf(most);
  for (Counted& one : counted) one.second -= one.second % quantum;
  std::erase_if(counted, [](const Counted& one) { return one.second == 0; });
  // Tokens are in the order of their bytes already.
  std::stable_sort(
      counted.begin(), counted.end(),
      [](const Counted& a, const Counted& b) { return a.second > b.second; });
  std::string profile;
  for (const auto& [token, count] : counted) {
    if (!profile.empty()) profile += '\n';
    profile.append(token);
    profile += ' ';
    profile += std::to_string(count);
  }
  return profile;
}

std::unique_ptr<Sketcher> MakeTextProfileSketcher() {
  return std::make_unique<TextProfileSketcher>();
}

}  // namespace twinset
