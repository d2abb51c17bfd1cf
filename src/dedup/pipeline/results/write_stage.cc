// The write stage (--write): the inputs once more, and of each what stays.
#include <memory>
#include <string>

#include "pipeline/results/decisions.h"
#include "pipeline/results/record_editor.h"
#include "pipeline/run/run.h"

namespace twinset {

namespace {

class CorpusEditor : public RecordEditor {
 public:
  static Result<std::unique_ptr<SourceEditor>> Open(Run* run) {
    TWINSET_ASSIGN(auto documents, DocumentsAgain::Open(run));
    TWINSET_ASSIGN(auto random, OpenBlob(*run, run->documents_file));
    TWINSET_ASSIGN(auto decisions, AnnotatedDecisions::Open(*run));
    return std::unique_ptr<SourceEditor>(new CorpusEditor(
        run, std::move(documents), std::move(random), std::move(decisions)));
  }

  uint64_t number() const override { return documents_.number(); }
  Status End(uint32_t source, const std::string& path) const override {
    return documents_.CheckPassed(source, path);
  }

  Status Seek(uint64_t document) override {
    TWINSET_TRY(documents_.Seek(document));
    TWINSET_TRY(decisions_.Seek(document));
    return Decide(true);
  }

  Result<bool> Begin(uint32_t source, InputFormat format) override {
    BeginSource(format);
    // A file that is one document is left out whole: dropped, quarantined, or
    // in another language than asked for.
    if (!IsFile() || (documents_.IsOf(source) && !decision_.dropped))
      return true;
    LeaveOut();
    if (documents_.IsOf(source)) TWINSET_TRY(NextDocument());
    return false;
  }

 private:
  CorpusEditor(Run* run, DocumentsAgain documents, BlobReader random,
               AnnotatedDecisions decisions)
      : RecordEditor(run->plan),
        documents_(std::move(documents)),
        random_(std::move(random)),
        decisions_(std::move(decisions)) {}

  Status NextDocument() {
    TWINSET_ASSIGN(const bool more, documents_.Next());
    return Decide(more);
  }
  Status Decide(bool more) {
    if (more) {
      TWINSET_ASSIGN(decision_, decisions_.Next());
    }
    return {};
  }

  Status SkipDocument(const Record& record) override {
    return documents_.IsOf(record.document.provenance.source) ? NextDocument()
                                                              : Status();
  }

  Status EditDocument(const Record& record, MemberCutter* members) override {
    TWINSET_ASSIGN(const bool is_document, documents_.IsAt(record));
    if (!is_document) {
      LeaveOutUnused(record, members);  // so did the text stage
      return {};
    }
    TWINSET_TRY(Apply(record, members));
    return NextDocument();
  }

  Status Apply(const Record& record, MemberCutter* members) {
    const Action action = plan().options.action;
    const bool is_member =
        decision_.clustered &&
        decision_.row.document != decision_.row.representative;
    if (!decision_.dropped) {
      if (action == Action::kAnnotate) {
        TWINSET_ASSIGN(const Annotation annotation,
                       decisions_.Annotate(decision_));
        Annotate(record, ValuesOf(annotation), members);
      } else {
        Keep(record, members);
      }
      return {};
    }
    if (!IsWarc() || !is_member || action != Action::kDrop) {
      LeaveOut();
      return {};
    }
    TWINSET_ASSIGN(const DocumentInfo kept, Representative());
    const DocumentInfo& document = documents_.document();
    const WarcReference reference = {
        document.id,
        document.provenance.url,
        document.provenance.date,
        "",
        kept.id,
        kept.provenance.url,
        kept.provenance.date,
        decision_.row.score,
        plan().options.method.verify ? std::optional(decision_.row.contained)
                                     : std::nullopt};
    Replace(record, reference,
            document.stored != Hash128Value() && document.stored == kept.stored,
            FormOfDigest(kept.provenance.digest), members);
    return {};
  }

  Result<DocumentInfo> Representative() {
    std::string bytes;
    TWINSET_TRY(random_.ReadOne(decision_.row.representative, &bytes));
    return DecodeDocumentInfo(bytes);
  }

  DocumentsAgain documents_;
  BlobReader random_;
  AnnotatedDecisions decisions_;
  Decision decision_;  // about the document where they stand
};

}  // namespace

Status WriteStage(Run* run) {
  if (run->plan.options.write.empty()) return {};
  return WriteSources(run, [run] { return CorpusEditor::Open(run); });
}

}  // namespace twinset
