// What a written corpus or an attribute file says of a document beside its
// text (docs/formats/results.md, Written corpora).
#ifndef TWINSET_SRC_STAGES_REPORT_ANNOTATION_H_
#define TWINSET_SRC_STAGES_REPORT_ANNOTATION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/csv_row.h"

namespace twinset {

// What is written about a document. One in no cluster has its own id and these
// defaults.
struct Annotation {
  std::string cluster;
  uint64_t size = 1;
  bool is_representative = true;
  double similarity = 1;
  // The share of its features that the representative has; none where nothing
  // was verified.
  std::optional<double> contained = 1;
};

// {"cluster":...,"size":...,"is_representative":...,"similarity":...,
// "contained":...}
std::string AnnotationJson(const Annotation& annotation);

// A JSON line with an added member "twinset", that object. The line is returned
// as it is when it holds no object.
std::string AnnotateJsonLine(std::string_view line,
                             const Annotation& annotation);

// A WARC record with an added field "Twinset-Cluster", that object, behind the
// other fields of its header; its block and their digests stay as they are.
std::string AnnotateWarcRecord(std::string_view raw,
                               const Annotation& annotation);

// The first row of CSV or TSV in `raw` from `begin` on that is not blank gets
// five columns at its end: twinset_cluster, twinset_size,
// twinset_is_representative, twinset_similarity, twinset_contained. What stands
// around it stays.
std::string AnnotateCsvHeader(std::string_view raw, CsvForm form, size_t begin);
std::string AnnotateCsvRow(std::string_view raw, CsvForm form,
                           const Annotation& annotation);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_REPORT_ANNOTATION_H_
