#include "pipeline/report/text_diff.h"

#include <algorithm>
#include <string>
#include <utility>

namespace twinset {

namespace {

constexpr std::string_view kWhiteSpace = " \t\n\r\f\v";

// The text cut into a piece for each token.
class Pieces {
 public:
  explicit Pieces(const DiffSide& side) : text_(side.text), cuts_({0}) {
    for (size_t i = 1; i < side.tokens.size(); ++i) {
      // One character may give several tokens: the first of them gets it.
      const size_t begin =
          std::max<size_t>(cuts_.back(), side.tokens[i - 1].end);
      const size_t end = std::max<size_t>(begin, side.tokens[i].begin);
      const size_t gap =
          text_.substr(begin, end - begin).find_first_of(kWhiteSpace);
      cuts_.push_back(gap == std::string_view::npos ? end : begin + gap);
    }
    if (!side.tokens.empty()) cuts_.push_back(text_.size());
  }
  // The text of the tokens [begin, end).
  std::string_view Of(uint64_t begin, uint64_t end) const {
    return text_.substr(cuts_[begin], cuts_[end] - cuts_[begin]);
  }

 private:
  std::string_view text_;
  std::vector<size_t> cuts_;
};

void AddCommon(const Pieces& x, const Pieces& y, const AlignedRun& run,
               std::vector<DiffRun>* pieces) {
  const uint64_t length = run.a_end - run.a_begin;
  const auto alike = [&](uint64_t i) {
    return x.Of(run.a_begin + i, run.a_begin + i + 1) ==
           y.Of(run.b_begin + i, run.b_begin + i + 1);
  };
  for (uint64_t begin = 0; begin < length;) {
    const bool is_alike = alike(begin);
    uint64_t end = begin + 1;
    while (end < length && alike(end) == is_alike) ++end;
    DiffRun piece;
    piece.kind = DiffRun::kBoth;
    piece.text = x.Of(run.a_begin + begin, run.a_begin + end);
    piece.text_y = y.Of(run.b_begin + begin, run.b_begin + end);
    piece.tokens = end - begin;
    pieces->push_back(std::move(piece));
    begin = end;
  }
}

// A text without tokens is in no run.
void AddWithoutTokens(const DiffSide& x, const DiffSide& y,
                      std::vector<DiffRun>* pieces) {
  const bool only_x = x.tokens.empty() && !x.text.empty();
  const bool only_y = y.tokens.empty() && !y.text.empty();
  if (only_x && only_y && x.text == y.text) {
    pieces->push_back(
        {DiffRun::kBoth, std::string(x.text), std::string(y.text), 0});
    return;
  }
  if (only_x) {
    pieces->insert(pieces->begin(),
                   {DiffRun::kOnlyX, std::string(x.text), "", 0});
  }
  if (only_y) pieces->push_back({DiffRun::kOnlyY, std::string(y.text), "", 0});
}

// White space that begins what X has and what Y has in its place is in both.
void MoveCommonSpace(std::vector<DiffRun>* pieces) {
  for (size_t i = 1; i + 1 < pieces->size(); ++i) {
    DiffRun &before = (*pieces)[i - 1], &of_x = (*pieces)[i],
            &of_y = (*pieces)[i + 1];
    if (before.kind != DiffRun::kBoth || of_x.kind != DiffRun::kOnlyX ||
        of_y.kind != DiffRun::kOnlyY)
      continue;
    size_t length = 0;
    while (length < std::min(of_x.text.size(), of_y.text.size()) &&
           of_x.text[length] == of_y.text[length] &&
           kWhiteSpace.find(of_x.text[length]) != std::string_view::npos) {
      ++length;
    }
    const std::string space = of_x.text.substr(0, length);
    before.text += space;
    before.text_y += space;
    of_x.text.erase(0, length);
    of_y.text.erase(0, length);
  }
}

}  // namespace

std::vector<DiffRun> DiffTexts(const DiffSide& x, const DiffSide& y,
                               std::span<const AlignedRun> runs) {
  const Pieces of_x(x), of_y(y);
  std::vector<DiffRun> pieces;
  for (const AlignedRun& run : runs) {
    DiffRun piece;
    switch (run.kind) {
      case AlignedRun::kBoth:
        AddCommon(of_x, of_y, run, &pieces);
        continue;
      case AlignedRun::kOnlyA:
        piece.kind = DiffRun::kOnlyX;
        piece.text = of_x.Of(run.a_begin, run.a_end);
        piece.tokens = run.a_end - run.a_begin;
        break;
      case AlignedRun::kOnlyB:
        piece.kind = DiffRun::kOnlyY;
        piece.text = of_y.Of(run.b_begin, run.b_end);
        piece.tokens = run.b_end - run.b_begin;
        break;
    }
    pieces.push_back(std::move(piece));
  }
  AddWithoutTokens(x, y, &pieces);
  MoveCommonSpace(&pieces);
  return pieces;
}

}  // namespace twinset
