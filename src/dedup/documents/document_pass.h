// The records of inputs one by one, for commands that look at single documents.
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_DOCUMENT_PASS_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_DOCUMENT_PASS_H_

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "read/reader.h"
#include "twinset/error.h"
#include "twinset/inspect.h"
#include "twinset/options.h"

namespace twinset {

using RejectedSink = std::function<void(const RejectedRecord&)>;

RejectedRecord Reject(const Record& record, const std::string& source,
                      const std::string& stage, const std::string& reason,
                      const std::string& detail, bool quarantined);

// A row of quarantine.jsonl, without its line end. `original_id`: as of Record;
// not `has_offset`: the source is no bytes.
std::string QuarantineRow(const RejectedRecord& record,
                          std::string_view original_id, bool has_offset = true);

// Says why a record is no document.
RejectedRecord RejectUnread(const Record& record, const std::string& source);
// `source` and number, where the document has no id of its own.
void GiveId(const std::string& source, Document* document);

// Returns true iff an id holds a line feed or a carriage return: in a list of
// ids it would be several.
bool BreaksLists(std::string_view id);
// Gives `source` and number to a record whose id breaks lists, and keeps that
// id in original_id. Every run over files does so before it looks at ids.
void ReplaceId(const std::string& source, Record* record);
// Both.
void GiveListedId(const std::string& source, Record* record);

// What a record holds beside its payload.
uint64_t BytesBesidePayload(const Record& record);

// What a pass over all records of some inputs sees of the fields that it was
// asked for. One thread at a time. Both references must outlive it.
class FieldPass {
 public:
  FieldPass(const InputOptions& input, const ReadOptions& read)
      : input_(input), read_(read) {}

  // Before a document without an id gets one.
  void Count(const Record& record);
  // Behind the last record: kUsage for a field that no record has.
  Status Check(const InputList& files) const;

 private:
  const InputOptions& input_;
  const ReadOptions& read_;
  uint64_t documents_ = 0, quarantined_ = 0, lacking_ = 0;
  std::array<uint64_t, 3> present_{};
};

// What a pass over documents gives beside them.
struct PassOptions {
  // The files before the first one, and so many of its records, were read by an
  // earlier pass: they do not come, and fields are not checked.
  std::optional<uint64_t> passed = {};
  std::vector<std::string> fields = {};        // that are read too
  bool keep_raw = false, keep_stored = false;  // as ReadOptions has them
  // In front of the first record of each source: its name, and how it is
  // written.
  std::function<Status(const std::string&, InputFormat)> on_source = {};
  // Each record that is no document, in front of on_rejected.
  std::function<Status(const Record&)> on_other = {};
};

// Calls `body` with every document of the inputs before the text stage, in
// input order, and its source, until it returns false; on_rejected, where there
// is one, with every other record.
Status ForEachInputDocument(
    const InputOptions& input, const PassOptions& options,
    const std::function<Result<bool>(Record*, const std::string&)>& body,
    const RejectedSink& on_rejected);

// The same for files [begin, end) of a list.
Status ForEachListedDocument(
    const InputList& files, size_t begin, size_t end, const InputOptions& input,
    const PassOptions& options,
    const std::function<Result<bool>(Record*, const std::string&)>& body,
    const RejectedSink& on_rejected);

// Returns true iff an input gives its bytes once and never again: "-", a pipe,
// a device.
bool CanBeReadOnce(const std::string& input);

// kUsage when such an input is among those of what reads them again. `message`
// says in place of the usual one what reads them so.
Status RefuseReadOnce(const std::vector<std::string>& inputs,
                      const std::string& message = "");

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_DOCUMENT_PASS_H_
