// What goes on in a pipe that an index looks at: records of new documents as
// they came.
#ifndef TWINSET_SRC_INDEX_LIVE_RECORD_FILTER_H_
#define TWINSET_SRC_INDEX_LIVE_RECORD_FILTER_H_

#include <optional>
#include <string>

#include "core/document.h"
#include "read/archive/digest.h"
#include "twinset/error.h"
#include "twinset/index_answers.h"
#include "twinset/text_choices.h"

namespace twinset {

// Rows of JSON go on when they are new. So do records of a WARC, with every one
// that is no document, and a revisit record in place of a document whose
// payload is that of the kept one, byte for byte. What is quarantined goes.
class RecordFilter {
 public:
  // `digest`: of payloads for which no record declares one.
  explicit RecordFilter(DigestKind digest) : digest_(FormOf(digest)) {}

  // kUnsupported for a format whose records cannot stand one behind the other,
  // or not behind those of the source before.
  Status BeginSource(const std::string& source, InputFormat format);
  // kUnsupported for a record that does not stand in a line of its own.
  // Of a WARC it completes the digest of the payload by the payload itself.
  Status Prepare(Record* record) const;
  // What goes on of a document: `record` without its payload, but with what
  // Prepare made of it.
  std::string OfDocument(const Record& record, const IndexAnswer& answer) const;
  std::string OfOther(const Record& record) const;

 private:
  bool is_warc() const { return format_ == InputFormat::kWarc; }
  std::string Whole(const Record& record) const;

  const DigestForm digest_;
  std::optional<InputFormat> format_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_INDEX_LIVE_RECORD_FILTER_H_
