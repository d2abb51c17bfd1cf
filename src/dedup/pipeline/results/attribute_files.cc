#include "pipeline/results/attribute_files.h"

#include "pipeline/run/output_names.h"

namespace twinset {

AttributeFiles::AttributeFiles(const Run& run, uint64_t sources)
    : run_(&run),
      sources_(sources),
      is_one_file_(IsAttributeFile(run.plan.options.attributes)) {}

Result<AttributeFiles> AttributeFiles::Open(const Run& run, uint64_t sources) {
  AttributeFiles files(run, sources);
  if (!files.is_one_file_) return files;
  const PlanOptions& options = run.plan.options;
  mode_t mode = 0644;
  for (uint64_t i = 0; i < sources; ++i)
    mode &= ModeOfWritten(run.plan.inputs.files[i].path);
  TWINSET_ASSIGN(files.file_, LineFile::Create(options.attributes, mode,
                                               options.compression_level));
  return files;
}

Status AttributeFiles::Write(const Provenance& place, std::string_view line) {
  TWINSET_TRY(GoTo(place.source + 1));
  return file_->Write(line);
}

Status AttributeFiles::Commit() {
  TWINSET_TRY(GoTo(sources_));
  return file_ ? file_->Commit() : Status();
}

Status AttributeFiles::GoTo(uint64_t end) {
  if (is_one_file_) return {};
  const Plan& plan = run_->plan;
  for (; next_ < end; ++next_) {
    if (file_) TWINSET_TRY(file_->Commit());
    const InputFile input = plan.inputs.files[next_];
    const std::string path = AttributesPath(plan.options, input);
    TWINSET_TRY(run_->CheckStop());
    TWINSET_TRY(MakeFolderOf(path, plan.options.attributes, "--attributes"));
    TWINSET_ASSIGN(file_, LineFile::Create(path, ModeOfWritten(input.path),
                                           plan.options.compression_level));
  }
  return {};
}

}  // namespace twinset
