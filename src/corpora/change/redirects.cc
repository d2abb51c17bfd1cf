#include "change/redirects.h"

#include <utility>

#include "base/for_each.h"
#include "change/moves.h"
#include "net/url.h"

namespace twinset {
namespace {

// The order of places.
std::tuple<uint64_t, uint64_t, uint32_t> KeyOf(const Hash128Value& address,
                                               uint32_t snapshot) {
  return {address.high, address.low, snapshot};
}

}  // namespace

template <typename T>
ExternalSorter<T> Redirects::Sorter(std::string name) const {
  ExternalSortOptions sort = sort_;
  sort.name = std::move(name);
  return ExternalSorter<T>(sort, budget_);
}

Redirects::Redirects(std::string path, BlobWriter writer,
                     ExternalSortOptions sort, MemoryBudget* budget)
    : path_(std::move(path)),
      writer_(std::move(writer)),
      sort_(std::move(sort)),
      budget_(budget),
      captures_(Sorter<Place>("redirect-captures")),
      ends_(Sorter<Place>("redirect-ends")) {
  by_address_.emplace(Sorter<Redirect>("redirects"));
  by_target_.emplace(Sorter<ByTarget>("redirects-by-target"));
}

Result<Redirects> Redirects::Make(const std::string& path,
                                  const ExternalSortOptions& sort,
                                  MemoryBudget* budget) {
  TWINSET_ASSIGN(BlobWriter writer, BlobWriter::Create(path, 0));
  return Redirects(path, std::move(writer), sort, budget);
}

Status Redirects::Add(std::string_view url, std::string_view target,
                      uint32_t snapshot) {
  // What cannot be resolved is shown as it is written.
  const std::string resolved =
      ResolveUrl(url, target).value_or(std::string(target));
  TWINSET_TRY(writer_.Append(resolved));
  Redirect redirect;
  redirect.address = AddressKey(url, {});
  redirect.target = AddressKey(resolved, {});
  redirect.number = redirect.target_number = count_++;
  redirect.snapshot = snapshot;
  TWINSET_TRY(by_address_->Add(redirect));
  return by_target_->Add({redirect});
}

Status Redirects::FinishReading() {
  TWINSET_TRY(writer_.Finish());
  TWINSET_ASSIGN(BlobReader reader, BlobReader::Open(path_, 0));
  targets_.emplace(std::move(reader));
  bool goes_on = count_ > 0;
  for (int round = 0; goes_on && round < kMostRounds; ++round) {
    TWINSET_ASSIGN(goes_on, FollowOnce(round));
  }
  TWINSET_TRY(by_address_->Finish());
  TWINSET_ASSIGN(has_next_, by_address_->Next(&next_));
  return {};
}

// Each redirect that leads to another one then leads where that does.
Result<bool> Redirects::FollowOnce(int round) {
  const std::string suffix = "-" + std::to_string(round);
  auto by_address = Sorter<Redirect>("redirects" + suffix);
  auto by_target = Sorter<ByTarget>("redirects-by-target" + suffix);
  TWINSET_TRY(by_address_->Finish());
  TWINSET_TRY(by_target_->Finish());
  Redirect step, last;  // last: of its address and snapshot
  TWINSET_ASSIGN(bool has_step, by_address_->Next(&step));
  bool has_last = false, any = false;
  TWINSET_TRY(ForEach<ByTarget>(&*by_target_, [&](ByTarget& row) -> Status {
    Redirect& redirect = row.redirect;
    const auto wanted = KeyOf(redirect.target, redirect.snapshot);
    while (has_step && KeyOf(step.address, step.snapshot) <= wanted) {
      last = step;
      has_last = true;
      TWINSET_ASSIGN(has_step, by_address_->Next(&step));
    }
    if (has_last && KeyOf(last.address, last.snapshot) == wanted &&
        last.target != redirect.target) {
      redirect.target = last.target;
      redirect.target_number = last.target_number;
      any = true;
    }
    TWINSET_TRY(by_address.Add(redirect));
    return by_target.Add(row);
  }));
  by_address_.emplace(std::move(by_address));
  by_target_.emplace(std::move(by_target));
  return any;
}

Status Redirects::See(const PageHistory& page) {
  of_page_.clear();
  if (count_ == 0) return {};
  const Hash128Value address = page.captures.front().address;
  while (has_next_ && KeyOf(next_.address, 0) <= KeyOf(address, 0)) {
    if (next_.address == address) {
      // In order: of a snapshot the last stays.
      if (!of_page_.empty() && of_page_.back().snapshot == next_.snapshot)
        of_page_.pop_back();
      of_page_.push_back(next_);
    }
    TWINSET_ASSIGN(has_next_, by_address_->Next(&next_));
  }
  for (const PageCapture& capture : page.captures)
    TWINSET_TRY(captures_.Add({address, capture.number, 0, capture.snapshot}));
  return {};
}

Result<bool> Redirects::Left(uint32_t snapshot, uint64_t number) {
  const Redirect* found = nullptr;
  for (const Redirect& redirect : of_page_)
    if (redirect.snapshot == snapshot) found = &redirect;
  if (found == nullptr) return false;
  TWINSET_TRY(
      ends_.Add({found->target, number, found->target_number, snapshot}));
  return true;
}

Status Redirects::Land(const BlobReader& shingles, double near,
                       std::vector<ChangeStep>* steps,
                       ExternalSorter<Move>* moves) {
  TWINSET_TRY(captures_.Finish());
  TWINSET_TRY(ends_.Finish());
  Place capture;
  TWINSET_ASSIGN(bool has_capture, captures_.Next(&capture));
  const auto key = [](const Place& place) {
    return KeyOf(place.address, place.snapshot);
  };
  return ForEach<Place>(&ends_, [&](const Place& end) -> Status {
    while (has_capture && key(capture) < key(end)) {
      TWINSET_ASSIGN(has_capture, captures_.Next(&capture));
    }
    Move move = {end.snapshot, true, end.number, end.target_number};
    if (has_capture && key(capture) == key(end)) {
      move.landed = capture.number;
      TWINSET_ASSIGN(move.jaccard,
                     JaccardOf(shingles, end.number, capture.number));
      ChangeStep& step = (*steps)[end.snapshot - 1];
      ++step.redirects_followed;
      step.redirects_near += move.jaccard >= near;
    }
    return moves->Add(move);
  });
}

Result<std::string> Redirects::TargetOf(uint64_t number) const {
  std::string target;
  TWINSET_TRY(targets_->ReadOne(number, &target));
  return target;
}

}  // namespace twinset
