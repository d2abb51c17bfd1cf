#include "pipeline/pairs/pair_kinds.h"

#include <algorithm>

#include "base/parallel.h"
#include "documents/document_text.h"
#include "pipeline/pairs/judgement.h"

namespace twinset {

namespace {

constexpr char kTexts[] = "texts.blob";
constexpr uint64_t kTextsBytes = 4 << 20;
std::string TextsOf(const Document& document, const TextOptions& options) {
  const auto clean = ExtractText(document, options);
  const auto other = OtherTextOf(document, options);
  JudgedText texts;
  if (clean) texts.compared = clean->text;
  if (other) texts.other = *other;
  return EncodeJudged(texts, {});
}

// Reads the inputs again for the texts of `documents` (ascending): blob i is of
// documents[i].
class TextPass {
 public:
  TextPass(Run* run, const std::vector<uint64_t>& documents)
      : run_(run), documents_(documents) {}

  Status Do() {
    TWINSET_ASSIGN(infos_, OpenBlob(*run_, run_->documents_file));
    TWINSET_ASSIGN(writer_, CreateBlob(*run_, kTexts));
    TWINSET_TRY(Wanted());
    const Reservation memory =
        run_->budget.ReserveUpTo(4 * kTextsBytes, kTextsBytes);
    while (next_ < documents_.size()) TWINSET_TRY(ReadSource(source_));
    TWINSET_TRY(Flush());
    return writer_->Finish();
  }

 private:
  // Where the next document stands.
  Status Wanted() {
    if (next_ == documents_.size()) return {};
    std::string bytes;
    TWINSET_TRY(infos_->ReadOne(documents_[next_], &bytes));
    TWINSET_ASSIGN(info_, DecodeDocumentInfo(bytes));
    source_ = info_.provenance.source;
    ordinal_ = info_.provenance.ordinal;
    return {};
  }

  Status ReadSource(uint32_t source) {
    TWINSET_ASSIGN(auto reader,
                   OpenRecordReader(run_->plan.inputs.files[source], source,
                                    run_->plan.inputs.ReadOf(source)));
    TWINSET_TRY(CheckUnchanged(run_->plan.inputs.files[source]));
    Record record;
    while (next_ < documents_.size() && source_ == source) {
      reader->PassOver(ordinal_);
      TWINSET_ASSIGN(const bool more, reader->Next(&record));
      if (!more) {
        return Fail(ErrorCode::kIo, "an input changed while it was evaluated",
                    run_->plan.inputs.files[source].path);
      }
      if (record.kind != RecordKind::kDocument ||
          record.document.provenance.ordinal != ordinal_) {
        continue;
      }
      TWINSET_TRY(CheckSame(info_, record.document,
                            run_->plan.inputs.files[source].path));
      bytes_ += record.document.payload.size() + 4096;
      batch_.push_back(std::move(record.document));
      ++next_;
      TWINSET_TRY(Wanted());
      if (bytes_ >= kTextsBytes) TWINSET_TRY(Flush());
    }
    return {};
  }

  Status Flush() {
    std::vector<std::string> texts(batch_.size());
    ParallelFor(batch_.size(), 1, run_->plan.machine.threads,
                [&](size_t begin, size_t end) {
                  for (size_t i = begin; i < end; ++i)
                    texts[i] = TextsOf(batch_[i], run_->plan.features.text);
                });
    for (const std::string& text : texts) TWINSET_TRY(writer_->Append(text));
    batch_.clear();
    bytes_ = 0;
    run_->Report("documents", next_, documents_.size());
    return run_->CheckStop();
  }

  Run* run_;
  const std::vector<uint64_t>& documents_;
  std::optional<BlobReader> infos_;
  std::optional<BlobWriter> writer_;
  size_t next_ = 0;
  DocumentInfo info_;  // of the next document, at source_ and ordinal_
  uint32_t source_ = 0;
  uint64_t ordinal_ = 0, bytes_ = 0;
  std::vector<Document> batch_;
};

}  // namespace

Result<std::vector<DifferenceKind>> KindsOfPairs(
    Run* base, const std::vector<CandidatePair>& pairs) {
  std::vector<uint64_t> documents;
  for (const CandidatePair& pair : pairs) {
    documents.push_back(pair.a);
    documents.push_back(pair.b);
  }
  std::sort(documents.begin(), documents.end());
  documents.erase(std::unique(documents.begin(), documents.end()),
                  documents.end());
  TWINSET_TRY(TextPass(base, documents).Do());
  TWINSET_ASSIGN(const auto texts, OpenBlob(*base, kTexts));
  TWINSET_ASSIGN(const Judge judge, Judge::Make(base->plan.options.features,
                                                base->plan.features.key));
  std::vector<DifferenceKind> kinds(pairs.size());
  std::vector<Status> failures(pairs.size());
  const auto kind_of =
      [&](const CandidatePair& pair) -> Result<DifferenceKind> {
    std::string bytes[2];
    const uint64_t numbers[] = {pair.a, pair.b};
    for (int i = 0; i < 2; ++i) {
      const auto place =
          std::lower_bound(documents.begin(), documents.end(), numbers[i]);
      TWINSET_TRY(texts.ReadOne(
          static_cast<uint64_t>(place - documents.begin()), &bytes[i]));
    }
    const Reservation memory = base->budget.Wait(
        Judge::kBytesAByte * (bytes[0].size() + bytes[1].size()) + (64 << 10));
    JudgedDocument sides[2];
    for (int i = 0; i < 2; ++i) {
      std::vector<uint64_t> layout;
      TWINSET_ASSIGN(const JudgedText text, DecodeJudged(bytes[i], &layout));
      sides[i] = judge.PrepareForms(text);
    }
    return judge.DifferenceOf(sides[0], sides[1]);
  };
  ParallelFor(pairs.size(), 4, base->plan.machine.threads,
              [&](size_t begin, size_t end) {
                for (size_t i = begin; i < end; ++i) {
                  const auto kind = kind_of(pairs[i]);
                  if (kind) {
                    kinds[i] = *kind;
                  } else {
                    failures[i] = tl::unexpected<Error>(kind.error());
                  }
                }
              });
  for (const Status& failure : failures) TWINSET_TRY(failure);
  return kinds;
}

}  // namespace twinset
