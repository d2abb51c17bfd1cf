#include "study/pilot/collection_pass.h"

#include <utility>

#include "base/stop.h"
#include "documents/document_pass.h"
#include "documents/id_numbering.h"
#include "documents/side_check.h"

namespace twinset::inline v1 {

namespace {

// `end` is called behind each input.
Status ForEachOf(
    const InputOptions& input, const std::atomic<bool>* stop,
    const std::function<Status(const CollectionDocument&)>& body,
    const std::function<Status(size_t, Status, ReadOutcome)>& end) {
  IdNumbering names;
  // Named together, as in a run.
  TWINSET_ASSIGN(const InputList files, ListInputs(input.inputs));
  size_t behind = 0;
  for (size_t i = 0; i < input.inputs.size(); ++i) {
    TWINSET_ASSIGN(const InputList own, ListInputs({input.inputs[i]}));
    const size_t begin = std::exchange(behind, behind + own.size());
    if (behind > files.size())
      return Fail(ErrorCode::kIo, "files were added while the input was in use",
                  input.inputs[i],
                  "run the command again when it stays as it is");
    ReadOutcome outcome;
    const Status read = ForEachListedDocument(
        files, begin, behind, input, {},
        [&](Record* record, const std::string& source) -> Result<bool> {
          TWINSET_TRY(CheckStop(stop));
          ++outcome.records;
          ++outcome.documents;
          const std::string name = names.NameOf(record->document.id);
          TWINSET_TRY(body({*record, source, name, i}));
          return true;
        },
        outcome.Counting({}));
    TWINSET_TRY(end(i, read, outcome));
  }
  return {};
}

}  // namespace

Status ForEachCollectionDocument(
    const InputOptions& input, const std::atomic<bool>* stop,
    const std::function<Status(const CollectionDocument&)>& body) {
  return ForEachOf(
      input, stop, body,
      [](size_t, Status read, const ReadOutcome&) { return read; });
}

Status ForEachDocumentOfSide(
    const std::string& side, const InputOptions& input,
    const std::atomic<bool>* stop, std::vector<SideRead>* sides,
    const std::function<Status(const CollectionDocument&)>& body) {
  return ForEachOf(input, stop, body,
                   [&](size_t i, Status read, const ReadOutcome& outcome) {
                     sides->push_back(SideOf(side, input.inputs[i], outcome));
                     return CheckSideAfter(std::move(read), sides->back(),
                                           "text_field of [" + side +
                                               "] names the field of the text");
                   });
}

}  // namespace twinset::inline v1
