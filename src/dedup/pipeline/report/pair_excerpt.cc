#include "pipeline/report/pair_excerpt.h"

#include <algorithm>
#include <utility>

#include "base/keyed_hash.h"
#include "base/utf8.h"
#include "pipeline/report/text_diff.h"
#include "report/html_report.h"
#include "text/page/clean_text.h"
#include "text/tokens/tokens.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using html::Cell;
using html::Piece;

const std::string kDots = "\xE2\x80\xA6";
constexpr uint64_t kMaxDiffCost = 2000;
constexpr size_t kContextBytes = 110;     // beside a difference
constexpr size_t kDifferenceBytes = 420;  // of one that is shown
constexpr size_t kMostDifferences = 8;
constexpr size_t kFoldedBytes = 60;  // a gap that is not worth a note

// Where about `wanted` bytes end, between words if a blank is near.
size_t CutAfter(std::string_view text, size_t wanted) {
  const size_t end = LengthUpTo(text, wanted);
  if (end == text.size()) return end;
  const size_t blank = text.rfind(' ', end);
  return blank != text.npos && blank + 24 > end ? blank + 1 : end;
}

// Where about the last `wanted` bytes begin.
size_t CutBefore(std::string_view text, size_t wanted) {
  if (text.size() <= wanted) return 0;
  size_t begin = text.size() - wanted;
  while (begin < text.size() && IsContinuation(text[begin])) ++begin;
  const size_t blank = text.find(' ', begin);
  return blank != text.npos && blank < begin + 24 ? blank + 1 : begin;
}

void Add(Piece::Kind kind, std::string text, std::vector<Piece>* to) {
  if (text.empty()) return;
  if (!to->empty() && to->back().kind == kind && kind != Piece::kSkipped)
    to->back().text += text;
  else
    to->push_back({kind, std::move(text)});
}

void AddSkipped(uint64_t characters, const char* what, std::vector<Piece>* to) {
  Add(Piece::kSkipped,
      " \xE2\x80\xA6 " + NumberText(characters) + what + " \xE2\x80\xA6 ", to);
}

// A common stretch: what leads to a difference and what follows one.
void AddCommon(const std::string& text, bool after, bool before,
               std::vector<Piece>* to) {
  const size_t head = after ? CutAfter(text, kContextBytes) : 0;
  const size_t tail = before ? CutBefore(text, kContextBytes) : text.size();
  if (head + kFoldedBytes >= tail) return Add(Piece::kSame, text, to);
  const std::string_view middle =
      std::string_view(text).substr(head, tail - head);
  Add(Piece::kSame, text.substr(0, head), to);
  AddSkipped(CountCodePoints(middle), " characters alike", to);
  Add(Piece::kSame, text.substr(tail), to);
}

void AddDifference(Piece::Kind kind, const std::string& text,
                   std::vector<Piece>* to) {
  if (text.size() <= kDifferenceBytes + kFoldedBytes)
    return Add(kind, text, to);
  const size_t head = CutAfter(text, kDifferenceBytes * 3 / 4);
  const size_t tail = CutBefore(text, kDifferenceBytes / 4);
  Add(kind, text.substr(0, head), to);
  AddSkipped(CountCodePoints(std::string_view(text).substr(head, tail - head)),
             " more characters", to);
  Add(kind, text.substr(tail), to);
}

// Both sides of a stretch: alike, or what each has in place of the other.
struct Stretch {
  bool is_common = false;
  std::string left, right;
};

// Compares texts with single spaces.
bool IsSameButForBlanks(std::string_view left, std::string_view right) {
  size_t i = 0, j = 0;
  for (;; ++i, ++j) {
    if (i < left.size() && left[i] == ' ') ++i;
    if (j < right.size() && right[j] == ' ') ++j;
    if (i == left.size() || j == right.size())
      return i == left.size() && j == right.size();
    if (left[i] != right[j]) return false;
  }
}

std::vector<Stretch> StretchesOf(const std::vector<DiffRun>& runs) {
  std::vector<Stretch> stretches;
  for (const DiffRun& run : runs) {
    std::string left, right;
    if (run.kind != DiffRun::kOnlyY) left = WithSingleSpaces(run.text);
    if (run.kind == DiffRun::kOnlyY) right = WithSingleSpaces(run.text);
    if (run.kind == DiffRun::kBoth) right = WithSingleSpaces(run.text_y);
    // The same words may be written differently.
    const bool is_common = IsSameButForBlanks(left, right);
    if (stretches.empty() || stretches.back().is_common != is_common)
      stretches.push_back({is_common, "", ""});
    const auto join = [](const std::string& more, std::string* to) {
      const bool twice = !to->empty() && to->back() == ' ' && !more.empty() &&
                         more.front() == ' ';
      to->append(more, twice ? 1 : 0);
    };
    join(left, &stretches.back().left);
    join(right, &stretches.back().right);
  }
  return stretches;
}

std::vector<Token> TokensOf(std::string_view text,
                            const FeatureExtractor& extractor,
                            std::vector<uint64_t>* hashes) {
  std::vector<Token> tokens = extractor.Tokens(text);
  for (const Token& token : tokens)
    hashes->push_back(EqualityHash::OfProcess().Short(token.text));
  return tokens;
}

std::vector<Stretch> StretchesOf(std::string_view left, std::string_view right,
                                 const FeatureExtractor& extractor) {
  std::vector<uint64_t> left_hashes, right_hashes;
  const auto left_tokens = TokensOf(left, extractor, &left_hashes);
  const auto right_tokens = TokensOf(right, extractor, &right_hashes);
  return StretchesOf(
      DiffTexts({left, left_tokens}, {right, right_tokens},
                AlignTokens(left_hashes, right_hashes, kMaxDiffCost)));
}

void AddBefore(const TextWindow& window, std::vector<Piece>* to) {
  if (!to->empty()) to->push_back({Piece::kSkipped, "  " + kDots + "  "});
  Add(Piece::kSame,
      (window.more_before ? kDots : "") + WithSingleSpaces(window.before), to);
}

void AddHeadAndTail(const TextWindow& window, std::vector<Piece>* to) {
  Add(Piece::kMarked, WithSingleSpaces(window.head), to);
  if (window.left_out == 0) return;
  AddSkipped(window.left_out, " more characters", to);
  Add(Piece::kMarked, WithSingleSpaces(window.tail), to);
}

void AddAfter(const TextWindow& window, std::vector<Piece>* to) {
  Add(Piece::kSame,
      WithSingleSpaces(window.after) + (window.more_after ? kDots : ""), to);
}

}  // namespace

std::string WithSingleSpaces(std::string_view text) {
  const char* const end = text.data() + text.size();
  std::string collapsed;
  for (size_t i = 0; i < text.size();) {
    const size_t space = WhiteSpaceAt(text.data() + i, end);
    if (space == 0)
      collapsed += text[i];
    else if (collapsed.empty() || collapsed.back() != ' ')
      collapsed += ' ';
    i += space == 0 ? 1 : space;
  }
  return collapsed;
}

std::string BeginningOf(std::string_view text, size_t most) {
  // Collapsing never makes a text longer.
  std::string collapsed =
      WithSingleSpaces(text.substr(0, LengthUpTo(text, 4 * most)));
  if (!collapsed.empty() && collapsed.front() == ' ') collapsed.erase(0, 1);
  return Shortened(collapsed, most);
}

bool FillDifferences(std::string_view left, std::string_view right,
                     bool are_whole, const FeatureExtractor& extractor,
                     html::TextPair* pair) {
  PairExcerpt excerpt = ExcerptOfPair(left, right, extractor);
  pair->left.text = std::move(excerpt.left);
  pair->right.text = std::move(excerpt.right);
  if (excerpt.is_same)
    pair->note = "The texts do not differ.";
  else if (excerpt.hidden > 0)
    pair->note = CountText(excerpt.hidden, "more difference") + " not shown.";
  if (are_whole) return excerpt.is_same;
  pair->note += pair->note.empty() ? "" : " ";
  pair->note += "Only the beginnings of these long texts are compared here.";
  return false;
}

void AddPassage(const TextWindow& left, const TextWindow& right,
                const FeatureExtractor& extractor, html::TextPair* pair) {
  std::vector<Piece>&to_left = pair->left.text, &to_right = pair->right.text;
  AddBefore(left, &to_left);
  AddBefore(right, &to_right);
  if (left.left_out + right.left_out > 0) {
    AddHeadAndTail(left, &to_left);
    AddHeadAndTail(right, &to_right);
  } else {
    for (const Stretch& stretch :
         StretchesOf(left.head, right.head, extractor)) {
      const bool both = stretch.is_common;
      Add(both ? Piece::kMarked : Piece::kInserted, stretch.left, &to_left);
      Add(both ? Piece::kMarked : Piece::kDeleted, stretch.right, &to_right);
    }
  }
  AddAfter(left, &to_left);
  AddAfter(right, &to_right);
}

std::string PassagesNote(const html::TextPair& pair, size_t passages,
                         uint64_t words) {
  if (passages == 0) return "No passage is long enough to be marked.";
  std::string note =
      (passages == 1
           ? std::string("Marked: the longest passage")
           : "Marked: the " + std::to_string(passages) + " longest passages") +
      " that both have, " + CountText(words, "word") + ".";
  const auto differs = [](const Piece& piece) {
    return piece.kind == Piece::kInserted || piece.kind == Piece::kDeleted;
  };
  if (std::any_of(pair.left.text.begin(), pair.left.text.end(), differs) ||
      std::any_of(pair.right.text.begin(), pair.right.text.end(), differs))
    note += " What differs within has other colours.";
  return note;
}

PairExcerpt ExcerptOfPair(std::string_view left, std::string_view right,
                          const FeatureExtractor& extractor) {
  const auto stretches = StretchesOf(left, right, extractor);
  PairExcerpt excerpt;
  for (const Stretch& stretch : stretches)
    excerpt.differences += !stretch.is_common;
  excerpt.is_same = excerpt.differences == 0;
  if (excerpt.is_same) {
    const std::string text = BeginningOf(left, kDifferenceBytes);
    Add(Piece::kSame, text, &excerpt.left);
    Add(Piece::kSame, text, &excerpt.right);
    return excerpt;
  }
  uint64_t shown = 0;
  for (size_t i = 0; i < stretches.size() && shown < kMostDifferences; ++i) {
    const Stretch& stretch = stretches[i];
    if (stretch.is_common) {
      const bool before = i + 1 < stretches.size();
      AddCommon(stretch.left, i > 0, before, &excerpt.left);
      AddCommon(stretch.right, i > 0, before, &excerpt.right);
      continue;
    }
    ++shown;
    AddDifference(Piece::kInserted, stretch.left, &excerpt.left);
    AddDifference(Piece::kDeleted, stretch.right, &excerpt.right);
  }
  excerpt.hidden = excerpt.differences - shown;
  return excerpt;
}

}  // namespace twinset
