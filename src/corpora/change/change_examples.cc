#include "change/change_examples.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/hash.h"
#include "change/change_report.h"
#include "documents/document_options.h"
#include "pipeline/report/pair_excerpt.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

using html::Cell;

constexpr size_t kAddressBytes = 200, kBeginningBytes = 300;
// The others of a state are folded.
constexpr size_t kOpenPairs = 2;
// What differs comes first.
constexpr PageState kOrder[] = {PageState::kChanged,  PageState::kNear,
                                PageState::kMoved,    PageState::kRedirected,
                                PageState::kReturned, PageState::kGone,
                                PageState::kNew,      PageState::kExact};
static_assert(std::size(kOrder) == kPageStates);

// The text of a capture; empty without one.
Status ReadText(const BlobReader& texts, uint64_t capture, std::string* text) {
  text->clear();
  return capture == kNoCapture ? Status() : texts.ReadOne(capture, text);
}

html::TextPair PairOf(const ChangeExample& example, const std::string& before,
                      const std::string& after,
                      const FeatureExtractor& extractor) {
  html::TextPair pair;
  pair.title = example.jaccard < 0 ? "Nothing to compare"
               : example.jaccard == 1
                   ? "Equal"
                   : FixedText(example.jaccard, 3) + " alike";
  if (!example.date.empty()) pair.tags = {"seen " + example.date};
  pair.left = {"before", example.left, {}};
  pair.right = {"after", example.right, {}};
  if (example.after == kNoCapture) {
    pair.left.text = {
        {html::Piece::kSame, BeginningOf(before, kBeginningBytes)}};
    pair.note = "The snapshot has no page at the address that it leads to.";
    return pair;
  }
  // What only the first text has is marked as inserted there.
  // Less than the most where a character would have been cut.
  const bool are_whole = std::max(before.size(), after.size()) + 4 <=
                         ChangeExamples::kMostTextBytes;
  FillDifferences(after, before, are_whole, extractor, &pair);
  std::swap(pair.left.text, pair.right.text);
  return pair;
}

}  // namespace

bool ChangeExamples::HasTwoTexts(PageState state) {
  return state != PageState::kExact && state != PageState::kGone &&
         state != PageState::kNew;
}

void ChangeExamples::See(ChangeExample example) {
  std::vector<ChangeExample>& of = drawn_[static_cast<size_t>(example.state)];
  example.draw = Hash64(example.address(), Mix64(kSeed));
  auto place = std::lower_bound(
      of.begin(), of.end(), example,
      [](const auto& x, const auto& y) { return x.draw < y.draw; });
  if (place == of.end() && of.size() == kOfState) return;
  example.left = Shortened(example.left, kAddressBytes);
  example.right = Shortened(example.right, kAddressBytes);
  for (; place != of.end() && place->draw == example.draw; ++place)
    if (place->address() == example.address()) return;
  of.insert(place, std::move(example));
  if (of.size() > kOfState) of.pop_back();
}

Status ChangeExamples::Read(const BlobReader& texts,
                            const FeatureOptions& features) {
  TWINSET_ASSIGN(const auto extractor, MakeExtractor(features));
  std::string before, after;
  for (size_t state = 0; state < kPageStates; ++state) {
    for (const ChangeExample& example : drawn_[state]) {
      TWINSET_TRY(ReadText(texts, example.before, &before));
      TWINSET_TRY(ReadText(texts, example.after, &after));
      Shown& shown = shown_[state].emplace_back();
      if (HasTwoTexts(example.state))
        shown.pair = PairOf(example, before, after, *extractor);
      else
        shown.beginning =
            BeginningOf(after.empty() ? before : after, kBeginningBytes);
    }
  }
  return {};
}

void ChangeExamples::AddPairs(size_t state, KeptPage* page) const {
  const std::vector<Shown>& shown = shown_[state];
  for (size_t i = 0; i < shown.size(); ++i) {
    if (i == kOpenPairs)
      page->BeginFolded(std::to_string(shown.size() - i) + " more");
    page->Add(shown[i].pair);
  }
  if (shown.size() > kOpenPairs) page->EndFolded();
}

void ChangeExamples::AddBeginnings(size_t state, KeptPage* page) const {
  html::Table table{"", {{"address"}, {"its text begins"}}, {}};
  for (size_t i = 0; i < shown_[state].size(); ++i) {
    const ChangeExample& example = drawn_[state][i];
    Cell address = Cell::Text(example.address());
    if (!example.date.empty()) address.below = "seen " + example.date;
    table.rows.push_back(
        {std::move(address), Cell::Text(shown_[state][i].beginning)});
  }
  page->Add(table);
}

void ChangeExamples::AddTo(const ChangeResult& result, KeptPage* page) const {
  page->Add(html::Heading{"Look at some pages"});
  page->Add(html::Note{
      "Up to " + std::to_string(kOfState) +
      " of each kind: those whose addresses have the least hashes under seed " +
      std::to_string(kSeed) +
      ". Each address is shown once a kind, at the first step where it is of "
      "that kind. Left is the earlier text, right the later one."});
  for (const PageState state : kOrder) {
    const auto number = static_cast<size_t>(state);
    if (shown_[number].empty()) continue;
    uint64_t pages = 0;
    for (const ChangeStep& step : result.steps) pages += step.of(state);
    page->Add(html::Heading{Capitalised(StateText(state)) + ": " +
                                std::to_string(shown_[number].size()) + " of " +
                                CountText(pages, "page"),
                            3});
    if (HasTwoTexts(state))
      AddPairs(number, page);
    else
      AddBeginnings(number, page);
  }
}

}  // namespace twinset
