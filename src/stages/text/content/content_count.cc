#include <algorithm>
#include <array>

#include "text/content/content_page.h"
#include "text/tokens/ascii_run.h"

namespace twinset {
namespace {

enum Class : uint8_t {
  kOther,
  kBlank,
  kSmall,
  kCapital,
  kDigit,
  kHigh,
  kStop,   // . ! ?
  kComma,  // , ;
  kColon,
  kQuote,
  kReference,  // &
  kWhole,      // a character that is half a word
  kLetter,     // beyond ASCII
};

constexpr std::array<uint8_t, 256> MakeClasses() {
  std::array<uint8_t, 256> classes{};
  for (size_t c = 0; c < 256; ++c) {
    classes[c] = c >= 0x80                          ? kHigh
                 : c >= 'a' && c <= 'z'             ? kSmall
                 : c >= 'A' && c <= 'Z'             ? kCapital
                 : c >= '0' && c <= '9'             ? kDigit
                 : c <= ' '                         ? kBlank
                 : c == '.' || c == '!' || c == '?' ? kStop
                 : c == ',' || c == ';'             ? kComma
                 : c == ':'                         ? kColon
                 : c == '"' || c == '\''            ? kQuote
                 : c == '&'                         ? kReference
                                                    : kOther;
  }
  return classes;
}
constexpr std::array<uint8_t, 256> kClasses = MakeClasses();

// Marks the bytes before which a stop or comma is one, and no part of a number.
constexpr std::array<bool, 256> MakeBorders() {
  std::array<bool, 256> borders{};
  for (size_t c = 0; c < 256; ++c) {
    const uint8_t kind = kClasses[c];
    borders[c] = kind == kBlank || kind == kQuote || kind == kHigh ||
                 kind == kReference || kind == kStop || c == ')';
  }
  return borders;
}
constexpr std::array<bool, 256> kBorders = MakeBorders();

// TextCounts::last behind a mark of the class.
constexpr std::array<uint16_t, kLetter + 1> MakeLast() {
  std::array<uint16_t, kLetter + 1> last{};
  last.fill(5);
  last[kStop] = 1;
  last[kColon] = 2;
  last[kComma] = 3;
  last[kQuote] = 4;
  return last;
}
constexpr std::array<uint16_t, kLetter + 1> kLast = MakeLast();

struct Piece {
  uint8_t kind;
  uint8_t size;
  bool stop_word = false;  // of a whole: frequent without a subject
};

// Frequent Han characters, as their three bytes.
bool IsFrequentHan(uint32_t bytes) {
  switch (bytes) {
    case 0xE79A84:  // of
    case 0xE4BA86:  // perfect
    case 0xE698AF:  // is
    case 0xE59CA8:  // at
    case 0xE5928C:  // and
    case 0xE4B88D:  // not
    case 0xE69C89:  // has
    case 0xE8BF99:  // this
    case 0xE98099:  // this (traditional)
    case 0xE68891:  // I
    case 0xE4BB96:  // he
    case 0xE5B0B1:  // then
    case 0xE4B99F:  // also
    case 0xE588B0:  // to
    case 0xE8AFB4:  // say
    case 0xE4B8AA:  // piece
      return true;
    default:
      return false;
  }
}

// Classifies the character beyond ASCII at text[at].
Piece HighPiece(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) -> uint32_t {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
  };
  const uint32_t lead = byte(0), second = byte(1), third = byte(2);
  if (lead < 0xC2) return {kOther, 1};
  if (lead == 0xC2) {
    if (second == 0xA0) return {kBlank, 2};
    if (second == 0xAB || second == 0xBB) return {kQuote, 2};
    return {
        second == 0xAA || second == 0xB5 || second == 0xBA ? kLetter : kOther,
        2};
  }
  if (lead < 0xE0) {
    if (lead == 0xD8 && second == 0x8C) return {kComma, 2};
    if (lead == 0xD8 && second == 0x9F) return {kStop, 2};
    if (lead == 0xDB && second == 0x94) return {kStop, 2};
    return {kLetter, 2};
  }
  if (lead >= 0xF0) return {second >= 0xA0 ? kWhole : kOther, 4};
  if (lead == 0xE2) {
    if (second == 0x80 && third >= 0x98 && third <= 0x9F) return {kQuote, 3};
    if (second == 0x80 && third == 0xA6) return {kStop, 3};
    if (second == 0x80 && third >= 0x80 && third <= 0x8B) return {kBlank, 3};
    return {kOther, 3};
  }
  if (lead == 0xE3) {
    if (second == 0x80) {
      if (third == 0x80) return {kBlank, 3};
      if (third == 0x81) return {kComma, 3};
      if (third == 0x82) return {kStop, 3};
      return {third >= 0x8C && third <= 0x8F ? kQuote : kOther, 3};
    }
    const bool hiragana = second == 0x81 || (second == 0x82 && third < 0x97);
    return {kWhole, 3, hiragana};
  }
  if (lead >= 0xE4 && lead <= 0xE9) {
    return {kWhole, 3, IsFrequentHan(lead << 16 | second << 8 | third)};
  }
  if (lead == 0xE0) {
    if (second == 0xA5 && third == 0xA4) return {kStop, 3};  // danda
    return {second >= 0xB8 ? kWhole : kLetter, 3};           // Thai, Lao
  }
  if (lead == 0xE1) {  // Myanmar, Khmer
    return {
        second <= 0x82 || second == 0x9E || second == 0x9F ? kWhole : kLetter,
        3};
  }
  if (lead == 0xEF) {
    if (second == 0xBC && (third == 0x81 || third == 0x9F || third == 0x8E)) {
      return {kStop, 3};
    }
    if (second == 0xBC && third == 0x8C) return {kComma, 3};
    if (second == 0xBC && third == 0x9A) return {kColon, 3};
    return {second == 0xBD && third == 0xA1 ? kStop : kOther, 3};
  }
  return {kLetter, 3};
}

// What a character reference stands for, as far as counting goes.
Piece ReferencePiece(std::string_view text, size_t at) {
  size_t end = at + 1;
  while (end < text.size() && end < at + 12 &&
         (kClasses[static_cast<unsigned char>(text[end])] == kSmall ||
          kClasses[static_cast<unsigned char>(text[end])] == kCapital ||
          kClasses[static_cast<unsigned char>(text[end])] == kDigit ||
          text[end] == '#')) {
    ++end;
  }
  if (end == text.size() || text[end] != ';') return {kOther, 1};
  const std::string_view name = text.substr(at + 1, end - at - 1);
  const auto size = static_cast<uint8_t>(end + 1 - at);
  if (name == "nbsp" || name == "#160" || name == "thinsp" || name == "#xa0" ||
      name == "#xA0") {
    return {kBlank, size};
  }
  if (name == "quot" || name == "apos" || name == "rsquo" || name == "lsquo" ||
      name == "rdquo" || name == "ldquo" || name == "#39" || name == "#8217" ||
      name == "#8220" || name == "#8221" || name == "#039" || name == "#x27" ||
      name == "laquo" || name == "raquo" || name == "bdquo") {
    return {kQuote, size};
  }
  if (name == "hellip" || name == "#8230") return {kStop, size};
  if (name.size() > 2 && name[0] == '#') {
    uint32_t value = 0;
    const bool hex = name[1] == 'x' || name[1] == 'X';
    for (size_t i = hex ? 2 : 1; i < name.size(); ++i) {
      const char c = name[i];
      const uint32_t digit = c <= '9'
                                 ? static_cast<uint32_t>(c - '0')
                                 : static_cast<uint32_t>((c | 32) - 'a') + 10;
      value = (value * (hex ? 16 : 10) + digit) & 0xFFFFFF;
    }
    if (value >= 0x3041 && value < 0xA000) return {kWhole, size};
    return {
        value < 0xC0 || (value >= 0x2000 && value < 0x3041) ? kOther : kLetter,
        size};
  }
  for (const std::string_view mark :
       {"uml", "acute", "grave", "circ", "cedil", "tilde", "slash", "ring",
        "lig", "caron"}) {
    if (name.size() > mark.size() && name.ends_with(mark)) {
      return {kLetter, size};
    }
  }
  return {kOther, size};
}

// Reads words and marks of one text node.
class Counter {
 public:
  Counter(std::string_view text, bool references, const SelfPortrait& self,
          TextCounts* counts, const std::function<void(uint32_t)>* use)
      : text_(text),
        references_(references),
        self_(self),
        words_(ContentWords::Get()),
        counts_(*counts),
        use_(use),
        has_pairs_(use != nullptr || self.description.size() > 0 ||
                   self.body.size() > 0) {}

  // Half words read.
  uint32_t Count(uint32_t* hash) {
    while (at_ < text_.size()) {
      const uint8_t kind = kClasses[static_cast<unsigned char>(text_[at_])];
      if (kind == kSmall || kind == kCapital || kind == kDigit) {
        Word(kind == kCapital, hash);
      } else if (kind == kBlank) {
        ++at_;
      } else if (kind != kHigh && kind != kReference) {
        AsciiMark(kind);
      } else if (const Piece piece = Look(); piece.kind == kLetter) {
        Word(IsHighCapital(), hash);
      } else if (piece.kind == kWhole) {
        Whole(piece, hash);
      } else {
        Mark(piece);
      }
    }
    counts_.words += halves_;
    return halves_;
  }

 private:
  Piece Look() const {
    const auto byte = static_cast<unsigned char>(text_[at_]);
    const uint8_t kind = kClasses[byte];
    if (kind == kHigh) return HighPiece(text_, at_);
    if (kind == kReference && references_) return ReferencePiece(text_, at_);
    return {kind == kReference ? uint8_t{kOther} : kind, 1};
  }

  bool BorderAt(size_t at) const {
    return at >= text_.size() ||
           kBorders[static_cast<unsigned char>(text_[at])];
  }

  void First(uint8_t kind) {
    if (counts_.first == 0) counts_.first = kind;
  }

  // A mark of one byte: without a branch for each kind, because which comes is
  // not to be foreseen.
  void AsciiMark(uint8_t kind) {
    const bool border = BorderAt(++at_);
    counts_.sentence_ends += static_cast<uint32_t>(border && kind == kStop);
    counts_.commas += static_cast<uint32_t>(border && kind == kComma);
    const bool stays = kind == kQuote && counts_.last == 1;
    counts_.last = stays ? uint16_t{1} : kLast[kind];
  }

  // Any other mark.
  void Mark(Piece piece) {
    if (piece.size == 1) return AsciiMark(piece.kind);
    const std::string_view mark = text_.substr(at_, piece.size);
    at_ += mark.size();
    if (piece.kind == kBlank) return;
    counts_.sentence_ends += static_cast<uint32_t>(piece.kind == kStop);
    counts_.commas += static_cast<uint32_t>(piece.kind == kComma);
    if (piece.kind != kQuote || counts_.last != 1) {
      counts_.last = kLast[piece.kind];
    }
    if (mark == "\xC2\xA9" || mark == "&copy;") counts_.has_copyright = true;
  }

  void Whole(Piece piece, uint32_t* hash) {
    ++halves_;
    counts_.letters += 2;
    if (piece.stop_word) ++counts_.stop_words;
    First(4);
    counts_.last = 0;
    const size_t end = std::min(at_ + piece.size, text_.size());
    const uint32_t word =
        static_cast<uint32_t>(CharacterHash(end - at_, kWordPieceSeed));
    at_ = end;
    *hash = (*hash ^ word) * 0x01000193u;
    Pair(word);
  }

  // The word with the one before it, if anything is known of pairs.
  void Pair(uint32_t word) {
    if (!has_pairs_) return;
    if (use_ != nullptr) (*use_)(word);
    if (last_word_ != 0) {
      const uint32_t pair = WordPair(last_word_, word);
      ++counts_.pairs;
      if (self_.description.Has(pair)) ++counts_.description_pairs;
      if (self_.body.Has(pair)) ++counts_.body_pairs;
    }
    last_word_ = word;
  }

  void Word(bool capital, uint32_t* text_hash) {
    const size_t begin = at_;
    uint64_t pieces = kWordPieceSeed;
    uint32_t letters = 0, digits = 0;
    for (;;) {
      AsciiRun run;
      do {
        run = ReadAsciiRun(text_.data() + at_, text_.size() - at_);
        if (run.size == 0) break;
        pieces = WordPieceHash(pieces, run.lower);
        letters += run.letters;
        digits += run.size - run.letters;
        at_ += run.size;
      } while (run.size == 8);
      if (at_ == text_.size()) break;
      const uint8_t kind = kClasses[static_cast<unsigned char>(text_[at_])];
      if (kind != kHigh && kind != kReference) break;
      const Piece piece = Look();
      if (piece.kind != kLetter) break;
      ++letters;
      const size_t size = std::min<size_t>(piece.size, text_.size() - at_);
      pieces = LetterHash(size, pieces);
      at_ += size;
    }
    const auto hash = static_cast<uint32_t>(pieces);
    halves_ += 2;
    counts_.letters += letters;
    counts_.digits += digits;
    counts_.last = 0;
    First(capital                                                        ? 2
          : kClasses[static_cast<unsigned char>(text_[begin])] == kDigit ? 3
                                                                         : 1);
    if (capital) ++counts_.capitals;
    *text_hash = (*text_hash ^ hash) * 0x01000193u;
    if (letters == 0) Number(begin);
    if (at_ - begin <= 20) Look(hash);
    if (letters + digits > 2 && self_.title.Has(hash)) ++counts_.title_words;
    Pair(hash);
  }

  void Look(uint32_t hash) {
    const uint16_t kinds = words_.Find(hash);
    counts_.stop_words += (kinds & kStopWord) != 0 ? 2 : 0;
    if ((kinds & ~kStopWord) == 0) return;
    for (size_t cue = 0; cue < kContentCues; ++cue) {
      if ((kinds >> cue & 1) != 0 && counts_.cues[cue] < 0xFFFF) {
        ++counts_.cues[cue];
      }
    }
  }

  void Number(size_t begin) {
    const std::string_view number = text_.substr(begin, at_ - begin);
    if (number.size() == 4 &&
        (number.starts_with("19") || number.starts_with("20"))) {
      counts_.has_year = true;
    }
    if (number.size() <= 2 && at_ + 1 < text_.size() && text_[at_] == ':' &&
        kClasses[static_cast<unsigned char>(text_[at_ + 1])] == kDigit) {
      counts_.has_clock = true;
    }
  }

  bool IsHighCapital() const {
    if (at_ + 1 >= text_.size()) return false;
    const auto lead = static_cast<unsigned char>(text_[at_]);
    const auto second = static_cast<unsigned char>(text_[at_ + 1]);
    if (lead == 0xC3) return second >= 0x80 && second <= 0x9E;
    return lead == 0xD0 && second >= 0x80 && second <= 0xAF;
  }

  // A letter beyond ASCII; Latin-1 and Cyrillic capitals count as small ones.
  uint64_t LetterHash(size_t size, uint64_t hash) const {
    if (size != 2 || !IsHighCapital()) return CharacterHash(size, hash);
    uint64_t lead = static_cast<unsigned char>(text_[at_]);
    uint64_t second = static_cast<unsigned char>(text_[at_ + 1]);
    if (lead == 0xC3 || second < 0xA0) {
      second += 0x20;
    } else {
      lead = 0xD1;
      second -= 0x20;
    }
    return WordPieceHash(hash, lead | second << 8);
  }

  // The `size` bytes at at_, which stand for one character.
  uint64_t CharacterHash(size_t size, uint64_t hash) const {
    for (size_t i = 0; i < size; i += 8) {
      hash = WordPieceHash(hash, FirstEight(text_.data() + at_ + i,
                                            std::min<size_t>(size - i, 8)));
    }
    return hash;
  }

  std::string_view text_;
  const bool references_;
  const SelfPortrait& self_;
  const ContentWords& words_;
  TextCounts& counts_;
  const std::function<void(uint32_t)>* use_;
  const bool has_pairs_;
  uint32_t last_word_ = 0;
  size_t at_ = 0;
  uint32_t halves_ = 0;
};

}  // namespace

void HashSet::Add(uint32_t hash) {
  if (hash == 0 || Has(hash)) return;
  if (size_ * 2 >= slots_.size()) {
    const std::vector<uint32_t> old = std::move(slots_);
    slots_.assign(std::max<size_t>(64, old.size() * 2), 0);
    mask_ = slots_.size() - 1;
    size_ = 0;
    for (const uint32_t value : old) {
      if (value != 0) Add(value);
    }
  }
  size_t at = hash & mask_;
  while (slots_[at] != 0) at = (at + 1) & mask_;
  slots_[at] = hash;
  ++size_;
}

void CountText(std::string_view text, bool references, bool in_link,
               const SelfPortrait& self, TextCounts* counts, uint32_t* hash) {
  const uint32_t halves =
      Counter(text, references, self, counts, nullptr).Count(hash);
  if (in_link) counts->link_words += halves;
}

void EachWordHash(std::string_view text, bool references,
                  const std::function<void(uint32_t)>& use) {
  static const SelfPortrait kNothing;
  TextCounts counts;
  uint32_t hash = 0;
  Counter(text, references, kNothing, &counts, &use).Count(&hash);
}

}  // namespace twinset
