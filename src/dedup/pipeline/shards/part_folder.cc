#include "pipeline/shards/part_folder.h"

#include <optional>

#include "base/bytes.h"
#include "base/file.h"
#include "base/for_each.h"
#include "base/hash.h"
#include "candidate/complete/prefix_postings.h"
#include "documents/deal.h"
#include "pipeline/pairs/part_rule.h"
#include "pipeline/saved/save_run.h"
#include "store/external_sort.h"
#include "store/file_identity.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

constexpr char kCandidates[] = "candidates.run", kVerified[] = "verified.run",
               kHot[] = "hot.run";

// Any build of the same format and spec reads the records of parts, as those of
// saved runs (save_run.cc).
static_assert(sizeof(CandidatePair) == 16 && sizeof(PrefixPosting) == 24);

// The largest manifest that is read.
constexpr uint64_t kMaxManifestBytes = 64 << 20;

// What makes two lists of shards one: their manifests have the hashes of their
// files, the key among them.
Result<std::string> HashOfShards(const SavedRuns& shards) {
  Hasher64 hasher;
  std::string bytes;
  for (const auto& shard : shards) {
    TWINSET_ASSIGN(
        const std::string manifest,
        ReadWholeFile(shard->Path(kShardOfRun.manifest), kMaxManifestBytes));
    bytes.clear();
    AppendSized(&bytes, manifest);
    hasher.Update(bytes);
  }
  return ToHex(hasher.Digest());
}

Result<Json> Describe(const Run& run) {
  const Shard& part = run.plan.options.part;
  Json json;
  json["part"] = {{"number", part.number}, {"of", part.of}};
  TWINSET_ASSIGN(json["shards"], HashOfShards(run.plan.inputs.shards));
  json["inputs"] = run.plan.inputs.files.size();
  json["hashes"] = HashesToJson(run.plan.hashes);
  for (const char* stage : {"candidate", "verify"}) {
    TWINSET_ASSIGN(const std::string state, run.journal.StageState(stage));
    json["counts"][stage] = Json::Parse(state);
  }
  return json;
}

tl::unexpected<Error> DamagedManifest(const SavedRun& part) {
  return Fail(ErrorCode::kCorrupt, "the manifest of the part is damaged",
              part.Path(kPartOfMerge.manifest),
              std::string("make it again with ") + kPartOfMerge.maker);
}

tl::unexpected<Error> OfAnotherMerge(const SavedRun& part,
                                     const std::string& difference) {
  return Fail(ErrorCode::kUsage, "the part is of another merge: " + difference,
              part.folder(),
              "make all parts of the same shards but for --part and --save");
}

// What the parts have in their files of this name, each record once, in order.
template <typename T>
Status Unite(Run* run, const std::string& name, ExternalSorter<T>* sorter) {
  run->step = "pairs";
  for (const auto& part : run->plan.inputs.parts) {
    if (!part->Has(name)) continue;
    TWINSET_ASSIGN(
        auto reader,
        RunReader<T>::Open(part->Path(name), SavedHashes(*part).Of(name)));
    Meter meter(*run, "records", reader.count());
    TWINSET_TRY(ForEach<T>(&reader, [&](const T& record) {
      meter.Add();
      return sorter->Add(record);
    }));
    TWINSET_TRY(run->CheckStop());
  }
  return {};
}

ExternalSortOptions UniqueSort(const Run& run, const char* name) {
  ExternalSortOptions options = run.SortOptions(name, 4);
  options.unique = true;
  return options;
}

template <typename T>
Result<uint64_t> UniteToRun(Run* run, const char* name) {
  ExternalSorter<T> sorter(UniqueSort(*run, "united"), &run->budget);
  TWINSET_TRY(Unite(run, name, &sorter));
  uint64_t count = 0;
  TWINSET_TRY(WriteRun<T>(*run, name, &sorter, [&](const T&) { ++count; }));
  return count;
}

Result<uint64_t> CountUnited(Run* run, const char* name) {
  ExternalSorter<CandidatePair> sorter(UniqueSort(*run, "united"),
                                       &run->budget);
  TWINSET_TRY(Unite(run, name, &sorter));
  TWINSET_TRY(sorter.Finish());
  uint64_t count = 0;
  TWINSET_TRY(
      ForEach<CandidatePair>(&sorter, [&](const CandidatePair&) -> Status {
        ++count;
        return {};
      }));
  return count;
}

void AddTo(std::optional<uint64_t>* sum, const std::optional<uint64_t>& more) {
  if (more) *sum = sum->value_or(0) + *more;
}

void AddTo(CandidateCounts* sum, const CandidateCounts& part) {
  sum->flagged += part.flagged;
  AddTo(&sum->postings, part.postings);
  AddTo(&sum->buckets, part.buckets);
  AddTo(&sum->emitted, part.emitted);
  AddTo(&sum->hot_postings, part.hot_postings);
  sum->hot_buckets.count += part.hot_buckets.count;
  sum->hot_buckets.members += part.hot_buckets.members;
  sum->hot_buckets.pairs_possible += part.hot_buckets.pairs_possible;
  sum->hot_buckets.pairs_compared += part.hot_buckets.pairs_compared;
  sum->proposed += part.proposed;
  sum->pairs += part.pairs;
}

}  // namespace

std::vector<std::string> PartFiles() { return {kCandidates, kVerified, kHot}; }

Status KeepPart(Run* run) {
  const std::string& folder = run->plan.options.out;
  std::vector<std::string> names = {kVerified};
  // Where no pair is of two parts, their number says all of the others.
  if (PartRule(run->plan, run->parts).by_keys()) names.push_back(kCandidates);
  if (run->counts.candidate.hot_postings) names.push_back(kHot);
  for (const std::string& name : names)
    TWINSET_TRY(PlaceFile(run->Path(name), folder + "/" + name));
  TWINSET_TRY(SyncDirectory(folder));
  TWINSET_ASSIGN(const Json description, Describe(*run));
  return SavedRun::Write(folder, description, names, kPartOfMerge);
}

Result<std::shared_ptr<const SavedRun>> OpenPart(const std::string& folder,
                                                 Shard* number) {
  TWINSET_ASSIGN(SavedRun opened, SavedRun::Open(folder, kPartOfMerge));
  const auto part = std::make_shared<const SavedRun>(std::move(opened));
  const Json& json = part->description()["part"];
  json["number"].get_to(number->number);
  json["of"].get_to(number->of);
  if (number->of == 0 || number->of > kMostParts ||
      number->number >= number->of)
    return DamagedManifest(*part);
  return part;
}

Result<bool> IsOfShards(const SavedRun& part, const SavedRuns& shards) {
  TWINSET_ASSIGN(const std::string hash, HashOfShards(shards));
  return part.description()["shards"] == Json(hash);
}

Result<RunCounts> CountsOfPart(const SavedRun& part) {
  RunCounts counts;
  const Json& json = part.description();
  const auto sources = json["inputs"].get<uint64_t>();
  for (const char* stage : {"candidate", "verify"}) {
    if (!StageFieldsFromJson(stage, json["counts"][stage], sources, &counts))
      return DamagedManifest(part);
  }
  return counts;
}

Result<SavedRuns> OpenParts(const std::vector<std::string>& folders,
                            const SavedRuns& shards) {
  SavedRuns parts;
  uint32_t of = 0;
  for (const std::string& folder : folders) {
    Shard number;
    TWINSET_ASSIGN(const auto part, OpenPart(folder, &number));
    if (of == 0) of = number.of;
    parts.resize(of);
    if (number.of != of) {
      return OfAnotherMerge(*part, "it is one of " + NumberText(number.of) +
                                       " parts, not of " + NumberText(of));
    }
    TWINSET_ASSIGN(const bool is_of_shards, IsOfShards(*part, shards));
    if (!is_of_shards)
      return OfAnotherMerge(*part, "it was made of other shards");
    if (parts[number.number] != nullptr) {
      return Fail(ErrorCode::kUsage,
                  "part " + ShardText(number) + " is given twice: it is " +
                      NameText(parts[number.number]->folder()) + " too",
                  folder, "name each part once");
    }
    parts[number.number] = part;
  }
  for (uint32_t i = 0; i < of; ++i) {
    if (parts[i] != nullptr) continue;
    return Fail(ErrorCode::kUsage,
                "part " + ShardText({i, of}) + " is not there", "",
                "make it with the command of the others and --part " +
                    ShardText({i, of}));
  }
  return parts;
}

Status TakeCandidatesStage(Run* run) {
  CandidateCounts counts;
  for (const auto& part : run->plan.inputs.parts) {
    TWINSET_ASSIGN(const RunCounts of_part, CountsOfPart(*part));
    AddTo(&counts, of_part.candidate);
  }
  std::vector<std::string> files;
  if (counts.hot_postings) {
    TWINSET_ASSIGN(counts.hot_postings, UniteToRun<PrefixPosting>(run, kHot));
    files.push_back(kHot);
  }
  if (PartRule(run->plan, run->parts).by_keys()) {
    TWINSET_ASSIGN(counts.pairs, CountUnited(run, kCandidates));
    counts.proposed = counts.pairs;
  }
  run->counts.candidate = counts;
  return run->FinishStage("candidate", files, counts);
}

Status TakeVerifiedStage(Run* run) {
  VerifyCounts counts;
  for (const auto& part : run->plan.inputs.parts) {
    TWINSET_ASSIGN(const RunCounts of_part, CountsOfPart(*part));
    AddTo(&counts.corrected, of_part.verify.corrected);
  }
  counts.compared = run->counts.candidate.pairs;
  TWINSET_ASSIGN(counts.accepted, UniteToRun<VerifiedPair>(run, kVerified));
  run->counts.verify = counts;
  Json state = FieldsToJson(counts);
  // Every part has told the same.
  const Json& told =
      run->plan.inputs.parts[0]->description()["counts"]["verify"];
  if (told.contains(Run::kStageWarnings))
    state[Run::kStageWarnings] = told[Run::kStageWarnings];
  run->TakeWarnings(state);
  return run->journal.FinishStage("verify", {kVerified}, state.dump());
}

}  // namespace twinset
