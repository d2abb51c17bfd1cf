// The write stage (--write): the inputs once more, and of each what stays.
#include <optional>

#include "base/file.h"
#include "base/json_text.h"
#include "pipeline/results/decisions.h"
#include "pipeline/results/written_corpus.h"
#include "pipeline/run/run.h"

namespace twinset::inline v1 {

namespace {

class CorpusWriting {
 public:
  explicit CorpusWriting(Run* run) : run_(run), plan_(run->plan) {}

  Status Do() {
    TWINSET_ASSIGN(auto documents, DocumentsAgain::Open(run_));
    TWINSET_ASSIGN(auto random, OpenBlob(*run_, run_->documents_file));
    TWINSET_ASSIGN(auto ids, OpenBlob(*run_, "ids.blob"));
    TWINSET_ASSIGN(auto decisions, Decisions::Open(*run_));
    documents_ = &documents;
    random_ = &random;
    ids_ = &ids;
    decisions_ = &decisions;
    TWINSET_TRY(NextDocument());
    // Of a match only the first collection is written.
    const size_t sources =
        plan_.first_side != 0 ? plan_.first_side : plan_.inputs.size();
    for (uint32_t source = 0; source < sources; ++source) {
      TWINSET_TRY(run_->CheckStop());
      TWINSET_TRY(WriteSource(source));
    }
    run_->counts.write = counts_;
    return {};
  }

 private:
  Status NextDocument() {
    TWINSET_ASSIGN(const bool more, documents_->Next());
    if (more) {
      TWINSET_ASSIGN(decision_, decisions_->Next());
    }
    return {};
  }

  Status WriteSource(uint32_t source) {
    const InputFile& input = plan_.inputs[source];
    TWINSET_ASSIGN(auto reader, documents_->OpenSource(source));
    const InputFormat format = reader->format();
    const bool is_file =
        format == InputFormat::kHtml || format == InputFormat::kText;
    // A file that is one document is left out whole: dropped, quarantined, or
    // in another language than asked for.
    if (is_file && (!documents_->IsOf(source) || decision_.dropped)) {
      TWINSET_TRY(CheckUnchanged(input));
      ++counts_.left_out;
      return documents_->IsOf(source) ? NextDocument() : Status();
    }
    TWINSET_ASSIGN(auto writer, CreateWritten(plan_, input,
                                              format == InputFormat::kWarc ||
                                                  format == InputFormat::kArc));
    bool is_first = true;
    const auto write = [&](const Record& record) -> Status {
      const uint64_t before = writer.records();
      TWINSET_TRY(WriteRecord(record, format, &writer));
      const bool has_header =
          format == InputFormat::kCsv || format == InputFormat::kTsv;
      if (has_header && is_first && writer.records() == before) {
        // The header row stands in front of the first record and must stay.
        const size_t header_bytes = record.document.provenance.offset;
        TWINSET_TRY(writer.Write(record.raw.substr(0, header_bytes)));
      }
      is_first = false;
      return {};
    };
    TWINSET_TRY(documents_->ForEachRecord(source, reader.get(), write));
    counts_.records += writer.records();
    return writer.Commit();
  }

  Status WriteRecord(const Record& record, InputFormat format,
                     CorpusWriter* writer) {
    if (record.kind == RecordKind::kQuarantined) {
      ++counts_.left_out;
      return {};
    }
    const Provenance& place = record.document.provenance;
    if (record.raw.empty()) {
      // Only records far beyond --max-document come without their bytes.
      ++counts_.left_out;
      if (run_->warnings.size() < ReadCounts::kMostIncomplete)
        run_->warnings.push_back(
            plan_.inputs[place.source].source + ": record " +
            std::to_string(place.ordinal) +
            " is too large to be written and was left out");
      return record.kind == RecordKind::kDocument &&
                     documents_->IsOf(place.source)
                 ? NextDocument()
                 : Status();
    }
    if (record.kind != RecordKind::kDocument) return writer->Write(record.raw);
    TWINSET_ASSIGN(const bool is_document, documents_->IsAt(record));
    if (!is_document) {
      ++counts_.left_out;  // quarantined or skipped by the text stage
      return {};
    }
    TWINSET_TRY(WriteDocument(record, format, writer));
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

  Status WriteDocument(const Record& record, InputFormat format,
                       CorpusWriter* writer) {
    const bool is_warc = format == InputFormat::kWarc;
    const bool is_member =
        decision_.clustered &&
        decision_.row.document != decision_.row.representative;
    if (!decision_.dropped) {
      if (plan_.options.action == Action::kAnnotate && decision_.clustered &&
          format == InputFormat::kJsonl) {
        TWINSET_ASSIGN(const std::string annotation, Annotation());
        return writer->Write(AnnotateJsonLine(record.raw, annotation));
      }
      return writer->Write(Kept(record, format));
    }
    if (!is_warc || !is_member || plan_.options.action != Action::kDrop) {
      ++counts_.left_out;
      return {};
    }
    TWINSET_ASSIGN(const DocumentInfo kept, Representative());
    const DocumentInfo& document = documents_->document();
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
      ++counts_.revisits;
      return writer->Write(MakeRevisitRecord(record.raw, reference));
    }
    const bool keeps = plan_.options.near == NearRule::kKeep;
    if (keeps) TWINSET_TRY(writer->Write(Kept(record, format)));
    if (!keeps) ++counts_.left_out;
    if (plan_.options.near == NearRule::kDrop) return {};
    ++counts_.metadata;
    return writer->Write(
        MakeNearDuplicateRecord(record.raw, reference, !keeps));
  }

  Result<DocumentInfo> Representative() {
    std::string bytes;
    TWINSET_TRY(random_->ReadOne(decision_.row.representative, &bytes));
    return DecodeDocumentInfo(bytes);
  }

  Result<std::string> Annotation() {
    std::string id;
    TWINSET_TRY(ids_->ReadOne(decision_.row.representative, &id));
    JsonRow row;
    row.Text("cluster", id)
        .Integer("size", decision_.row.size)
        .Bool("is_representative",
              decision_.row.document == decision_.row.representative)
        .Number("similarity", decision_.row.score);
    return row.Take();
  }

  Run* run_;
  const Plan& plan_;
  DocumentsAgain* documents_ = nullptr;
  BlobReader* random_ = nullptr;
  BlobReader* ids_ = nullptr;
  Decisions* decisions_ = nullptr;
  Decision decision_;  // about the document where they stand
  WriteCounts counts_;
};

}  // namespace

Status WriteStage(Run* run) {
  if (!run->plan.options.write.empty()) TWINSET_TRY(CorpusWriting(run).Do());
  return run->FinishStage("write", {}, run->counts.write);
}

}  // namespace twinset::inline v1
