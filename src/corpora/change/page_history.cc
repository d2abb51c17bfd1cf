#include "change/page_history.h"

#include <algorithm>
#include <utility>

#include "base/keyed_hash.h"
#include "documents/priority.h"
#include "mirrors/mirror_index.h"

namespace twinset {
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

// Where the contents of a page stand: numbers of captures with their places,
// those of a capture and of the revisits that refer to it under one number.
class ContentPlaces {
 public:
  explicit ContentPlaces(std::span<const PageCapture> captures) {
    for (size_t i = 0; i < captures.size(); ++i)
      places_.emplace_back(captures[i].number, i);
    std::sort(places_.begin(), places_.end());
  }
  // Adds the places of a capture; none for one that was replaced.
  void Add(uint64_t number, std::vector<size_t>* places) const {
    auto at = std::lower_bound(places_.begin(), places_.end(),
                               std::pair<uint64_t, size_t>(number, 0));
    for (; at != places_.end() && at->first == number; ++at)
      places->push_back(at->second);
  }

 private:
  std::vector<std::pair<uint64_t, size_t>> places_;
};

// Calls `body` with the places of each value of the page, ascending.
template <typename Body>
Status ForEachValue(const Hash128Value& address, const ContentPlaces& contents,
                    Ahead<Fragment>* ahead, const Body& body) {
  std::vector<size_t> places;
  while (ahead->IsOf(address)) {
    const uint64_t value = ahead->value().value;
    places.clear();
    while (ahead->IsOf(address) && ahead->value().value == value) {
      contents.Add(ahead->value().number, &places);
      TWINSET_TRY(ahead->Move());
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
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

// The capture that a revisit is as; nothing if it was not read. A crawler names
// it by its date; without one it is the capture before.
const PageCapture* ReferredTo(const PageCapture& revisit,
                              const std::vector<PageCapture>& captures) {
  if (captures.empty()) return nullptr;
  if (revisit.refers_date == kNoDate) return &captures.back();
  const auto at = std::find_if(captures.rbegin(), captures.rend(),
                               [&](const PageCapture& capture) {
                                 return capture.date == revisit.refers_date;
                               });
  return at == captures.rend() ? nullptr : &*at;
}

// Adds the next capture of a page: of several in a snapshot the last stays.
void AddCapture(const PageCapture& next, std::vector<PageCapture>* captures,
                HistoryCounts* counts) {
  const bool repeats =
      !captures->empty() && captures->back().snapshot == next.snapshot;
  counts->repeated += repeats;
  if (next.is_revisit == 0) {
    if (repeats) captures->pop_back();
    captures->push_back(next);
    return;
  }
  const PageCapture* const as = ReferredTo(next, *captures);
  if (as == nullptr) {
    ++counts->unknown_revisits;
    return;
  }
  PageCapture again = *as;
  if (repeats) {
    if (captures->back().number == again.number) return;
    captures->pop_back();
  }
  again.date = next.date;
  again.snapshot = next.snapshot;
  again.is_revisit = 1;
  captures->push_back(again);
}

}  // namespace

Hash128Value AddressKey(std::string_view url, std::string_view id) {
  return EqualityHash::OfProcess().Ordered(MirrorAddress(url, id));
}

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
    const ContentPlaces contents(page.captures);
    TWINSET_TRY(
        ForEachValue(address, contents, &shingle,
                     [&](const auto& places) { CountShingle(places, &page); }));
    TWINSET_TRY(ForEachValue(address, contents, &link, [&](const auto& places) {
      CountLink(places, &page);
    }));
    TWINSET_TRY(body(page));
  }
  return {};
}

}  // namespace twinset
