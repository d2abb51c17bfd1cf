#include "text/tokens/token_filter.h"

#include <libstemmer.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "base/hash.h"
#include "base/lists/list_text.h"
#include "kernels/kernels.h"
#include "text/tokens/features.h"
#include "text/tokens/tokens.h"
#include "twinset/choices.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

constexpr std::string_view kNone = "none";
constexpr std::string_view kPorter = "porter", kSnowball = "snowball:";
constexpr uint64_t kMaxFileBytes = 4 << 20;

struct StopWordList {
  std::string_view language, words;
};
constexpr StopWordList kLists[] = {
#define TWINSET_STOP_WORDS(language, words) {language, words},
#include "text/tokens/stop_words.inc"
#undef TWINSET_STOP_WORDS
};

// The Snowball algorithms of libstemmer 2.2, by the language they are for.
constexpr std::string_view kStemLanguages[] = {
    "ar", "ca", "da", "de", "el", "en", "es", "eu", "fi", "fr",
    "ga", "hi", "hu", "hy", "id", "it", "lt", "ne", "nl", "no",
    "pt", "ro", "ru", "sr", "sv", "ta", "tr", "yi"};

// A stemmer with the stems of words that it saw not long ago: a few words are
// most of a text. 48 KB.
struct StemState {
  struct Slot {
    static constexpr size_t kMax = 23;
    uint8_t word_size = 0, stem_size = 0;
    char word[kMax] = {}, stem[kMax] = {};
  };
  static constexpr size_t kSlots = 1024;

  explicit StemState(sb_stemmer* of) : stemmer(of), slots(kSlots) {}
  ~StemState() { sb_stemmer_delete(stemmer); }
  StemState(const StemState&) = delete;
  StemState& operator=(const StemState&) = delete;

  std::string_view Compute(std::string_view word) {
    const sb_symbol* const stem = sb_stemmer_stem(
        stemmer, reinterpret_cast<const sb_symbol*>(word.data()),
        static_cast<int>(word.size()));
    if (stem == nullptr) return word;
    return {reinterpret_cast<const char*>(stem),
            static_cast<size_t>(sb_stemmer_length(stemmer))};
  }

  std::string_view Stem(std::string_view word) {
    if (word.size() > Slot::kMax) return Compute(word);
    Slot& slot = slots[Hash64(word) % kSlots];
    if (word == std::string_view(slot.word, slot.word_size))
      return {slot.stem, slot.stem_size};
    const std::string_view stem = Compute(word);
    if (stem.size() > Slot::kMax) return stem;
    std::copy(word.begin(), word.end(), slot.word);
    std::copy(stem.begin(), stem.end(), slot.stem);
    slot.word_size = static_cast<uint8_t>(word.size());
    slot.stem_size = static_cast<uint8_t>(stem.size());
    return {slot.stem, slot.stem_size};
  }

  sb_stemmer* const stemmer;
  std::vector<Slot> slots;
};

const StopWordList* FindList(std::string_view language) {
  const auto at = std::find_if(
      std::begin(kLists), std::end(kLists),
      [&](const StopWordList& list) { return list.language == language; });
  return at == std::end(kLists) ? nullptr : at;
}

// Calls `body` with each name of "en+de".
void EachName(std::string_view names,
              const std::function<void(std::string_view)>& body) {
  for (size_t begin = 0; begin <= names.size();) {
    const size_t end = std::min(names.find('+', begin), names.size());
    body(names.substr(begin, end - begin));
    begin = end + 1;
  }
}

bool NamesLists(std::string_view names) {
  bool all = true;
  EachName(names, [&](std::string_view name) {
    all = all && FindList(name) != nullptr;
  });
  return all;
}

// Returns true iff `bytes` have only well-formed UTF-8: nothing in them is
// replaced.
bool IsWellFormed(std::string_view bytes) {
  return Normalise(bytes, NormaliseRule::kCopy, nullptr) == bytes;
}

void AddWords(std::string_view text, TokenRule rule, FeatureScratch* scratch,
              std::vector<std::string>* words) {
  TokenStream stream(text, rule, scratch);
  TokenWindow window;
  while (stream.Next(&window)) {
    for (size_t i = 0; i < window.count; ++i) {
      if (window.begins[i] == window.ends[i]) continue;
      words->emplace_back(window.text + window.begins[i],
                          window.ends[i] - window.begins[i]);
    }
  }
}

// The words of the lists that `names` name, or of a file.
Result<std::vector<std::string>> StopWordsOf(const std::string& names,
                                             TokenRule rule) {
  if (!NamesLists(names)) {
    std::error_code error;
    if (std::filesystem::exists(names, error) &&
        !std::filesystem::is_regular_file(names, error)) {
      return Fail(ErrorCode::kUsage,
                  "--stop-words " + NameText(names) + " is no regular file", "",
                  "save the words to a file: it is read more than once");
    }
    auto text = ReadListText(names, kMaxFileBytes);
    if (text) {
      auto words = ParseStopWords(*text, rule, NameText(names));
      if (!words || !words->empty()) return words;
      return Fail(ErrorCode::kCorrupt,
                  "--stop-words " + NameText(names) + " has no words", "",
                  "give one word on each line, or leave the flag out");
    }
    if (std::filesystem::exists(names, error)) {
      return Fail(
          text.error().code,
          "--stop-words " + NameText(names) + " " + text.error().message, "",
          text.error().remedy);
    }
    std::string remedy = DidYouMean(names, StopWordLanguages());
    if (!remedy.empty()) remedy += " ";
    remedy += "give a file, or lists with + between them:";
    for (const std::string_view known : StopWordLanguages())
      remedy += " " + std::string(known);
    return Fail(
        ErrorCode::kUsage,
        "--stop-words " + NameText(names) +
            " is no list and no file that can be read: " + text.error().message,
        "", std::move(remedy));
  }
  std::vector<std::string> words;
  FeatureScratch scratch;
  EachName(names, [&](std::string_view name) {
    AddWords(FindList(name)->words, rule, &scratch, &words);
  });
  return words;
}

Status CheckStem(const std::string& stem) {
  if (Stemmer::Make(stem) != nullptr) return {};
  std::string known;
  for (const std::string_view language : StemLanguages())
    known += (known.empty() ? "" : ", ") + std::string(language);
  return Fail(
      ErrorCode::kUsage, "--stem does not know '" + NameText(stem) + "'", "",
      "use none, porter or snowball:LANGUAGE, of the languages " + known);
}

}  // namespace

std::vector<std::string_view> StemLanguages() {
  return {std::begin(kStemLanguages), std::end(kStemLanguages)};
}

std::vector<std::string_view> StopWordLanguages() {
  std::vector<std::string_view> languages;
  for (const StopWordList& list : kLists) languages.push_back(list.language);
  std::sort(languages.begin(), languages.end());
  return languages;
}

std::shared_ptr<Stemmer> Stemmer::Make(std::string_view name) {
  std::string algorithm(name);
  if (name != kPorter) {
    if (!name.starts_with(kSnowball)) return nullptr;
    algorithm = name.substr(kSnowball.size());
    if (std::find(std::begin(kStemLanguages), std::end(kStemLanguages),
                  algorithm) == std::end(kStemLanguages)) {
      return nullptr;
    }
  }
  sb_stemmer* const handle = sb_stemmer_new(algorithm.c_str(), "UTF_8");
  if (handle == nullptr) return nullptr;
  return std::shared_ptr<Stemmer>(new Stemmer(new StemState(handle)));
}

Stemmer::~Stemmer() { delete static_cast<StemState*>(handle_); }

std::string_view Stemmer::Stem(std::string_view word) {
  if (word.empty() || word.size() > kMaxBytes) return word;
  return static_cast<StemState*>(handle_)->Stem(word);
}

Result<std::vector<std::string>> ParseStopWords(std::string_view text,
                                                TokenRule rule,
                                                const std::string& where) {
  std::vector<std::string> words;
  FeatureScratch scratch;
  size_t number = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.starts_with('#')) continue;
    if (!IsWellFormed(line)) {
      return Fail(
          ErrorCode::kUsage,
          "line " + std::to_string(number) + " of the stop words is not UTF-8",
          where);
    }
    AddWords(line, rule, &scratch, &words);
    if (words.size() <= kMaxStopWords) continue;
    return Fail(
        ErrorCode::kUsage,
        "these are more than " + std::to_string(kMaxStopWords) + " stop words",
        where, "stop words are the few that say nothing of a text");
  }
  return words;
}

size_t TokenFilter::HashWord::operator()(std::string_view word) const {
  return static_cast<size_t>(Hash64(word));
}

std::string TokenFilter::FileOf(const std::string& stop_words) {
  return stop_words == kNone || NamesLists(stop_words) ? "" : stop_words;
}

Result<std::shared_ptr<const TokenFilter>> TokenFilter::Make(
    const std::string& stop_words, const std::string& stem, TokenRule rule) {
  if (stop_words == kNone && stem == kNone)
    return std::shared_ptr<const TokenFilter>();
  if (rule == TokenRule::kRaw || rule == TokenRule::kFeatures) {
    return Fail(ErrorCode::kUsage,
                std::string(stop_words == kNone ? "--stem" : "--stop-words") +
                    " needs words, which the tokens of rule " +
                    std::string(ChoiceName(rule)) + " are not");
  }
  const auto filter = std::make_shared<TokenFilter>();
  if (stem != kNone) {
    TWINSET_TRY(CheckStem(stem));
    filter->stem_ = stem;
  }
  if (stop_words != kNone) {
    TWINSET_ASSIGN(auto words, StopWordsOf(stop_words, rule));
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    uint64_t hash = words.size();
    for (const std::string& word : words) hash = Hash64(word, Mix64(hash));
    filter->stop_words_hash_ = hash;
    filter->stop_words_.insert(words.begin(), words.end());
  }
  return std::shared_ptr<const TokenFilter>(filter);
}

void TokenFilter::Apply(FeatureScratch* scratch, TokenWindow* window) const {
  if (!stem_.empty() && scratch->stemmer_name != stem_) {
    scratch->stemmer = Stemmer::Make(stem_);
    scratch->stemmer_name = stem_;
  }
  // What stood behind the last token that was kept stands in front of the next
  // one, however many windows without a token lie between them.
  std::string& text = scratch->filtered;
  text.resize(scratch->filtered_size);
  text.erase(0, scratch->filtered_done);
  scratch->filtered_begins.Grow(window->count);
  scratch->filtered_ends.Grow(window->count);
  // What is left of the places of tokens stands in front of those to come.
  uint32_t* const place_begins = scratch->begins.data();
  uint32_t* const place_ends = scratch->ends.data();
  size_t kept = 0;
  uint32_t gap_begin = 0;
  for (size_t i = 0; i < window->count; ++i) {
    const uint32_t begin = place_begins[i], end = place_ends[i];
    text.append(window->text + gap_begin, begin - gap_begin);
    gap_begin = end;
    std::string_view word(window->text + begin, end - begin);
    if (!stop_words_.empty() && stop_words_.contains(word)) continue;
    if (!stem_.empty()) word = scratch->stemmer->Stem(word);
    scratch->filtered_begins.data()[kept] = static_cast<uint32_t>(text.size());
    text.append(word);
    scratch->filtered_ends.data()[kept] = static_cast<uint32_t>(text.size());
    place_begins[kept] = begin;
    place_ends[kept] = end;
    ++kept;
  }
  scratch->filtered_size = text.size();
  scratch->filtered_done =
      kept > 0 ? scratch->filtered_ends.data()[kept - 1] : 0;
  text.append(kernels::kPaddingBytes, '\0');
  *window = {text.data(),
             scratch->filtered_begins.data(),
             scratch->filtered_ends.data(),
             kept,
             place_begins,
             place_ends};
}

}  // namespace twinset
