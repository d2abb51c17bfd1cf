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

// Calls `body` with the places of each value of the page, ascending.
template <typename Body>
Status ForEachValue(std::span<const PageCapture> captures,
                    Ahead<Fragment>* ahead, const Body& body) {
  std::vector<size_t> places;
  const Hash128Value address = captures.front().address;
  while (ahead->IsOf(address)) {
    const uint64_t value = ahead->value().value;
    places.clear();
    while (ahead->IsOf(address) && ahead->value().value == value) {
      if (const auto place = PlaceOf(captures, ahead->value().number))
        if (places.empty() || places.back() != *place) places.push_back(*place);
      TWINSET_TRY(ahead->Move());
    }
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

}  // namespace

Status ForEachPage(ExternalSorter<PageCapture>* captures,
                   ExternalSorter<Fragment>* shingles,
                   ExternalSorter<Fragment>* links, uint64_t* repeated,
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
      const bool repeats =
          !page.captures.empty() &&
          page.captures.back().snapshot == next.value().snapshot;
      *repeated += repeats;
      if (repeats) page.captures.pop_back();
      page.captures.push_back(next.value());
      TWINSET_TRY(next.Move());
    }
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
