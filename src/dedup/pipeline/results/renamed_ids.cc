#include "pipeline/results/renamed_ids.h"

#include <string>
#include <string_view>

#include "base/file.h"
#include "base/json_text.h"
#include "twinset/plain_words.h"

namespace twinset {

Status RenamedIds::Add(std::string_view id, const DocumentInfo& info) {
  if (info.original_id.empty()) return {};
  const Plan& plan = run_->plan;
  if (!file_) {
    TWINSET_ASSIGN(file_,
                   OutputFile::Create(plan.options.out + "/" + kRenamedIds));
  }
  ++run_->counts.renamed_ids;
  JsonRow row;
  row.Text("id", id).Text("original", info.original_id);
  if (plan.inputs.first_side > 0)
    row.Text("side",
             plan.inputs.SideOf(info.provenance.source) == 0 ? "a" : "b");
  return file_->Write(row.Take() + "\n");
}

Status RenamedIds::Finish() {
  if (!file_) return {};
  run_->warnings.push_back(
      CountText(run_->counts.renamed_ids, "id holds a line end and is",
                "ids hold line ends and are") +
      " replaced by SOURCE:NUMBER in every list and row: " + kRenamedIds +
      " says by which");
  return file_->Commit();
}

Status WriteRenamedIds(Run* run) {
  RenamedIds renamed(run);
  TWINSET_ASSIGN(auto ids, OpenBlob(*run, "ids.blob"));
  TWINSET_TRY(
      ForEachDocument(*run, [&](uint64_t, const DocumentInfo& info) -> Status {
        std::string_view id;
        TWINSET_TRY(ids.Next(&id));
        return renamed.Add(id, info);
      }));
  return renamed.Finish();
}

Status CopyResultFile(const std::string& name, const std::string& from,
                      const std::string& to) {
  if (!FileExists(from + "/" + name)) return {};
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(to + "/" + name));
  TWINSET_ASSIGN(File rows, File::OpenRead(from + "/" + name));
  std::string bytes(64 << 10, '\0');
  for (;;) {
    TWINSET_ASSIGN(const size_t size, rows.Read(bytes.data(), bytes.size()));
    if (size == 0) return file.Commit();
    TWINSET_TRY(file.Write(std::string_view(bytes).substr(0, size)));
  }
}

}  // namespace twinset
