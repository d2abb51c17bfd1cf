#include "text/content/content_words.h"

#include <array>
#include <string>

#include "base/utf8.h"
#include "text/tokens/ascii_run.h"

namespace twinset {
namespace {

struct Group {
  std::string_view reason, patterns;
};
constexpr Group kGroups[] = {
#define TWINSET_CONTENT_GROUP(enumerator, reason, patterns) {reason, patterns},
#include "text/content/content_words.inc"
#undef TWINSET_CONTENT_GROUP
};

// Calls use(word) for each word of a list separated by spaces.
template <typename Use>
void EachWord(std::string_view list, Use use) {
  for (size_t at = 0; at < list.size();) {
    const size_t end = std::min(list.find(' ', at), list.size());
    if (end > at) use(list.substr(at, end - at));
    at = end + 1;
  }
}

// The hash of a word in small letters, as a text that has it is read.
uint32_t HashOf(std::string_view word) {
  uint64_t hash = kWordPieceSeed;
  for (size_t at = 0; at < word.size();) {
    const AsciiRun run = ReadAsciiRun(word.data() + at, word.size() - at);
    size_t end = at + run.size;
    if (run.size == 0) {
      ++end;
      while (end < word.size() && IsContinuation(word[end])) ++end;
    }
    hash = WordPieceHash(hash, FirstEight(word.data() + at, end - at));
    at = end;
  }
  return static_cast<uint32_t>(hash);
}

// Symbol of a byte: small letters 1..26, capitals 33..58 (the same letter after
// a border), all else 0.
constexpr std::array<uint8_t, 256> MakeSymbols() {
  std::array<uint8_t, 256> symbols{};
  for (size_t i = 0; i < 26; ++i) {
    symbols[size_t{'a'} + i] = static_cast<uint8_t>(i + 1);
    symbols[size_t{'A'} + i] = static_cast<uint8_t>(i + 33);
  }
  return symbols;
}
constexpr std::array<uint8_t, 256> kSymbolOf = MakeSymbols();

}  // namespace

std::string_view ContentGroupReason(size_t group) {
  return kGroups[group].reason;
}

const ContentNames& ContentNames::Get() {
  static const ContentNames names;
  return names;
}

ContentNames::ContentNames() {
  next_.assign(kSymbols, 0);
  groups_.assign(1, 0);
  for (size_t group = 0; group < kContentGroups; ++group) {
    EachWord(kGroups[group].patterns, [&](std::string_view pattern) {
      size_t state = 0;
      for (const char c : pattern) {
        const size_t edge =
            state * kSymbols + kSymbolOf[static_cast<unsigned char>(c)];
        if (next_[edge] == 0) {
          next_[edge] = static_cast<uint16_t>(groups_.size());
          groups_.push_back(0);
          next_.resize(next_.size() + kSymbols, 0);
        }
        state = next_[edge];
      }
      groups_[state] |= uint64_t{1} << group;
    });
  }
  // Failure links, breadth first, folded into the transitions.
  std::vector<uint16_t> failure(groups_.size(), 0), queue;
  for (size_t symbol = 0; symbol < kSymbols; ++symbol) {
    if (next_[symbol] != 0) queue.push_back(next_[symbol]);
  }
  for (size_t i = 0; i < queue.size(); ++i) {
    const size_t state = queue[i];
    groups_[state] |= groups_[failure[state]];
    for (size_t symbol = 0; symbol < kSymbols; ++symbol) {
      uint16_t& target = next_[state * kSymbols + symbol];
      const uint16_t fallen = next_[failure[state] * kSymbols + symbol];
      if (target != 0) {
        failure[target] = fallen;
        queue.push_back(target);
      } else {
        target = fallen;
      }
    }
  }
}

uint64_t ContentNames::Match(std::string_view value) const {
  uint64_t found = 0;
  size_t state = next_[0];
  bool after_small = false;
  for (const char c : value) {
    const uint8_t symbol = kSymbolOf[static_cast<unsigned char>(c)];
    if (symbol > 32 && after_small) {
      state = next_[state * kSymbols];
      found |= groups_[state];
    }
    after_small = symbol != 0 && symbol < 32;
    state = next_[state * kSymbols + (symbol & 31)];
    found |= groups_[state];
  }
  return found | groups_[next_[state * kSymbols]];
}

const ContentWords& ContentWords::Get() {
  static const ContentWords words;
  return words;
}

ContentWords::ContentWords() {
  while (!Fill()) multiplier_ += 2;
}

// False if a word lies too far from its place.
bool ContentWords::Fill() {
  slots_.assign(kSlots + kReach, Slot());
  bool near = true;
#define TWINSET_CONTENT_CUE(enumerator, words) \
  near = Add(words, static_cast<uint16_t>(1 << enumerator)) && near;
#include "text/content/content_cues.inc"
#undef TWINSET_CONTENT_CUE
#define TWINSET_STOP_WORDS(language, words) \
  near = Add(words, kStopWord) && near;
#include "text/tokens/stop_words.inc"
#undef TWINSET_STOP_WORDS
  return near;
}

bool ContentWords::Add(std::string_view words, uint16_t kind) {
  bool near = true;
  EachWord(words, [&](std::string_view word) {
    const uint32_t hash = HashOf(word);
    Slot* const slots = &slots_[Place(hash)];
    size_t i = 0;
    while (i < kReach && slots[i].kinds != 0 && slots[i].hash != hash) ++i;
    near = near && i < kReach;
    if (i == kReach) return;
    slots[i].hash = hash;
    slots[i].kinds |= kind;
  });
  return near;
}

}  // namespace twinset
