#include "study/pilot/collection_pass.h"

#include "base/stop.h"
#include "documents/document_pass.h"
#include "documents/id_numbering.h"

namespace twinset::inline v1 {

Status ForEachCollectionDocument(
    const InputOptions& input, const std::atomic<bool>* stop,
    const std::function<Status(const CollectionDocument&)>& body) {
  IdNumbering names;
  InputOptions one = input;
  for (size_t i = 0; i < input.inputs.size(); ++i) {
    one.inputs = {input.inputs[i]};
    TWINSET_TRY(ForEachInputDocument(
        one, {},
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
