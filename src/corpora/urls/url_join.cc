#include "urls/url_join.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/file.h"
#include "base/for_each.h"

namespace twinset {

struct UrlJoin::Large {
  std::optional<RunWriter<Spelling>> spellings;
  std::string path;
  std::vector<ExternalSorter<FormCount>> forms;
};

UrlJoin::UrlJoin(std::string folder, MemoryBudget* budget,
                 ExternalSorter<HostTally>* tallies)
    : folder_(std::move(folder)), budget_(budget), tallies_(tallies) {}

UrlJoin::~UrlJoin() {
  if (large_ != nullptr) (void)RemoveFile(large_->path);
}

void UrlJoin::Count(uint64_t a, uint64_t b, UrlOverlap* overlap) {
  overlap->distinct_a += a > 0;
  overlap->distinct_b += b > 0;
  if (a == 0 || b == 0) return;
  ++overlap->common;
  overlap->a_in_b += a;
  overlap->b_in_a += b;
}

Status UrlJoin::Add(const UrlLine& line) {
  UrlLine plain = line;
  plain.flags = 0;
  if (!open_ || open_->line != plain) {
    const bool same_key = open_ && open_->line.key_high == plain.key_high &&
                          open_->line.key_low == plain.key_low;
    TWINSET_TRY(EndSpelling());
    if (!same_key) TWINSET_TRY(EndKey());
    open_.emplace().line = plain;
  }
  const bool of_b = (line.flags & kOfB) != 0;
  const bool judged = (line.flags & kJudged) != 0;
  ++(of_b ? open_->b : open_->a);
  ++(of_b ? key_b_ : key_a_);
  if (judged) ++(of_b ? open_->judged_b : open_->judged_a);
  return {};
}

Status UrlJoin::Finish() {
  TWINSET_TRY(EndSpelling());
  return EndKey();
}

UrlOverlap UrlJoin::Of(size_t form) const {
  UrlOverlap all = overlaps_[form];
  all.distinct_a += alike_.distinct_a;
  all.distinct_b += alike_.distinct_b;
  all.common += alike_.common;
  all.a_in_b += alike_.a_in_b;
  all.b_in_a += alike_.b_in_a;
  return all;
}

Status UrlJoin::EndSpelling() {
  if (!open_) return {};
  const Spelling spelling = *std::exchange(open_, std::nullopt);
  if (large_ == nullptr && held_.size() < most_held_) {
    held_.push_back(spelling);
    return {};
  }
  if (large_ == nullptr) {
    large_ = std::make_unique<Large>();
    large_->path = folder_ + "/key-" + std::to_string(larges_++) + ".run";
    TWINSET_ASSIGN(auto writer, RunWriter<Spelling>::Create(large_->path, 0));
    large_->spellings.emplace(std::move(writer));
    large_->forms.reserve(kUrlForms);
    for (size_t form = 0; form < kUrlForms; ++form) {
      ExternalSortOptions sort;
      sort.directory = folder_;
      sort.name = "form-" + std::to_string(form);
      sort.memory_bytes = kExternalSortMinimumBytes;
      large_->forms.emplace_back(std::move(sort), budget_);
    }
    for (const Spelling& held : std::exchange(held_, {}))
      TWINSET_TRY(Hold(held));
  }
  return Hold(spelling);
}

Status UrlJoin::Hold(const Spelling& spelling) {
  for (size_t form = 0; form < kUrlForms; ++form)
    TWINSET_TRY(large_->forms[form].Add(
        {spelling.line.forms[form], spelling.a, spelling.b}));
  return large_->spellings->Append(spelling);
}

void UrlJoin::CountForm(size_t form) {
  counts_.clear();
  for (const Spelling& held : held_)
    counts_.push_back({held.line.forms[form], held.a, held.b});
  std::sort(counts_.begin(), counts_.end());
  for (size_t i = 0; i < counts_.size();) {
    uint64_t a = 0, b = 0;
    const uint64_t number = counts_[i].number;
    for (; i < counts_.size() && counts_[i].number == number; ++i) {
      a += counts_[i].a;
      b += counts_[i].b;
    }
    Count(a, b, &overlaps_[form]);
  }
}

Status UrlJoin::EndKey() {
  const bool a_found = key_b_ > 0, b_found = key_a_ > 0;
  if (large_ != nullptr) {
    TWINSET_TRY(EndLarge());
  } else if (held_.size() == 1) {
    Count(key_a_, key_b_, &alike_);
    TWINSET_TRY(Tally(held_[0], a_found, b_found));
  } else if (!held_.empty()) {
    for (size_t form = 0; form < kUrlForms; ++form) CountForm(form);
    Count(key_a_, key_b_, &overlaps_[kKeyForm]);
    for (const Spelling& held : held_)
      TWINSET_TRY(Tally(held, a_found, b_found));
  }
  held_.clear();
  key_a_ = key_b_ = 0;
  return {};
}

Status UrlJoin::EndLarge() {
  const auto large = std::exchange(large_, nullptr);
  Count(key_a_, key_b_, &overlaps_[kKeyForm]);
  for (size_t form = 0; form < kUrlForms; ++form) {
    ExternalSorter<FormCount>& sorter = large->forms[form];
    TWINSET_TRY(sorter.Finish());
    FormCount sum;
    bool any = false;
    TWINSET_TRY(ForEach<FormCount>(&sorter, [&](const FormCount& count) {
      if (any && count.number != sum.number)
        Count(sum.a, sum.b, &overlaps_[form]);
      if (!any || count.number != sum.number) sum = {count.number, 0, 0};
      any = true;
      sum.a += count.a;
      sum.b += count.b;
    }));
    if (any) Count(sum.a, sum.b, &overlaps_[form]);
  }
  TWINSET_TRY(large->spellings->Finish(false));
  {
    TWINSET_ASSIGN(auto reader, RunReader<Spelling>::Open(large->path, 0));
    TWINSET_TRY(ForEach<Spelling>(&reader, [&](const Spelling& spelling) {
      return Tally(spelling, key_b_ > 0, key_a_ > 0);
    }));
  }
  TWINSET_ASSIGN([[maybe_unused]] const bool removed, RemoveFile(large->path));
  return {};
}

Status UrlJoin::Tally(const Spelling& spelling, bool a_found, bool b_found) {
  const uint32_t raw = spelling.a > 0 && spelling.b > 0 ? kTallyRaw : 0;
  const uint32_t of_a = raw | (a_found ? kTallyFound : 0);
  const uint32_t of_b = kTallyOfB | raw | (b_found ? kTallyFound : 0);
  const uint64_t host = spelling.line.host;
  TWINSET_TRY(Tally(host, of_a, spelling.a - spelling.judged_a));
  TWINSET_TRY(Tally(host, of_a | kTallyJudged, spelling.judged_a));
  TWINSET_TRY(Tally(host, of_b, spelling.b - spelling.judged_b));
  return Tally(host, of_b | kTallyJudged, spelling.judged_b);
}

Status UrlJoin::Tally(uint64_t host, uint32_t kind, uint64_t lines) {
  while (lines > 0) {
    const auto part = static_cast<uint32_t>(
        std::min<uint64_t>(lines, std::numeric_limits<uint32_t>::max()));
    TWINSET_TRY(tallies_->Add({host, kind, part}));
    lines -= part;
  }
  return {};
}

}  // namespace twinset
