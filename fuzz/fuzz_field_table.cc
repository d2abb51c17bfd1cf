// A table of fields made of any bytes is refused or answers for any document.
#include "documents/field_table.h"
#include "read/input_list.h"
#include "scratch_file.h"
#include "target.h"

TWINSET_FUZZ_TARGET(field_table) {
  const std::string path = twinset::ScratchFolder() + "/fields";
  twinset::WriteScratch(path, {reinterpret_cast<const char*>(data), size});
  twinset::MemoryBudget budget(1 << 20);
  twinset::InputList files;
  files.Add(path, "", path);
  const auto table = twinset::FieldTable::Load(files, {"rank", "a.b"}, &budget);
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
