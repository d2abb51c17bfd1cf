// The documents of an index as a saved run.
#include <string>

#include "base/file.h"
#include "base/stop.h"
#include "methods/registry.h"
#include "options/parameters.h"
#include "pipeline/saved/saved_options.h"
#include "segments/index_manifest.h"
#include "store/saved_run.h"
#include "store/scratch_folder.h"
#include "twinset/index_files.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

Status WriteRows(const Index& index, const IndexSaveOptions& options,
                 const std::string& path) {
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(path));
  TWINSET_TRY(index.ForEach([&](const IndexEntry& entry) -> Result<bool> {
    TWINSET_TRY(CheckStop(options.stop));
    if (options.kept_only && !entry.is_kept) return true;
    TWINSET_TRY(file.Write(RowJson(entry).dump() + "\n"));
    return true;
  }));
  return file.Commit();
}

}  // namespace

bool v1::IsIndex(const std::string& folder) {
  return FileExists(folder + "/" + IndexManifest::kName);
}

Result<DedupSummary> v1::SaveAsRun(const Index& index,
                                   const IndexSaveOptions& options) try {
  TWINSET_TRY(CheckOutside(index.folder(), "the index",
                           {options.folder, options.resources.tmp}));
  DedupOptions run;
  static_cast<ComparisonOptions&>(run) = index.Comparison();
  TWINSET_ASSIGN(const Method* method, FindMethod(run.method.name));
  if (Reads(method->info, "level") && run.method.level == CopyLevel::kBytes) {
    return Fail(ErrorCode::kUnsupported,
                "an index of bytes holds no texts that a run could read",
                NameText(options.folder),
                "run dedup --save over the inputs of the index");
  }
  if (SavedRun::StandsIn(options.folder)) {
    return Fail(ErrorCode::kUsage, "a saved run is there already",
                NameText(options.folder), "choose another folder");
  }
  TWINSET_ASSIGN(
      const ScratchFolder work,
      ScratchFolder::Below(options.resources.tmp, "twinset-export-"));
  const std::string rows = work / "index.jsonl";
  TWINSET_TRY(WriteRows(index, options, rows));
  run.input.inputs = {rows};
  run.keep = {"first"};
  run.features.template_blocks = TemplateRule::kKeep;
  run.resources = options.resources;
  run.on_progress = options.on_progress;
  run.stop = options.stop;
  run.out = work / "out";
  run.save = options.folder;
  return Dedup(run);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
