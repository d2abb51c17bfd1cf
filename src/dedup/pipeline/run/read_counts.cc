#include "pipeline/run/read_counts.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace twinset {

namespace {

using NamedCounts = std::map<std::string, uint64_t>;

void AddNamed(const NamedCounts& from, NamedCounts* to) {
  for (const auto& [name, count] : from) (*to)[name] += count;
}

}  // namespace

void ReadCounts::Side::TakeFields(const std::vector<size_t>& fields) {
  const auto had = present;
  std::fill(present.begin() + field_bit::kField, present.end(), 0);
  for (size_t i = 0; i < fields.size(); ++i) {
    const size_t bit = field_bit::kField + i;
    const size_t place = field_bit::kField + fields[i];
    if (bit < field_bit::kCount && place < field_bit::kCount)
      present[bit] = had[place];
  }
}

void ReadCounts::AddIncomplete(const std::string& source) {
  if (incomplete.size() < kMostIncomplete)
    incomplete.push_back(source);
  else
    more_incomplete = more_incomplete.value_or(0) + 1;
}

void ReadCounts::Add(const ReadCounts& other, size_t first, size_t side) {
  for (const auto member :
       {&ReadCounts::records, &ReadCounts::documents, &ReadCounts::quarantined,
        &ReadCounts::empty, &ReadCounts::revisits, &ReadCounts::tokens,
        &ReadCounts::features, &ReadCounts::payload_bytes,
        &ReadCounts::code_points, &ReadCounts::fallback_parser,
        &ReadCounts::malformed_text, &ReadCounts::unsure_pages,
        &ReadCounts::pages})
    this->*member += other.*member;
  for (const auto kind :
       {&InputOddities::quoted_fields, &InputOddities::rows_in_fields,
        &InputOddities::malformed_xml}) {
    const InputOddities::Kind& more = other.oddities.*kind;
    (oddities.*kind).Add(more.count, more.first);
  }
  AddNamed(other.page_kinds, &page_kinds);
  AddNamed(other.skipped, &skipped);
  AddNamed(other.quarantine_reasons, &quarantine_reasons);
  for (size_t i = 0; i < other.source_documents.size(); ++i)
    source_documents[first + i] += other.source_documents[i];
  for (const std::string& source : other.incomplete) AddIncomplete(source);
  if (other.more_incomplete)
    more_incomplete = more_incomplete.value_or(0) + *other.more_incomplete;
  sides[side].outcome.Add(other.sides[0].outcome);
  for (size_t i = 0; i < field_bit::kCount; ++i)
    sides[side].present[i] += other.sides[0].present[i];
}

namespace {

// Both lists are sorted by their pages, most first; what is met first comes
// first.
template <typename T>
void MergeByPages(std::vector<T> from, size_t most, std::vector<T>* to) {
  to->insert(to->end(), std::make_move_iterator(from.begin()),
             std::make_move_iterator(from.end()));
  std::stable_sort(to->begin(), to->end(),
                   [](const T& x, const T& y) { return x.pages > y.pages; });
  to->resize(std::min(most, to->size()));
}

}  // namespace

void TemplateCounts::AddSecondSide(TemplateCounts other) {
  for (Block& block : other.most_frequent) block.side = "b";
  for (Site& site : other.largest_sites) site.side = "b";
  MergeByPages(std::move(other.most_frequent), kMostBlocks, &most_frequent);
  MergeByPages(std::move(other.largest_sites), kMostSites, &largest_sites);
  for (const auto member :
       {&TemplateCounts::sites, &TemplateCounts::pages, &TemplateCounts::blocks,
        &TemplateCounts::pages_cut, &TemplateCounts::code_points_dropped,
        &TemplateCounts::pages_whole, &TemplateCounts::pages_widened})
    this->*member += other.*member;
}

}  // namespace twinset
