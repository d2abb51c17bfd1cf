// Words that are left out of a text, and stems in place of words
// (docs/methods/tokens.md).
#ifndef TWINSET_SRC_STAGES_TEXT_TOKENS_TOKEN_FILTER_H_
#define TWINSET_SRC_STAGES_TEXT_TOKENS_TOKEN_FILTER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "twinset/error.h"
#include "twinset/text_choices.h"

namespace twinset {

struct TokenWindow;
struct FeatureScratch;

// The stemmers of libstemmer by language, as "en", in alphabetical order.
std::vector<std::string_view> StemLanguages();
// The lists of stop words that twinset has, by language, in alphabetical order.
std::vector<std::string_view> StopWordLanguages();

// One stemmer of libstemmer: "porter" (Porter 1980), or "snowball:LANGUAGE".
// Not thread-safe.
class Stemmer {
 public:
  // Null for what is no such name.
  static std::shared_ptr<Stemmer> Make(std::string_view name);
  ~Stemmer();
  Stemmer(const Stemmer&) = delete;
  Stemmer& operator=(const Stemmer&) = delete;
  // The stem of a word of valid UTF-8, good until the next call. Words of more
  // than kMaxBytes are no words of a language and stay as they are: that bounds
  // the time a byte, whatever the input.
  static constexpr size_t kMaxBytes = 256;
  std::string_view Stem(std::string_view word);

 private:
  explicit Stemmer(void* handle) : handle_(handle) {}
  void* handle_;  // StemState
};

// The words of a list: what tokens of `rule` stand in its lines. A line that
// begins with '#' is a comment. kUsage for text that is not UTF-8 or has more
// than kMaxStopWords words. `where` is for messages.
inline constexpr size_t kMaxStopWords = 100000;
Result<std::vector<std::string>> ParseStopWords(std::string_view text,
                                                TokenRule rule,
                                                const std::string& where);

// What becomes of the tokens of a text. Immutable; thread-safe, each thread
// with its own scratch.
class TokenFilter {
 public:
  // `stop_words`: "none", names of lists with '+' between them, or a path of a
  // file of at most 4 MB, which is read. `stem`: "none" or a name of a Stemmer.
  // Null where both are "none". kUsage for what is neither, and for a rule
  // whose tokens are no words.
  static Result<std::shared_ptr<const TokenFilter>> Make(
      const std::string& stop_words, const std::string& stem, TokenRule rule);
  // The path in `stop_words`; empty where it names no file.
  static std::string FileOf(const std::string& stop_words);

  // Leaves the stop words of the window out and reduces the others to their
  // stems. Afterwards its text is one of the scratch, in which what stood
  // between the tokens that are left still stands, back to the last one of the
  // windows before; `places` say where each token was. May leave no token.
  // Linear in the window; holds what stands between two tokens that are left.
  void Apply(FeatureScratch* scratch, TokenWindow* window) const;

  // A hash of the stop words, the same in any order of the list.
  uint64_t stop_words_hash() const { return stop_words_hash_; }

 private:
  struct HashWord {
    using is_transparent = void;
    size_t operator()(std::string_view word) const;
  };
  std::unordered_set<std::string, HashWord, std::equal_to<>> stop_words_;
  uint64_t stop_words_hash_ = 0;
  std::string stem_;  // empty: none
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_TOKENS_TOKEN_FILTER_H_
