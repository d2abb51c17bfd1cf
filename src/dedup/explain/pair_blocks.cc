#include "explain/pair_blocks.h"

#include <string>
#include <utility>
#include <vector>

#include "pipeline/report/pair_excerpt.h"
#include "pipeline/report/run_page.h"
#include "report/html_report.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using html::Cell;
using html::Piece;

constexpr size_t kIdBytes = 200;

// One side of the aligned difference: what both have, and what it alone has.
std::vector<Piece> SideOf(const std::vector<DiffRun>& runs, bool is_left) {
  constexpr size_t kShownBytes = 240;  // of what both have, at each end
  std::vector<Piece> pieces;
  for (const DiffRun& run : runs) {
    if (run.kind == (is_left ? DiffRun::kOnlyY : DiffRun::kOnlyX)) continue;
    const bool is_both = run.kind == DiffRun::kBoth;
    const std::string text = WithSingleSpaces(
        is_both && !is_left && !run.text_y.empty() ? run.text_y : run.text);
    if (!is_both) {
      pieces.push_back({is_left ? Piece::kInserted : Piece::kDeleted, text});
    } else if (text.size() <= 3 * kShownBytes) {
      pieces.push_back({Piece::kSame, text});
    } else {
      pieces.push_back({Piece::kSame, Shortened(text, kShownBytes)});
      pieces.push_back({Piece::kSkipped, " (" + CountText(run.tokens, "word") +
                                             " that both have) "});
      size_t from = text.size() - kShownBytes;
      while (from < text.size() && (text[from] & 0xC0) == 0x80) ++from;
      pieces.push_back({Piece::kSame, text.substr(from)});
    }
  }
  return pieces;
}

}  // namespace

html::TextPair PairBlock(const Explanation& e, std::string_view left_fate,
                         std::string_view right_fate) {
  html::TextPair pair;
  pair.title = FixedText(e.jaccard, 3) + " of the shingles are in both";
  pair.tags = {"shared: " + std::string(ChoiceName(e.duplicate_kind)),
               "different: " + std::string(ChoiceName(e.difference))};
  const auto side = [&](const DocumentText& text, std::string_view fate) {
    html::PairSide made;
    made.title = Shortened(text.title, kIdBytes);
    made.name = Shortened(NameText(text.id), kIdBytes);
    if (!fate.empty()) made.name += " \xC2\xB7 " + std::string(fate);
    return made;
  };
  pair.left = side(e.x, left_fate);
  pair.right = side(e.y, right_fate);
  pair.left.text = SideOf(e.diff, true);
  pair.right.text = SideOf(e.diff, false);
  uint64_t only_left = 0, only_right = 0;
  for (const DiffRun& run : e.diff) {
    if (run.kind == DiffRun::kOnlyX) only_left += run.tokens;
    if (run.kind == DiffRun::kOnlyY) only_right += run.tokens;
  }
  pair.note = only_left + only_right == 0
                  ? "Both have the same words."
                  : CountText(only_left, "word") +
                        (only_left == 1 ? " stands" : " stand") +
                        " in the left one only, " +
                        CountText(only_right, "word") +
                        " in the right one only.";
  return pair;
}

void ShortenPieces(html::TextPair* pair) {
  constexpr size_t kMostOfAPiece = 20'000;
  for (html::PairSide* side : {&pair->left, &pair->right})
    for (Piece& piece : side->text)
      piece.text = Shortened(piece.text, kMostOfAPiece);
}

html::KeyValues MeasuresBlock(const Explanation& e) {
  html::KeyValues values;
  values.caption = "How alike they are, by each measure";
  const auto add = [&](const char* name, double value) {
    values.rows.emplace_back(name, Cell::Fixed(value, 4));
  };
  add("Jaccard: shingles of both that are in both", e.jaccard);
  add("containment: shingles of the left that the right has", e.containment_ab);
  add("containment: shingles of the right that the left has", e.containment_ba);
  add("Dice", e.dice);
  add("S3", e.s3);
  add("cosine of word counts", e.cosine);
  add("edit: 1 less the words to change, over the longer", e.edit);
  if (e.layout) add("layout: paths of elements", *e.layout);
  add("probability that a reader calls them near-duplicates",
      e.grade.probability);
  return values;
}

}  // namespace twinset
