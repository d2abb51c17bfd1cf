#include "pipeline/results/renamed_ids.h"

#include <optional>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/json_text.h"
#include "twinset/plain_words.h"

namespace twinset {

Status WriteRenamedIds(Run* run) {
  const Plan& plan = run->plan;
  const std::string path = plan.options.out + "/" + kRenamedIds;
  std::optional<OutputFile> file;
  TWINSET_ASSIGN(auto ids, OpenBlob(*run, "ids.blob"));
  uint64_t& count = run->counts.renamed_ids;
  count = 0;
  TWINSET_TRY(
      ForEachDocument(*run, [&](uint64_t, const DocumentInfo& info) -> Status {
        std::string_view id;
        TWINSET_TRY(ids.Next(&id));
        if (info.original_id.empty()) return {};
        if (!file) {
          TWINSET_ASSIGN(file, OutputFile::Create(path));
        }
        ++count;
        JsonRow row;
        row.Text("id", id).Text("original", info.original_id);
        if (plan.inputs.first_side > 0)
          row.Text("side",
                   plan.inputs.SideOf(info.provenance.source) == 0 ? "a" : "b");
        return file->Write(row.Take() + "\n");
      }));
  if (!file) return {};
  run->warnings.push_back(CountText(count, "id holds a line end and is",
                                    "ids hold line ends and are") +
                          " replaced by SOURCE:NUMBER in every list and row: " +
                          kRenamedIds + " says by which");
  return file->Commit();
}

Status CopyRenamedIds(const std::string& from, const std::string& to) {
  if (!FileExists(from + "/" + kRenamedIds)) return {};
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(to + "/" + kRenamedIds));
  TWINSET_ASSIGN(File rows, File::OpenRead(from + "/" + kRenamedIds));
  std::string bytes(64 << 10, '\0');
  for (;;) {
    TWINSET_ASSIGN(const size_t size, rows.Read(bytes.data(), bytes.size()));
    if (size == 0) return file.Commit();
    TWINSET_TRY(file.Write(std::string_view(bytes).substr(0, size)));
  }
}

}  // namespace twinset
