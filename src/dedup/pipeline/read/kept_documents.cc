#include "pipeline/read/kept_documents.h"

#include <algorithm>

#include "pipeline/read/stored_documents.h"

namespace twinset {

namespace {

constexpr char kRanks[] = "ranks.run", kPairs[] = "verified.run";

template <typename T>
Result<RunReader<T>> OpenRunOf(const StoredInputs& stored, const char* name) {
  if (!stored.run->Has(name)) return StoredFilesDoNotFit(stored, name);
  return RunReader<T>::Open(stored.run->Path(name), stored.hashes.Of(name));
}

}  // namespace

KeptDocuments::KeptDocuments(const Run& run) {
  const std::vector<uint64_t>& of_source = run.counts.read.source_documents;
  uint64_t document = 0;
  for (const StoredInputs& stored : run.plan.inputs.stored) {
    if (!stored.keeps) continue;
    Part part = {&stored, document, document};
    for (size_t i = stored.begin; i < stored.end; ++i) part.end += of_source[i];
    document = part.end;
    parts_.push_back(part);
  }
}

bool KeptDocuments::AreDecided(const CandidatePair& pair) const {
  for (const Part& part : parts_)
    if (pair.b < part.end) return pair.a >= part.begin;
  return false;
}

Status ForEachKeptRank(const KeptDocuments& kept,
                       const std::function<Status(uint64_t rank)>& body) {
  for (const KeptDocuments::Part& part : kept.parts()) {
    const uint64_t count = part.end - part.begin;
    TWINSET_ASSIGN(auto ranks, OpenRunOf<uint64_t>(*part.stored, kRanks));
    if (ranks.count() != count)
      return StoredFilesDoNotFit(*part.stored, kRanks);
    for (uint64_t rank = 0;;) {
      TWINSET_ASSIGN(const bool more, ranks.Next(&rank));
      if (!more) break;
      if (rank >= count) return StoredFilesDoNotFit(*part.stored, kRanks);
      TWINSET_TRY(body(part.begin + rank));
    }
  }
  return {};
}

Status ForEachKeptCounts(
    const KeptDocuments& kept,
    const std::function<void(const RunCounts& counts)>& body) {
  for (const KeptDocuments::Part& part : kept.parts()) {
    const StoredInputs& stored = *part.stored;
    RunCounts counts;
    if (!SavedCountsFromJson(stored.run->description()["counts"],
                             stored.end - stored.begin, &counts))
      return StoredFilesDoNotFit(stored, SavedRun::kManifest);
    body(counts);
  }
  return {};
}

Result<std::string> KeptIds::Next(const std::string& own) {
  const auto& parts = kept_.parts();
  while (part_ < parts.size() && document_ == parts[part_].end) {
    ++part_;
    ids_.reset();
  }
  if (part_ == parts.size()) return own;
  const StoredInputs& stored = *parts[part_].stored;
  if (!ids_) {
    TWINSET_ASSIGN(ids_, OpenStored(stored, "ids.blob"));
  }
  ++document_;
  std::string_view id;
  TWINSET_ASSIGN(const bool more, ids_->Next(&id));
  if (!more) return StoredFilesDoNotFit(stored, "ids.blob");
  return std::string(id);
}

Result<KeptPairs> KeptPairs::Open(Run* run) {
  KeptPairs pairs(*run);
  if (pairs.kept_.parts().size() > 1) TWINSET_TRY(pairs.FindCopies(run));
  TWINSET_TRY(pairs.Advance());
  return pairs;
}

Status KeptPairs::FindCopies(Run* run) {
  TWINSET_ASSIGN(copies_,
                 PagedArray<uint64_t>::Create(run->Path("kept-copies.tmp"),
                                              run->documents() / 64 + 1,
                                              run->Share(8), &run->budget));
  return ForEachRecord<CopyByDocument>(
      *run, "copies-by-document.run",
      [&](const CopyByDocument& copy) -> Status {
        TWINSET_ASSIGN(uint64_t word, copies_->Get(copy.document / 64));
        word |= uint64_t{1} << (copy.document % 64);
        return copies_->Set(copy.document / 64, word);
      });
}

Result<bool> KeptPairs::IsCopy(uint64_t document) {
  if (!copies_) return false;
  TWINSET_ASSIGN(const uint64_t word, copies_->Get(document / 64));
  return (word >> (document % 64) & 1) != 0;
}

Status KeptPairs::AdvanceInPart() {
  const KeptDocuments::Part& part = kept_.parts()[part_];
  const uint64_t count = part.end - part.begin;
  VerifiedPair pair;
  for (;;) {
    TWINSET_ASSIGN(const bool more, pairs_->Next(&pair));
    if (!more) return {};
    if (pair.a >= pair.b || pair.b >= count)
      return StoredFilesDoNotFit(*part.stored, kPairs);
    pair.a += part.begin;
    pair.b += part.begin;
    TWINSET_ASSIGN(const bool a_is_copy, IsCopy(pair.a));
    TWINSET_ASSIGN(const bool b_is_copy, IsCopy(pair.b));
    if (a_is_copy || b_is_copy) continue;
    next_ = pair;
    return {};
  }
}

Status KeptPairs::Advance() {
  next_.reset();
  for (; part_ < kept_.parts().size(); ++part_, pairs_.reset()) {
    if (!pairs_) {
      TWINSET_ASSIGN(pairs_, OpenRunOf<VerifiedPair>(
                                 *kept_.parts()[part_].stored, kPairs));
    }
    TWINSET_TRY(AdvanceInPart());
    if (next_) return {};
  }
  return {};
}

Status KeptPairs::Before(const CandidatePair& pair, const Sink& sink) {
  while (next_ && std::pair(next_->a, next_->b) < std::pair(pair.a, pair.b)) {
    TWINSET_TRY(sink(*next_));
    TWINSET_TRY(Advance());
  }
  return {};
}

Status KeptPairs::Finish(const Sink& sink) {
  while (next_) {
    TWINSET_TRY(sink(*next_));
    TWINSET_TRY(Advance());
  }
  return {};
}

}  // namespace twinset
