// A table of fields made of any bytes is refused or answers for any document.
#include "documents/field_table.h"
#include "scratch_file.h"
#include "target.h"

TWINSET_FUZZ_TARGET(field_table) {
  const std::string path = twinset::ScratchFolder() + "/fields";
  twinset::WriteScratch(path, {reinterpret_cast<const char*>(data), size});
  twinset::MemoryBudget budget(1 << 20);
  const auto table =
      twinset::FieldTable::Load({path}, {"rank", "a.b"}, &budget);
  if (!table) {
    if (table.error().message.empty()) std::abort();
    return 0;
  }
  twinset::Document document;
  document.provenance.url = "http://a/";
  table->Fill("x", &document);
  if (document.fields.size() != 2) std::abort();
  return 0;
}
