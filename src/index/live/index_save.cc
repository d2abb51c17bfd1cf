#include "live/index_save.h"

#include <string>

#include "base/file.h"
#include "base/stop.h"
#include "documents/pass_progress.h"
#include "methods/registry.h"
#include "options/parameters.h"
#include "pipeline/saved/saved_options.h"
#include "segments/index_manifest.h"
#include "store/saved_run.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

Status WriteRows(const Index& index, const IndexSaveOptions& options,
                 OutputFile* file) {
  PassProgress progress(options.on_progress, "index", "write down", "documents",
                        index.Stats().documents);
  return index.ForEach([&](const IndexEntry& entry) -> Result<bool> {
    TWINSET_TRY(CheckStop(options.stop));
    progress.Add();
    if (options.kept_only && !entry.is_kept) return true;
    TWINSET_TRY(file->Write(RowJson(entry).dump() + "\n"));
    return true;
  });
}

// How a run over the rows of the index compares them.
DedupOptions RunOf(const Index& index) {
  DedupOptions run;
  static_cast<ComparisonOptions&>(run) = index.Comparison();
  run.keep = {"first"};
  run.features.template_blocks = TemplateRule::kKeep;
  return run;
}

}  // namespace

Result<DedupOptions> BeginSaving(const Index& index,
                                 const IndexSaveOptions& options,
                                 const ScratchFolder& work, bool none) {
  DedupOptions run = RunOf(index);
  TWINSET_ASSIGN(const Method* method, FindMethod(run.method.name));
  if (Reads(method->info, "level") && run.method.level == CopyLevel::kBytes) {
    return Fail(ErrorCode::kUnsupported,
                "an index of bytes holds no texts that a run could read",
                NameText(index.folder()),
                "run dedup --save over the inputs of the index");
  }
  const std::string rows = work / "index.jsonl";
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(rows));
  if (!none) TWINSET_TRY(WriteRows(index, options, &file));
  TWINSET_TRY(file.Commit());
  run.input.inputs = {rows};
  run.resources = options.resources;
  run.resources.tmp.clear();  // what is left of it goes with `work`
  run.on_progress = options.on_progress;
  run.stop = options.stop;
  run.out = work / "out";
  run.save = options.folder;
  return run;
}

bool v1::IsIndex(const std::string& folder) {
  return FileExists(folder + "/" + IndexManifest::kName);
}

Result<DedupOptions> v1::OptionsOfIndex(const std::string& folder) try {
  IndexOpenOptions options;
  options.read_only = true;
  TWINSET_ASSIGN(const auto index, Index::Open(folder, options));
  return RunOf(*index);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<DedupSummary> v1::SaveAsRun(const Index& index,
                                   const IndexSaveOptions& options) try {
  TWINSET_TRY(CheckOutside(index.folder(), "the index",
                           {options.folder, options.resources.tmp}));
  if (SavedRun::StandsIn(options.folder)) {
    return Fail(ErrorCode::kUsage, "a saved run is there already",
                NameText(options.folder), "choose another folder");
  }
  TWINSET_ASSIGN(
      const ScratchFolder work,
      ScratchFolder::Below(options.resources.tmp, "twinset-export-"));
  TWINSET_ASSIGN(const DedupOptions run, BeginSaving(index, options, work));
  return Dedup(run);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
