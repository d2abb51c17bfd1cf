#include "pipeline/read/ignored_shingles.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/for_each.h"
#include "documents/side_check.h"
#include "pipeline/read/stored_documents.h"
#include "sketch/sketcher.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

void SortUnique(std::vector<uint64_t>* hashes) {
  std::sort(hashes->begin(), hashes->end());
  hashes->erase(std::unique(hashes->begin(), hashes->end()), hashes->end());
}

Status AddIgnored(std::span<const uint64_t> more, size_t most,
                  std::vector<uint64_t>* hashes) {
  if (hashes->size() + more.size() > hashes->capacity()) {
    SortUnique(hashes);
    // Less than a tenth left: it would soon be sorted for each document.
    if (hashes->size() + std::max(more.size(), most / 10) > most) {
      return Fail(ErrorCode::kMemory,
                  "the files of --ignore have more different shingles than "
                  "half of the memory holds",
                  "", "raise --memory");
    }
    if (hashes->size() + more.size() > hashes->capacity() / 2)
      hashes->reserve(std::min(most, 2 * (hashes->size() + more.size())));
  }
  hashes->insert(hashes->end(), more.begin(), more.end());
  return {};
}

// What KeepIgnored wrote: a blob for each view.
Result<IgnoredSet> LoadKept(Run* run, BlobReader kept) {
  IgnoredSet ignored;
  uint64_t bytes = 0;
  std::string aligned;
  TWINSET_TRY(ForEach<std::string_view>(&kept, [&](std::string_view view) {
    aligned = view;
    bytes += aligned.size();
    const auto hashes = AsHashes(aligned);
    ignored.hashes.emplace_back(hashes.begin(), hashes.end());
  }));
  if (ignored.hashes.size() != run->plan.features.views.size()) {
    return Fail(ErrorCode::kCorrupt, "the ignored shingles are of other views",
                kIgnoredFile);
  }
  ignored.memory = run->budget.ReserveUpTo(bytes, bytes);
  return ignored;
}

// Several saved runs have ignored the same, whatever their files are called.
Result<IgnoredSet> LoadStored(Run* run) {
  std::optional<IgnoredSet> first;
  for (const StoredInputs& stored : run->plan.inputs.stored) {
    TWINSET_ASSIGN(auto kept, OpenStored(stored, kIgnoredFile));
    TWINSET_ASSIGN(IgnoredSet ignored, LoadKept(run, std::move(kept)));
    if (!first) {
      first.emplace(std::move(ignored));
    } else if (first->hashes != ignored.hashes) {
      return Fail(ErrorCode::kUsage,
                  "the files of --ignore were others when this run was saved",
                  stored.run->folder(), "save the runs with the same --ignore");
    }
  }
  return *std::move(first);
}

// What of the files does not count, once, however often they are read.
void TellIgnored(const std::vector<SideRead>& files, const ReadOutcome& all,
                 Run* run) {
  std::vector<std::string> told = TellUnusable(files);
  if (all.quarantined > 0)
    told.push_back("--ignore: of " + CountText(all.records, "record") + " " +
                   CountText(all.quarantined, "was", "were") +
                   " quarantined, the first because of " + all.problem);
  for (std::string& warning : told)
    if (std::find(run->warnings.begin(), run->warnings.end(), warning) ==
        run->warnings.end())
      run->warnings.push_back(std::move(warning));
}

}  // namespace

Status KeepIgnored(Run* run) {
  if (run->plan.options.ignore.empty()) return {};
  if (FileExists(run->PathToRead(kIgnoredFile))) return {};
  TWINSET_ASSIGN(const IgnoredSet ignored, LoadIgnored(run));
  TWINSET_ASSIGN(auto kept, CreateBlob(*run, kIgnoredFile));
  for (const std::vector<uint64_t>& hashes : ignored.hashes)
    TWINSET_TRY(kept.Append(EncodeHashes(hashes)));
  return kept.Finish();
}

Result<IgnoredSet> LoadIgnored(Run* run) {
  const Plan& plan = run->plan;
  IgnoredSet ignored;
  if (plan.options.ignore.empty()) return ignored;
  if (!plan.inputs.stored.empty()) return LoadStored(run);
  if (FileExists(run->PathToRead(kIgnoredFile))) {
    TWINSET_ASSIGN(auto kept, OpenBlob(*run, kIgnoredFile));
    return LoadKept(run, std::move(kept));
  }
  const InputList& files = plan.inputs.ignored;
  std::vector<SideRead> sides;
  ReadOutcome all;
  IngestScratch scratch;
  ignored.hashes.resize(plan.features.views.size());
  const size_t most = plan.machine.memory_bytes / 2 / sizeof(uint64_t) /
                      plan.features.views.size();
  for (size_t i = 0; i < files.size(); ++i) {
    TWINSET_ASSIGN(
        auto reader,
        OpenRecordReader(files[i], static_cast<uint32_t>(i), plan.inputs.read));
    ReadOutcome outcome;
    Record record;
    for (;;) {
      TWINSET_ASSIGN(const bool more, reader->Next(&record));
      if (!more) break;
      ++outcome.records;
      if (record.kind == RecordKind::kQuarantined)
        outcome.CountQuarantined(record.reason, record.detail);
      if (record.kind != RecordKind::kDocument) continue;
      ++outcome.documents;
      TWINSET_ASSIGN(const CleanText clean,
                     ExtractText(record.document, plan.features.text));
      bool has_any = false, is_hashed = false;
      for (size_t view = 0; view < plan.features.views.size(); ++view) {
        if (!IsHashed(plan.features.views[view].form)) continue;
        is_hashed = true;
        MakeView(plan, view, clean.text, &scratch);
        has_any |= !scratch.shingles.shingles.empty();
        TWINSET_TRY(
            AddIgnored(scratch.shingles.shingles, most, &ignored.hashes[view]));
      }
      outcome.wordless += is_hashed && !has_any;
    }
    all.Add(outcome);
    sides.push_back(SideOf("--ignore", files[i].source, outcome));
  }
  for (const InputFile& file : files) TWINSET_TRY(CheckUnchanged(file));
  TWINSET_TRY(CheckSide(SideOf("--ignore", "", all),
                        "its rows have the fields of the inputs"));
  TellIgnored(sides, all, run);
  uint64_t bytes = 0;
  for (std::vector<uint64_t>& hashes : ignored.hashes) {
    SortUnique(&hashes);
    bytes += hashes.size() * sizeof(uint64_t);
  }
  ignored.memory = run->budget.ReserveUpTo(bytes, bytes);
  return ignored;
}

}  // namespace twinset
