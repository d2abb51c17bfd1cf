#include "study/change/page_history.h"

#include <algorithm>

namespace twinset::inline v1 {
namespace {

// A sorter that shows what comes next.
template <typename T>
class Ahead {
 public:
  explicit Ahead(ExternalSorter<T>* sorter) : sorter_(sorter) {}
  Status Begin() { return Move(); }
  Status Move() {
    TWINSET_ASSIGN(has_, sorter_->Next(&value_));
    return {};
  }
  bool IsOf(const Hash128Value& address) const {
    return has_ && value_.address == address;
  }
  bool has() const { return has_; }
  const T& value() const { return value_; }

 private:
  ExternalSorter<T>* sorter_;
  T value_;
  bool has_ = false;
};

// Place of a capture in its page; nothing for one that was replaced.
std::optional<size_t> PlaceOf(std::span<const PageCapture> captures,
                              uint64_t number) {
  const auto at = std::lower_bound(
      captures.begin(), captures.end(), number,
      [](const PageCapture& x, uint64_t value) { return x.number < value; });
  if (at == captures.end() || at->number != number) return std::nullopt;
  return static_cast<size_t>(at - captures.begin());
}

// What stands in a capture stands in the revisits behind it too.
void AddRevisits(std::span<const PageCapture> captures,
                 const std::vector<size_t>& own, std::vector<size_t>* places) {
  places->clear();
  for (const size_t place : own) {
    places->push_back(place);
    for (size_t next = place + 1;
         next < captures.size() && captures[next].is_revisit != 0; ++next)
      places->push_back(next);
  }
}

// Calls `body` with the places of each value of the page, ascending.
template <typename Body>
Status ForEachValue(std::span<const PageCapture> captures,
                    Ahead<Fragment>* ahead, const Body& body) {
  std::vector<size_t> own, places;
  const Hash128Value address = captures.front().address;
  while (ahead->IsOf(address)) {
    const uint64_t value = ahead->value().value;
    own.clear();
    while (ahead->IsOf(address) && ahead->value().value == value) {
      if (const auto place = PlaceOf(captures, ahead->value().number))
        if (own.empty() || own.back() != *place) own.push_back(*place);
      TWINSET_TRY(ahead->Move());
    }
    AddRevisits(captures, own, &places);
    if (!places.empty()) body(places);
  }
  return {};
}

void CountShingle(const std::vector<size_t>& places, PageHistory* page) {
  for (size_t i = 1; i < places.size(); ++i)
    if (places[i] == places[i - 1] + 1) ++page->changes[places[i]].common;
  if (places[0] == 0) return;
  size_t last = 0;
  while (last + 1 < places.size() && places[last + 1] == places[last] + 1)
    ++last;
  ++page->lives[places[0] * page->captures.size() + places[last]];
}

void CountLink(const std::vector<size_t>& places, PageHistory* page) {
  for (size_t i = 0; i < places.size(); ++i) {
    const size_t at = places[i];
    if (at > 0 && (i == 0 || places[i - 1] + 1 != at))
      ++page->changes[at].links_added;
    const bool stays = i + 1 < places.size() && places[i + 1] == at + 1;
    if (!stays && at + 1 < page->captures.size())
      ++page->changes[at + 1].links_removed;
  }
}

// Adds the next capture of a page: of several in a snapshot the last that has
// its content stays.
void AddCapture(const PageCapture& next, std::vector<PageCapture>* captures,
                HistoryCounts* counts) {
  const bool repeats =
      !captures->empty() && captures->back().snapshot == next.snapshot;
  counts->repeated += repeats;
  if (next.is_revisit == 0) {
    if (repeats) captures->pop_back();
    captures->push_back(next);
  } else if (captures->empty()) {
    ++counts->unknown_revisits;
  } else if (!repeats) {
    PageCapture as_before = captures->back();
    as_before.date = next.date;
    as_before.snapshot = next.snapshot;
    as_before.is_revisit = 1;
    captures->push_back(as_before);
  }
}

}  // namespace

Status ForEachPage(ExternalSorter<PageCapture>* captures,
                   ExternalSorter<Fragment>* shingles,
                   ExternalSorter<Fragment>* links, HistoryCounts* counts,
                   const std::function<Status(const PageHistory&)>& body) {
  Ahead<PageCapture> next(captures);
  Ahead<Fragment> shingle(shingles), link(links);
  TWINSET_TRY(next.Begin());
  TWINSET_TRY(shingle.Begin());
  TWINSET_TRY(link.Begin());
  PageHistory page;
  while (next.has()) {
    const Hash128Value address = next.value().address;
    page.captures.clear();
    for (; next.IsOf(address);) {
      AddCapture(next.value(), &page.captures, counts);
      TWINSET_TRY(next.Move());
    }
    if (page.captures.empty()) continue;  // revisits alone, without fragments
    const size_t count = page.captures.size();
    page.changes.assign(count, {});
    page.lives.assign(count * count, 0);
    TWINSET_TRY(ForEachValue(page.captures, &shingle, [&](const auto& places) {
      CountShingle(places, &page);
    }));
    TWINSET_TRY(ForEachValue(page.captures, &link, [&](const auto& places) {
      CountLink(places, &page);
    }));
    TWINSET_TRY(body(page));
  }
  return {};
}

}  // namespace twinset::inline v1
