#include "pipeline/results/attributes_stage.h"

#include <optional>
#include <string>
#include <utility>

#include "base/file.h"
#include "base/json_text.h"
#include "pipeline/results/decisions.h"
#include "pipeline/run/output_names.h"
#include "report/corpus_writer.h"

namespace twinset {

namespace {

// A file of lines, compressed as its name says.
class LineFile {
 public:
  static Result<LineFile> Create(const std::string& path, mode_t mode,
                                 int level) {
    TWINSET_ASSIGN(OutputFile file, OutputFile::Create(path, mode));
    return LineFile(CompressionOf(path), level, std::move(file));
  }
  Status Write(std::string_view line) {
    members_.Add(line);
    return members_.full() ? Flush() : Status();
  }
  Status Commit() {
    TWINSET_TRY(Flush());
    return file_.Commit();
  }

 private:
  LineFile(OutputCompression compression, int level, OutputFile file)
      : compression_(compression),
        level_(level),
        members_(compression, /*member_per_record=*/false),
        file_(std::move(file)) {}
  Status Flush() {
    for (const WrittenMember& member : members_.Take()) {
      TWINSET_ASSIGN(const std::string bytes,
                     CompressMember(compression_, member.bytes, level_));
      TWINSET_TRY(file_.Write(bytes));
    }
    return {};
  }
  OutputCompression compression_;
  int level_;
  MemberCutter members_;
  OutputFile file_;
};

class Attributes {
 public:
  explicit Attributes(Run* run)
      : run_(run),
        plan_(run->plan),
        sources_(plan_.inputs.first_side != 0 ? plan_.inputs.first_side
                                              : plan_.inputs.files.size()),
        is_one_file_(IsAttributeFile(plan_.options.attributes)) {}

  Status Do() {
    TWINSET_ASSIGN(auto decisions, AnnotatedDecisions::Open(*run_));
    if (is_one_file_) {
      mode_t mode = 0644;
      for (uint64_t i = 0; i < sources_; ++i)
        mode &= ModeOfWritten(plan_.inputs.files[i].path);
      TWINSET_ASSIGN(file_, LineFile::Create(plan_.options.attributes, mode,
                                             plan_.options.compression_level));
    }
    TWINSET_TRY(ForEachDocument(
        *run_, [&](uint64_t, const DocumentInfo& info) -> Status {
          const Provenance& place = info.provenance;
          if (place.source >= sources_) return {};
          TWINSET_TRY(GoTo(place.source + 1));
          TWINSET_ASSIGN(const Decision decision, decisions.Next());
          TWINSET_ASSIGN(const Annotation annotation,
                         decisions.Annotate(decision));
          return file_->Write(
              Row(decisions.id(), place, decision.dropped, annotation));
        }));
    TWINSET_TRY(GoTo(sources_));
    return file_ ? file_->Commit() : Status();
  }

 private:
  // Opens the files of all sources before `end`; that of the last one stays.
  Status GoTo(uint64_t end) {
    if (is_one_file_) return {};
    for (; next_ < end; ++next_) {
      if (file_) TWINSET_TRY(file_->Commit());
      const std::string path =
          AttributesPath(plan_.options, plan_.inputs.files[next_]);
      TWINSET_TRY(run_->CheckStop());
      TWINSET_TRY(MakeFolderOf(path, plan_.options.attributes, "--attributes"));
      TWINSET_ASSIGN(
          file_,
          LineFile::Create(path, ModeOfWritten(plan_.inputs.files[next_].path),
                           plan_.options.compression_level));
    }
    return {};
  }

  std::string Row(std::string_view id, const Provenance& place, bool dropped,
                  const Annotation& annotation) {
    row_.Text("twinset_cluster", annotation.cluster)
        .Bool("twinset_is_representative", annotation.is_representative)
        .Number("twinset_similarity", annotation.similarity);
    if (annotation.contained)
      row_.Number("twinset_contained", *annotation.contained);
    row_.Integer("twinset_size", annotation.size)
        .Text("twinset_action", dropped ? "drop" : "keep");
    const std::string attributes = row_.Take();
    row_.Text("id", id)
        .Text("source", plan_.inputs.files[place.source].source)
        .Integer("ordinal", place.ordinal)
        .Value("attributes", attributes);
    return row_.Take() + "\n";
  }

  Run* const run_;
  const Plan& plan_;
  const uint64_t sources_;
  const bool is_one_file_;
  uint64_t next_ = 0;  // source whose file is not begun
  std::optional<LineFile> file_;
  JsonRow row_;
};

}  // namespace

Status AttributesStage(Run* run) {
  return run->plan.options.attributes.empty() ? Status() : Attributes(run).Do();
}

}  // namespace twinset
