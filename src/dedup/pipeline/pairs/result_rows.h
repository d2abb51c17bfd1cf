// The members of the rows of results, for whoever writes them.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_PAIRS_RESULT_ROWS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_PAIRS_RESULT_ROWS_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "report/row_writer.h"

namespace twinset {

inline RowText& AddPairMembers(std::string_view a, std::string_view b,
                               double similarity, RowText* to) {
  return to->Text("a", a).Text("b", b).Number("similarity", similarity);
}

// A document of a cluster.
struct MemberRow {
  std::string_view id, cluster;
  bool is_representative = false;
  double similarity = 1;
  std::optional<double> contained;
  uint64_t size = 0;
  std::string_view source;
  uint64_t ordinal = 0;
  std::string_view url, date;
};

inline RowText& AddClusterMembers(const MemberRow& row, RowText* to) {
  to->Text("id", row.id)
      .Text("cluster", row.cluster)
      .Bool("is_representative", row.is_representative)
      .Number("similarity", row.similarity);
  if (row.contained) to->Number("contained", *row.contained);
  return to->Integer("size", row.size)
      .Text("source", row.source)
      .Integer("ordinal", row.ordinal)
      .Text("url", row.url)
      .Text("date", row.date);
}

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_PAIRS_RESULT_ROWS_H_
