// Lines of two lists counted by host, registered domain and top-level domain,
// of any number of them.
#ifndef TWINSET_SRC_CORPORA_URLS_URL_TABLES_H_
#define TWINSET_SRC_CORPORA_URLS_URL_TABLES_H_

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_budget.h"
#include "net/public_suffix.h"
#include "store/external_sort.h"
#include "twinset/corpora/urls.h"
#include "twinset/error.h"
#include "urls/url_forms.h"
#include "urls/url_join.h"

namespace twinset {

void AddCounts(const HostTally& tally, UrlCounts* counts);
void AddCounts(const UrlCounts& more, UrlCounts* counts);

// Sums by name, then rows by lines of A and of B descending, then by name.
class UrlTable {
 public:
  // Work files in `folder`; `bytes` of the budget, which outlives the table.
  UrlTable(std::string name, std::string folder, uint64_t bytes,
           MemoryBudget* budget);
  Status Add(std::string_view name, const UrlCounts& counts);
  // Writes all rows to the file (empty: none), with a column for judged ids if
  // asked for; the first `most` go to *top. Returns how many names there are.
  Result<uint64_t> Write(const std::string& csv, bool judged, size_t most,
                         std::vector<UrlGroup>* top);

 private:
  struct Row {
    HostName name;
    UrlCounts counts;
    bool operator<(const Row& other) const;
  };
  struct RankedRow : Row {
    bool operator<(const RankedRow& other) const;
  };
  Status Sum();

  ExternalSortOptions options_;
  MemoryBudget* budget_;
  std::optional<ExternalSorter<Row>> by_name_;
  std::optional<ExternalSorter<RankedRow>> ranked_;
};

struct UrlTables {
  UrlTable hosts, domains, top_levels;
};

// Joins counts and names of hosts, both finished. A host whose name is missing
// is a broken invariant: kInternal.
Status FillUrlTables(ExternalSorter<HostTally>* tallies,
                     ExternalSorter<HostName>* names,
                     const PublicSuffixes& suffixes, UrlCounts* all,
                     UrlTables* tables);

// "name,lines_a,..." and the row of a group.
std::string UrlTableHeader(bool judged);
std::string UrlTableRow(const UrlGroup& group);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_URLS_URL_TABLES_H_
