#include "study/pilot/collection_pass.h"

#include <utility>

#include "base/stop.h"
#include "documents/document_pass.h"
#include "documents/id_numbering.h"

namespace twinset::inline v1 {

Status ForEachCollectionDocument(
    const InputOptions& input, const std::atomic<bool>* stop,
    const std::function<Status(const CollectionDocument&)>& body) {
  IdNumbering names;
  // Named together, as in a run.
  TWINSET_ASSIGN(const InputList files, ListInputs(input.inputs));
  size_t end = 0;
  for (size_t i = 0; i < input.inputs.size(); ++i) {
    TWINSET_ASSIGN(const InputList own, ListInputs({input.inputs[i]}));
    const size_t begin = std::exchange(end, end + own.size());
    if (end > files.size())
      return Fail(ErrorCode::kIo, "files were added while the input was in use",
                  input.inputs[i],
                  "run the command again when it stays as it is");
    TWINSET_TRY(ForEachListedDocument(
        files, begin, end, input, {},
        [&](Record* record, const std::string& source) -> Result<bool> {
          TWINSET_TRY(CheckStop(stop));
          const std::string name = names.NameOf(record->document.id);
          TWINSET_TRY(body({*record, source, name, i}));
          return true;
        },
        {}));
  }
  return {};
}

}  // namespace twinset::inline v1
