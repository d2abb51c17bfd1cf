// The write stage (--write): the inputs once more, and of each what stays.
#include <memory>
#include <string>

#include "pipeline/results/decisions.h"
#include "pipeline/results/written_corpus.h"
#include "pipeline/run/run.h"
#include "read/utf8.h"
#include "report/annotation.h"

namespace twinset::inline v1 {

namespace {

class CorpusEditor : public SourceEditor {
 public:
  static Result<std::unique_ptr<SourceEditor>> Open(Run* run) {
    TWINSET_ASSIGN(auto documents, DocumentsAgain::Open(run));
    TWINSET_ASSIGN(auto random, OpenBlob(*run, run->documents_file));
    TWINSET_ASSIGN(auto decisions, AnnotatedDecisions::Open(*run));
    return std::unique_ptr<SourceEditor>(new CorpusEditor(
        run, std::move(documents), std::move(random), std::move(decisions)));
  }

  const DocumentsAgain& documents() const override { return documents_; }

  Status Seek(uint64_t document) override {
    TWINSET_TRY(documents_.Seek(document));
    TWINSET_TRY(decisions_.Seek(document));
    return Decide(true);
  }

  Result<bool> Begin(uint32_t source, InputFormat format) override {
    format_ = format;
    is_first_ = true;
    const bool is_file =
        format == InputFormat::kHtml || format == InputFormat::kText;
    // A file that is one document is left out whole: dropped, quarantined, or
    // in another language than asked for.
    if (!is_file || (documents_.IsOf(source) && !decision_.dropped))
      return true;
    ++counts.left_out;
    if (documents_.IsOf(source)) TWINSET_TRY(NextDocument());
    return false;
  }

  void Pass(const Record&) override { is_first_ = false; }

  Status Edit(const Record& record, MemberCutter* members) override {
    const uint64_t before = counts.records;
    TWINSET_TRY(EditRecord(record, members));
    const bool has_header =
        format_ == InputFormat::kCsv || format_ == InputFormat::kTsv;
    if (has_header && is_first_ && counts.records == before) {
      // The header row stands in front of the first record and must stay.
      const std::string_view header = HeaderOf(record);
      Write(annotates() ? AnnotatedHeader(header) : std::string(header),
            members);
    }
    is_first_ = false;
    return {};
  }

 private:
  CorpusEditor(Run* run, DocumentsAgain documents, BlobReader random,
               AnnotatedDecisions decisions)
      : plan_(run->plan),
        documents_(std::move(documents)),
        random_(std::move(random)),
        decisions_(std::move(decisions)) {
    counts.revisits = counts.metadata = 0;
  }

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

  void Write(std::string_view record, MemberCutter* members) {
    ++counts.records;
    members->Add(record);
  }

  void WriteRaw(const Record& record, MemberCutter* members) {
    ++counts.records;
    members->AddRaw(record);
  }

  Status EditRecord(const Record& record, MemberCutter* members) {
    if (record.kind == RecordKind::kQuarantined) {
      ++counts.left_out;
      return {};
    }
    const Provenance& place = record.document.provenance;
    if (record.raw.empty()) {
      // Only records far beyond --max-document come without their bytes.
      ++counts.left_out;
      if (warnings.size() < ReadCounts::kMostIncomplete)
        warnings.push_back(plan_.inputs[place.source].source + ": record " +
                           std::to_string(place.ordinal) +
                           " is too large to be written and was left out");
      return record.kind == RecordKind::kDocument &&
                     documents_.IsOf(place.source)
                 ? NextDocument()
                 : Status();
    }
    if (record.kind != RecordKind::kDocument) {
      WriteRaw(record, members);
      return {};
    }
    TWINSET_ASSIGN(const bool is_document, documents_.IsAt(record));
    if (!is_document) {
      ++counts.left_out;  // quarantined or skipped by the text stage
      return {};
    }
    TWINSET_TRY(EditDocument(record, members));
    return NextDocument();
  }

  // The bytes that stand for a document that stays.
  static std::string Kept(const Record& record, InputFormat format) {
    if (!record.document.truncated) return record.raw;
    switch (format) {
      case InputFormat::kWarc:
        return CloseTruncatedWarcRecord(record.raw);
      case InputFormat::kArc:
        return CloseTruncatedArcRecord(record.raw);
      case InputFormat::kTrec:
        return record.raw + "\n</DOC>\n";
      default:
        return record.raw;
    }
  }

  Status EditDocument(const Record& record, MemberCutter* members) {
    const bool is_warc = format_ == InputFormat::kWarc;
    const bool is_member =
        decision_.clustered &&
        decision_.row.document != decision_.row.representative;
    if (!decision_.dropped) {
      if (annotates()) {
        TWINSET_ASSIGN(const std::string annotated, Annotated(record));
        Write(annotated, members);
      } else if (record.document.truncated) {
        Write(Kept(record, format_), members);
      } else {
        WriteRaw(record, members);
      }
      return {};
    }
    if (!is_warc || !is_member || plan_.options.action != Action::kDrop) {
      ++counts.left_out;
      return {};
    }
    return EditDropped(record, members);
  }

  // What a WARC says of a document that goes.
  Status EditDropped(const Record& record, MemberCutter* members) {
    TWINSET_ASSIGN(const DocumentInfo kept, Representative());
    const DocumentInfo& document = documents_.document();
    const WarcReference reference = {document.id,
                                     document.provenance.url,
                                     document.provenance.date,
                                     document.provenance.digest,
                                     kept.id,
                                     kept.provenance.url,
                                     kept.provenance.date,
                                     decision_.row.score};
    if (!reference.digest.empty() &&
        reference.digest == kept.provenance.digest) {
      ++*counts.revisits;
      Write(MakeRevisitRecord(record.raw, reference), members);
      return {};
    }
    const bool keeps = plan_.options.near == NearRule::kKeep;
    if (keeps) Write(Kept(record, format_), members);
    if (!keeps) ++counts.left_out;
    if (plan_.options.near == NearRule::kDrop) return {};
    ++*counts.metadata;
    Write(MakeNearDuplicateRecord(record.raw, reference, !keeps), members);
    return {};
  }

  Result<DocumentInfo> Representative() {
    std::string bytes;
    TWINSET_TRY(random_.ReadOne(decision_.row.representative, &bytes));
    return DecodeDocumentInfo(bytes);
  }

  // ---- --action annotate ----

  bool annotates() const { return plan_.options.action == Action::kAnnotate; }
  char separator() const { return format_ == InputFormat::kTsv ? '\t' : ','; }

  // The header row, in front of the first record of CSV and TSV.
  std::string_view HeaderOf(const Record& record) const {
    const uint64_t bytes = is_first_ ? record.document.provenance.offset : 0;
    return std::string_view(record.raw).substr(0, bytes);
  }
  std::string AnnotatedHeader(std::string_view header) const {
    if (header.empty()) return {};
    const bool is_marked = header.starts_with(kUtf8Bom);
    return AnnotateCsvHeader(header, separator(),
                             is_marked ? kUtf8Bom.size() : 0);
  }

  Result<std::string> Annotated(const Record& record) {
    const bool has_room =
        format_ == InputFormat::kJsonl || format_ == InputFormat::kCsv ||
        format_ == InputFormat::kTsv || format_ == InputFormat::kWarc;
    if (!has_room) {
      if (warnings.empty() || warnings.back() != kNoRoom)
        warnings.push_back(kNoRoom);
      return Kept(record, format_);
    }
    TWINSET_ASSIGN(const Annotation annotation, decisions_.Annotate(decision_));
    if (format_ == InputFormat::kJsonl)
      return AnnotateJsonLine(record.raw, annotation);
    if (format_ == InputFormat::kWarc)
      return AnnotateWarcRecord(Kept(record, format_), annotation);
    const std::string_view header = HeaderOf(record);
    return AnnotatedHeader(header) +
           AnnotateCsvRow(std::string_view(record.raw).substr(header.size()),
                          separator(), annotation);
  }

  static constexpr char kNoRoom[] =
      "--action annotate changes nothing in files of ARC, TREC, HTML and text, "
      "which have no place for it: --attributes writes it beside them";

  const Plan& plan_;
  DocumentsAgain documents_;
  BlobReader random_;
  AnnotatedDecisions decisions_;
  Decision decision_;  // about the document where they stand
  InputFormat format_ = InputFormat::kAuto;  // of the current source
  bool is_first_ = true;                     // record of it
};

}  // namespace

Status WriteStage(Run* run) {
  if (run->plan.options.write.empty()) return {};
  return WriteSources(run, [run] { return CorpusEditor::Open(run); });
}

}  // namespace twinset::inline v1
