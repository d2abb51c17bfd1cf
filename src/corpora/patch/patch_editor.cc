#include "patch/patch_editor.h"

#include <memory>
#include <string>
#include <utility>

#include "documents/document_pass.h"
#include "patch/patch_match.h"
#include "pipeline/results/record_editor.h"

namespace twinset {

namespace {

// Documents of the run are here those that an edit is about.
class PatchEditor : public RecordEditor {
 public:
  static Result<std::unique_ptr<SourceEditor>> Open(Run* run) {
    TWINSET_ASSIGN(auto edits, OpenRun<PatchEdit>(*run, kPatchEdits));
    TWINSET_ASSIGN(auto names, OpenBlob(*run, kPatchNames));
    return std::unique_ptr<SourceEditor>(
        new PatchEditor(run, std::move(edits), std::move(names)));
  }

  uint64_t number() const override { return number_; }

  Status Seek(uint64_t number) override {
    number_ = number;
    TWINSET_TRY(edits_.Seek(number));
    TWINSET_ASSIGN(more_, edits_.Next(&edit_));
    return {};
  }

  Result<bool> Begin(uint32_t source, InputFormat format) override {
    BeginSource(format);
    input_ = plan().inputs.files[source];
    if (!IsFile()) return true;
    const bool is_of = more_ && edit_.source == source;
    if (is_of && Goes()) {
      LeaveOut();
      TWINSET_TRY(NextEdit());
      return false;
    }
    // What is no document by itself is left out whole, too.
    TWINSET_ASSIGN(const bool is_document, HoldsDocument(source));
    if (!is_document) LeaveOut();
    return is_document;
  }

  Status End(uint32_t source, const std::string& path) const override {
    if (!more_ || edit_.source != source) return {};
    return tl::unexpected(Changed(path));
  }

 private:
  PatchEditor(Run* run, RunReader<PatchEdit> edits, BlobReader names)
      : RecordEditor(run->plan),
        edits_(std::move(edits)),
        names_(std::move(names)) {}

  PatchKind kind() const { return static_cast<PatchKind>(edit_.kind); }
  bool Goes() const {
    return kind() == PatchKind::kDrop || kind() == PatchKind::kLeave ||
           kind() == PatchKind::kRevisit || kind() == PatchKind::kNear;
  }
  static Error Changed(const std::string& path) {
    return {ErrorCode::kIo,
            "the input is not what it was when it was compared with the patch",
            path, "apply the patch again"};
  }

  Status NextEdit() {
    ++number_;
    TWINSET_ASSIGN(more_, edits_.Next(&edit_));
    return {};
  }

  Result<bool> HoldsDocument(uint32_t source) const {
    TWINSET_ASSIGN(const auto reader,
                   OpenRecordReader(input_, source, plan().inputs.read));
    Record record;
    TWINSET_ASSIGN(const bool more, reader->Next(&record));
    return more && record.kind == RecordKind::kDocument;
  }

  bool IsAt(const Record& record) const {
    const Provenance& place = record.document.provenance;
    return more_ && edit_.source == place.source &&
           edit_.ordinal == place.ordinal;
  }

  Status SkipDocument(const Record& record) override {
    return IsAt(record) ? NextEdit() : Status();
  }

  Status EditDocument(const Record& record, MemberCutter* members) override {
    if (!IsAt(record)) {
      Stay(record, members);
      return {};
    }
    if (PatchDigest(record.document.payload) != edit_.digest)
      return tl::unexpected(Changed(input_.path));
    TWINSET_TRY(Apply(record, members));
    return NextEdit();
  }

  // The patch says nothing of it.
  void Stay(const Record& record, MemberCutter* members) {
    if (plan().options.action != Action::kAnnotate) {
      Keep(record, members);
      return;
    }
    Annotation annotation;
    annotation.id = annotation.cluster = IdOf(record);
    annotation.contained = Contained(1);
    Annotate(record, ValuesOf(annotation), members);
  }

  // Nothing is said of it where the run did not verify its pairs.
  std::optional<double> Contained(double share) const {
    if (!plan().options.method.verify) return {};
    return share;
  }

  std::string IdOf(const Record& record) const {
    const Document& document = record.document;
    if (!document.id.empty()) return document.id;
    return input_.source + ":" + std::to_string(document.provenance.ordinal);
  }

  Status Apply(const Record& record, MemberCutter* members) {
    switch (kind()) {
      case PatchKind::kAnnotate:
      case PatchKind::kName:
        return ApplyAnnotation(record, members);
      case PatchKind::kRevisit:
      case PatchKind::kNear:
        if (IsWarc()) return ApplyReference(record, members);
        LeaveOut();
        return {};
      case PatchKind::kDrop:
        LeaveOut();
        return {};
      case PatchKind::kLeave:
        LeaveOutUnused(record, members);
        return {};
      case PatchKind::kKeep:
        Stay(record, members);
        return {};
    }
    return {};
  }

  Status ApplyAnnotation(const Record& record, MemberCutter* members) {
    TWINSET_ASSIGN(const PatchName name, NameAt(edit_.link));
    TWINSET_ASSIGN(const PatchName own, NameAt(edit_.entry));
    Annotation annotation;
    annotation.id = own.label;
    annotation.cluster = name.label;
    annotation.contained = Contained(edit_.contained);
    if (kind() == PatchKind::kAnnotate) {
      annotation.size = edit_.size;
      annotation.is_representative = edit_.link == edit_.entry;
      annotation.similarity = edit_.similarity;
    }
    Annotate(record, ValuesOf(annotation), members);
    return {};
  }

  Status ApplyReference(const Record& record, MemberCutter* members) {
    TWINSET_ASSIGN(const PatchName kept, NameAt(edit_.link));
    const Provenance& place = record.document.provenance;
    const WarcReference reference = {
        IdOf(record), place.url,        place.date,
        "",           kept.id,          kept.url,
        kept.date,    edit_.similarity, Contained(edit_.contained)};
    // The copy may store what the run had stored in other codings.
    const bool same = kept.stored == Hash128Value()
                          ? edit_.is_same != 0
                          : kept.stored == PatchDigest(record.StoredPayload());
    Replace(record, reference, kind() == PatchKind::kRevisit && same,
            static_cast<DigestForm>(edit_.form), members);
    return {};
  }

  Result<PatchName> NameAt(uint64_t entry) const {
    std::string bytes;
    TWINSET_TRY(names_.ReadOne(entry, &bytes));
    return DecodePatchName(bytes);
  }

  RunReader<PatchEdit> edits_;
  BlobReader names_;
  PatchEdit edit_;       // where it stands
  bool more_ = false;    // it stands at one
  uint64_t number_ = 0;  // of it
  InputFile input_;      // the current source
};

}  // namespace

Status WritePatched(Run* run) {
  std::vector<uint64_t>& edits = run->counts.read.source_documents;
  edits.assign(run->plan.inputs.files.size(), 0);
  TWINSET_TRY(ForEachRecord<PatchEdit>(*run, kPatchEdits,
                                       [&edits](const PatchEdit& edit) {
                                         ++edits[edit.source];
                                         return Status();
                                       }));
  return WriteSources(run, [run] { return PatchEditor::Open(run); });
}

}  // namespace twinset
