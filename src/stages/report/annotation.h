// What a written corpus or an attribute file says of a document beside its
// text (docs/formats/results.md, Written corpora).
#ifndef TWINSET_SRC_STAGES_REPORT_ANNOTATION_H_
#define TWINSET_SRC_STAGES_REPORT_ANNOTATION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  std::string id = {};  // what the results call the document
};

// How what is said of documents is written.
struct AnnotationForm {
  std::string_view name;                  // for who writes tables
  std::string_view warc_field;            // of the header of a record
  std::vector<std::string_view> columns;  // of CSV and TSV
  std::string_view elsewhere;  // what says it of formats without a place for it
};

// What is said of a document: an object, and the same for each column.
struct AnnotationValues {
  std::string json;
  std::vector<std::string> columns;
  std::string id = {};  // as Annotation has it, for tables; empty: not said
};

// Clusters: {"cluster":...,"size":...,"is_representative":...,
// "similarity":...,"contained":...}
const AnnotationForm& ClusterForm();
AnnotationValues ValuesOf(const Annotation& annotation);

// The object of a row of a table, which has "id" too.
std::string JsonForTable(const AnnotationValues& values);

// A JSON line with an added member "twinset", that object. The line is returned
// as it is when it holds no object.
std::string AnnotateJsonLine(std::string_view line, std::string_view json);

// A WARC record with an added field, that object, behind the other fields of
// its header; its block and their digests stay as they are.
std::string AnnotateWarcRecord(std::string_view raw, std::string_view field,
                               std::string_view json);

// The first row of CSV or TSV in `raw` from `begin` on that is not blank gets
// columns at its end. What stands around it stays.
std::string AnnotateCsvHeader(std::string_view raw, CsvForm form, size_t begin,
                              const std::vector<std::string_view>& columns);
std::string AnnotateCsvRow(std::string_view raw, CsvForm form,
                           const std::vector<std::string>& columns);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_REPORT_ANNOTATION_H_
