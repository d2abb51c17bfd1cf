// Which windows of tokens stand twice, by their hashes: first those of anchors,
// of which each window has one, then those of the windows around anchors that
// stand twice. See docs/methods/units.md.
#include <algorithm>

#include "base/for_each.h"
#include "pipeline/units/substring_places.h"
#include "pipeline/units/unit_stages.h"
#include "pipeline/units/window_hash.h"

namespace twinset {

namespace {

struct AnchorPlace {
  uint64_t value = 0, place = 0;
  std::array<uint64_t, 2> SortWords() const { return {value, place}; }
};

struct HashedWindow {
  uint64_t low = 0, high = 0, place = 0;
  std::array<uint64_t, 3> SortWords() const { return {low, high, place}; }
};

// Calls `body` for every token of a document with its number, from 0, its text
// and its hash, and with the anchor of the window that it ends; null: it ends
// none.
template <typename Body>
Status ForEachAnchoredToken(std::string_view bytes, const TokenNumbers& number,
                            AnchorPicker* anchors, const Body& body) {
  TWINSET_ASSIGN(StoredTokens tokens, StoredTokens::Open(bytes));
  anchors->Clear();
  for (uint64_t at = 0;; ++at) {
    const std::string_view token = tokens.Next();
    if (token.empty()) break;
    const uint64_t hash = number(token);
    TWINSET_TRY(body(at, token, hash, anchors->Add(hash)));
  }
  if (tokens.number() == tokens.tokens()) return {};
  return Fail(ErrorCode::kCorrupt,
              "the stored tokens of a document are damaged");
}

// Takes windows by their hashes, each hash in the order of the places, and
// tells of those whose hash stands at two places that do not overlap, and at so
// many in all.
class RepeatedWindows {
 public:
  RepeatedWindows(uint64_t tokens, uint64_t copies,
                  ExternalSorter<WindowPlace>* found)
      : tokens_(tokens), copies_(copies), found_(found) {}

  Status Add(const HashedWindow& window) {
    if (window.low != low_ || window.high != high_ || !any_) {
      any_ = true;
      low_ = window.low;
      high_ = window.high;
      first_ = window.place;
      is_repeated_ = false;
      held_.clear();
    }
    if (is_repeated_) return found_->Add({window.place, first_});
    held_.push_back(window.place);
    if (window.place - first_ < tokens_ || held_.size() < copies_) return {};
    is_repeated_ = true;
    for (const uint64_t place : held_)
      TWINSET_TRY(found_->Add({place, first_}));
    return {};
  }

 private:
  const uint64_t tokens_, copies_;
  ExternalSorter<WindowPlace>* found_;
  bool any_ = false, is_repeated_ = false;
  uint64_t low_ = 0, high_ = 0, first_ = 0;
  std::vector<uint64_t> held_;
};

// The windows of which the anchor stands twice.
Status HashWindows(Run* run, uint64_t tokens, uint64_t attempt,
                   ExternalSorter<HashedWindow>* windows) {
  TWINSET_ASSIGN(auto suspects, OpenRun<uint64_t>(*run, "suspects.run"));
  uint64_t suspect = 0, begin = 0;
  const auto advance = [&]() -> Status {
    TWINSET_ASSIGN(const bool more, suspects.Next(&suspect));
    if (!more) suspect = UINT64_MAX;
    return {};
  };
  TWINSET_TRY(advance());
  const TokenNumbers number(run->plan.features.key);
  // Tokens whose numbers are equal make equal windows in any attempt.
  const TokenNumbers again(run->plan.features.key, attempt);
  AnchorPicker anchors(run->plan.features.key, tokens);
  WindowHash hash(run->plan.features.key, attempt, tokens);
  return ForEachStored(run, [&](uint64_t, std::string_view bytes) -> Status {
    const uint64_t from = begin;
    begin += CountStoredTokens(bytes) + 1;
    if (suspect >= begin) return {};
    hash.Clear();
    return ForEachAnchoredToken(
        bytes, number, &anchors,
        [&](uint64_t at, std::string_view token, uint64_t token_number,
            const AnchorPicker::Anchor* anchor) -> Status {
          const Hash128Value window =
              hash.Add(attempt == 0 ? token_number : again(token));
          if (anchor == nullptr) return {};
          while (suspect < from + anchor->token) TWINSET_TRY(advance());
          if (suspect != from + anchor->token) return {};
          return windows->Add(
              {window.low, window.high, from + at + 1 - tokens});
        });
  });
}

}  // namespace

Status SuspectWindows(Run* run) {
  const uint64_t tokens = run->plan.options.min_tokens;
  const Reservation memory =
      run->budget.ReserveUpTo(WindowMemory(tokens), WindowMemory(tokens));
  ExternalSorter<uint64_t> suspects(run->SortOptions("suspects", 4),
                                    &run->budget);
  ExternalSorter<AnchorPlace> places(run->SortOptions("anchors", 2),
                                     &run->budget);
  TWINSET_ASSIGN(auto starts, CreateRun<uint64_t>(*run, "starts.run"));
  const TokenNumbers number(run->plan.features.key);
  AnchorPicker anchors(run->plan.features.key, tokens);
  uint64_t begin = 0;
  SuspectCounts& counts = run->counts.suspect = {};
  TWINSET_TRY(
      ForEachStored(run, [&](uint64_t, std::string_view bytes) -> Status {
        TWINSET_TRY(starts.Append(begin));
        uint64_t last = UINT64_MAX;
        TWINSET_TRY(ForEachAnchoredToken(
            bytes, number, &anchors,
            [&](uint64_t, std::string_view, uint64_t,
                const AnchorPicker::Anchor* anchor) -> Status {
              if (anchor == nullptr) return {};
              ++counts.considered;
              if (anchor->token == last) return {};
              last = anchor->token;
              return places.Add({anchor->value, begin + last});
            }));
        begin += CountStoredTokens(bytes) + 1;
        return {};
      }));
  TWINSET_TRY(starts.Append(begin));
  TWINSET_TRY(starts.Finish());
  TWINSET_TRY(places.Finish());
  AnchorPlace held;
  bool any = false, was_equal = false;
  TWINSET_TRY(ForEach<AnchorPlace>(&places, [&](const AnchorPlace& next) {
    const bool equal = any && next.value == held.value;
    Status added;
    if (equal && !was_equal) added = suspects.Add(held.place);
    if (equal && added) added = suspects.Add(next.place);
    any = true;
    was_equal = equal;
    held = next;
    return added;
  }));
  counts.suspected = suspects.added();
  TWINSET_TRY(WriteRun<uint64_t>(*run, "suspects.run", &suspects));
  return run->FinishStage("suspect", {"suspects.run", "starts.run"}, counts);
}

Status ForEachRepeatedWindow(
    Run* run, uint64_t tokens, uint64_t attempt,
    const std::function<Status(const WindowPlace&)>& body) {
  ExternalSorter<WindowPlace> found(run->SortOptions("repeated-windows", 4),
                                    &run->budget);
  {
    const uint64_t copies = run->plan.options.min_copies;
    const uint64_t bytes = WindowMemory(std::max(tokens, copies));
    const Reservation memory = run->budget.ReserveUpTo(bytes, bytes);
    ExternalSorter<HashedWindow> windows(run->SortOptions("windows", 2),
                                         &run->budget);
    TWINSET_TRY(HashWindows(run, tokens, attempt, &windows));
    TWINSET_TRY(windows.Finish());
    RepeatedWindows repeated(tokens, copies, &found);
    Meter meter(*run, "records", windows.added());
    TWINSET_TRY(
        ForEach<HashedWindow>(&windows, [&](const HashedWindow& window) {
          meter.Add();
          return repeated.Add(window);
        }));
  }
  TWINSET_TRY(found.Finish());
  Meter meter(*run, "records", found.added());
  return ForEach<WindowPlace>(&found, [&](const WindowPlace& place) {
    meter.Add();
    return body(place);
  });
}

}  // namespace twinset
