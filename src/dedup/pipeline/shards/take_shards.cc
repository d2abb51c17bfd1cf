#include "pipeline/shards/take_shards.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/parallel.h"
#include "documents/deal.h"
#include "documents/side_check.h"
#include "pipeline/read/dealt_block.h"
#include "pipeline/read/ignored_shingles.h"
#include "pipeline/read/read_files.h"
#include "pipeline/read/run_fields.h"
#include "pipeline/read/stored_documents.h"
#include "pipeline/saved/save_run.h"
#include "store/blob_frame.h"
#include "store/file_identity.h"

namespace twinset {

namespace {

// Files that are open at once, which have two descriptors each.
constexpr size_t kMostOpen = 128;

// Shards whose files may be open all at once: four kinds at most, two
// descriptors each, and the lock of the shard, beside those of kMostOpen and of
// a sort, of the 1,024 that a process usually has.
constexpr size_t kMostSpliced = 64;

constexpr char kPieces[] = "pieces.run";

// So many documents of a shard come next.
struct ShardPiece {
  uint64_t shard = 0, documents = 0;
};

using Shards = std::vector<std::shared_ptr<const SavedRun>>;

// What the files of one shard hold of one block, as the merge needs it.
struct Piece {
  uint32_t shard = 0;
  uint64_t documents = 0, quarantined = 0, captures = 0;
};

tl::unexpected<Error> DoNotFit(const SavedRun& shard, const std::string& name) {
  return Fail(ErrorCode::kCorrupt,
              "the files of the shard do not fit each other", shard.Path(name),
              std::string("make it again with ") + kShardOfRun.maker);
}

// Are the blobs read in the shards? Those of one for each document that later
// stages read are.
bool IsSpliced(const Plan& plan, read_file::ReadFile file) {
  constexpr read_file::ReadFile kWhole[] = {
      read_file::kFeatures, read_file::kViews, read_file::kTexts,
      read_file::kJudged};
  return plan.options.save.empty() &&
         plan.inputs.shards.size() <= kMostSpliced && LeavesFile(plan, file) &&
         std::find(std::begin(kWhole), std::end(kWhole), file) !=
             std::end(kWhole);
}

Result<BlobReader> OpenOf(const SavedRun& shard, const std::string& name) {
  if (!shard.Has(name)) return DoNotFit(shard, name);
  return BlobReader::Open(shard.Path(name), SavedHashes(shard).Of(name));
}

// One file of every shard. As many are open as `most`; another is opened where
// it was left.
class OpenFiles {
 public:
  OpenFiles(const Shards& shards, std::string name, size_t most)
      : shards_(shards),
        name_(std::move(name)),
        most_(most),
        next_(shards.size()) {}

  Result<bool> Next(uint32_t shard, std::string_view* bytes) {
    TWINSET_ASSIGN(BlobReader * reader, ReaderOf(shard));
    ++next_[shard];
    return reader->Next(bytes);
  }
  Result<uint64_t> CountOf(uint32_t shard) {
    TWINSET_ASSIGN(const BlobReader* reader, ReaderOf(shard));
    return reader->count();
  }

 private:
  struct Opened {
    BlobReader reader;
    uint64_t used;
  };

  Result<BlobReader*> ReaderOf(uint32_t shard) {
    const auto found = open_.find(shard);
    if (found != open_.end()) {
      found->second.used = ++time_;
      return &found->second.reader;
    }
    if (open_.size() >= most_)
      open_.erase(std::min_element(open_.begin(), open_.end(),
                                   [](const auto& x, const auto& y) {
                                     return x.second.used < y.second.used;
                                   }));
    TWINSET_ASSIGN(auto reader, OpenOf(*shards_[shard], name_));
    if (next_[shard] > 0) TWINSET_TRY(reader.Seek(next_[shard]));
    const auto [at, is_new] =
        open_.emplace(shard, Opened{std::move(reader), ++time_});
    return &at->second.reader;
  }

  const Shards& shards_;
  const std::string name_;
  const size_t most_;
  std::vector<uint64_t> next_;  // blob of each shard
  std::map<uint32_t, Opened> open_;
  uint64_t time_ = 0;
};

class Taking {
 public:
  explicit Taking(Run* run)
      : run_(run), plan_(run->plan), shards_(plan_.inputs.shards) {}

  Status Do() {
    TWINSET_TRY(ReadBlocks());
    TWINSET_TRY(WritePieces());
    TWINSET_TRY(SpliceShards(run_));
    TWINSET_TRY(CopyFiles());
    TWINSET_TRY(TakeIgnored());
    if (counts_.documents == 0 && misuse_) return tl::unexpected(*misuse_);
    TellUnusableInputs();
    run_->counts.read = std::move(counts_);
    TWINSET_TRY(CheckFieldTables());
    TWINSET_TRY(CheckRunFields(*run_));
    Json state = FieldsToJson(run_->counts.read);
    for (const std::string& warning : run_->warnings)
      state[Run::kStageWarnings].push_back(warning);
    return run_->journal.FinishStage("read", Files(), state.dump());
  }

 private:
  // ---- which pieces come after each other ----

  Status ReadBlocks() {
    OpenFiles dealt(shards_, kDealtFile, kMostOpen);
    std::vector<std::optional<DealtBlock>> heads(shards_.size());
    for (uint32_t i = 0; i < shards_.size(); ++i)
      TWINSET_TRY(ReadBlock(i, &dealt, &heads[i]));
    counts_.source_documents.resize(plan_.inputs.files.size());
    Deal deal(plan_.inputs.files, {0, static_cast<uint32_t>(shards_.size())});
    for (size_t source = 0; source < plan_.inputs.files.size(); ++source) {
      TWINSET_TRY(run_->CheckStop());
      TWINSET_TRY(ReadBlocksOf(source, deal.Of(source), &dealt, &heads));
      EndArgument(source);
    }
    for (uint32_t i = 0; i < shards_.size(); ++i)
      if (heads[i]) return DoNotFit(*shards_[i], kDealtFile);
    return {};
  }

  // The next block of a shard; none behind its last one.
  Status ReadBlock(uint32_t shard, OpenFiles* dealt,
                   std::optional<DealtBlock>* block) const {
    std::string_view bytes;
    TWINSET_ASSIGN(const bool more, dealt->Next(shard, &bytes));
    block->reset();
    if (more && !DecodeDealtBlock(bytes, &block->emplace()))
      return DoNotFit(*shards_[shard], kDealtFile);
    return {};
  }

  // The blocks of one input, in the order of its records.
  Status ReadBlocksOf(size_t source, const FileShare& share, OpenFiles* dealt,
                      std::vector<std::optional<DealtBlock>>* heads) {
    for (;;) {
      std::optional<uint32_t> first;
      for (uint32_t i = share.first; i < share.first + share.shards; ++i) {
        const auto& block = (*heads)[i];
        if (!block || block->source != source) continue;
        if (!first || block->record < (*heads)[*first]->record) first = i;
      }
      if (!first) return {};
      std::optional<DealtBlock>& block = (*heads)[*first];
      const bool is_own =
          share.shards == 1 ? block->record == 0
                            : block->record % Deal::kBlockRecords == 0 &&
                                  Deal::ShardOf(share, block->record) == *first;
      if (!is_own) return DoNotFit(*shards_[*first], kDealtFile);
      TWINSET_TRY(AddBlock(*first, *block));
      TWINSET_TRY(ReadBlock(*first, dealt, &block));
    }
  }

  Status AddBlock(uint32_t shard, const DealtBlock& block) {
    if (pieces_.size() == pieces_.capacity()) {
      pieces_.reserve(std::max<size_t>(1024, 2 * pieces_.size()));
      memory_ = run_->budget.ReserveUpTo(pieces_.capacity() * sizeof(Piece),
                                         pieces_.capacity() * sizeof(Piece));
    }
    pieces_.push_back({shard, block.counts.documents, block.counts.quarantined,
                       block.captures});
    counts_.Add(block.counts, 0, 0);
    counts_.source_documents[block.source] += block.counts.documents;
    of_argument_.Add(block.counts.sides[0].outcome);
    if (!block.failure) return {};
    if (!misuse_ && block.is_misuse.value_or(false))
      misuse_ = Error{ErrorCode::kUsage, *block.failure, "", ""};
    if (run_->warnings.size() < ReadCounts::kMostIncomplete)
      run_->warnings.push_back(*block.failure);
    return {};
  }

  void EndArgument(size_t source) {
    if (!plan_.inputs.files.EndsArgument(source)) return;
    unusable_.Add(
        SideOf("", plan_.inputs.files.ArgumentOf(source), of_argument_));
    of_argument_ = ReadOutcome();
  }

  Status WritePieces() const {
    TWINSET_ASSIGN(auto to, CreateRun<ShardPiece>(*run_, kPieces));
    for (const Piece& piece : pieces_)
      TWINSET_TRY(to.Append({piece.shard, piece.documents}));
    return to.Finish();
  }

  // ---- their bytes ----

  std::vector<std::string> Files() const {
    std::vector<std::string> files = {kPieces};
    for (size_t i = 0; i < read_file::kCount; ++i) {
      if (IsSpliced(plan_, static_cast<read_file::ReadFile>(i))) continue;
      files.push_back(read_file::kNames[i]);
      files.push_back(BlobIndexPath(read_file::kNames[i]));
    }
    return files;
  }

  static constexpr uint64_t kReadBytes = 64 << 10;  // of an open file

  Status CopyFiles() {
    const size_t threads = std::min<size_t>(
        static_cast<size_t>(plan_.machine.threads), read_file::kCount);
    const size_t open = std::clamp<size_t>(
        plan_.machine.memory_bytes / 8 / kReadBytes / threads, 4,
        kMostOpen / threads);
    const Reservation memory = run_->budget.ReserveUpTo(
        threads * open * kReadBytes, threads * open * kReadBytes);
    Status statuses[read_file::kCount];
    ParallelFor(read_file::kCount, 1, static_cast<int>(threads),
                [&](size_t begin, size_t end) {
                  for (size_t i = begin; i < end; ++i)
                    statuses[i] =
                        CopyFile(static_cast<read_file::ReadFile>(i), open);
                });
    for (const Status& status : statuses) TWINSET_TRY(status);
    return {};
  }

  Status CopyFile(read_file::ReadFile file, size_t most_open) const {
    if (IsSpliced(plan_, file)) return {};
    const std::string name = read_file::kNames[file];
    TWINSET_ASSIGN(BlobWriter to, CreateBlob(*run_, name));
    if (LeavesFile(plan_, file)) {
      OpenFiles from(shards_, name, most_open);
      TWINSET_TRY(CheckCounts(file, &from));
      TWINSET_TRY(file == read_file::kPages ? CopyPages(&from, &to)
                                            : CopyBlobs(file, &from, &to));
    }
    return to.Finish();
  }

  static uint64_t CountOf(read_file::ReadFile file, const Piece& piece) {
    return file == read_file::kQuarantine ? piece.quarantined
           : file == read_file::kRevisits ? piece.captures
                                          : piece.documents;
  }

  // A shard has what its blocks say, and pages for some of its documents.
  Status CheckCounts(read_file::ReadFile file, OpenFiles* from) const {
    std::vector<uint64_t> wanted(shards_.size());
    for (const Piece& piece : pieces_)
      wanted[piece.shard] += CountOf(file, piece);
    for (uint32_t i = 0; i < shards_.size(); ++i) {
      TWINSET_ASSIGN(const uint64_t count, from->CountOf(i));
      if (file == read_file::kPages ? count > wanted[i] : count != wanted[i])
        return DoNotFit(*shards_[i], read_file::kNames[file]);
    }
    return {};
  }

  Status CopyBlobs(read_file::ReadFile file, OpenFiles* from,
                   BlobWriter* to) const {
    std::string_view bytes;
    for (const Piece& piece : pieces_) {
      if (file == read_file::kDocuments)
        run_->Report("documents", to->count(), counts_.documents);
      TWINSET_TRY(run_->CheckStop());
      for (uint64_t i = CountOf(file, piece); i > 0; --i) {
        TWINSET_ASSIGN(const bool more, from->Next(piece.shard, &bytes));
        if (!more)
          return DoNotFit(*shards_[piece.shard], read_file::kNames[file]);
        TWINSET_TRY(to->Append(bytes));
      }
    }
    return {};
  }

  // Pages are numbered as their documents are; those behind the last page of a
  // shard, and of the run, have no blob.
  Status CopyPages(OpenFiles* from, BlobWriter* to) const {
    std::vector<uint64_t> left(shards_.size());
    for (uint32_t i = 0; i < shards_.size(); ++i) {
      TWINSET_ASSIGN(left[i], from->CountOf(i));
    }
    uint64_t before = 0;  // documents
    std::string_view bytes;
    for (const Piece& piece : pieces_) {
      TWINSET_TRY(run_->CheckStop());
      const uint64_t pages = std::min(left[piece.shard], piece.documents);
      left[piece.shard] -= pages;
      for (uint64_t i = 0; i < pages; ++i) {
        TWINSET_ASSIGN(const bool more, from->Next(piece.shard, &bytes));
        if (!more) return DoNotFit(*shards_[piece.shard], "pages.blob");
        if (bytes.empty()) continue;
        while (to->count() < before + i) TWINSET_TRY(to->Append(""));
        TWINSET_TRY(to->Append(bytes));
      }
      before += piece.documents;
    }
    return {};
  }

  Status TakeIgnored() const {
    for (const std::string& name :
         {std::string(kIgnoredFile), std::string(kIgnoredFile) + ".idx"})
      if (shards_[0]->Has(name))
        TWINSET_TRY(PlaceFile(shards_[0]->Path(name), run_->Path(name)));
    return {};
  }

  // ---- what is only known of all ----

  void TellUnusableInputs() {
    for (const auto& shard : shards_) {
      const Json& hint = shard->description()["counts_of_read"][kHint];
      if (hint.is_null()) continue;
      run_->warnings.push_back(hint.get<std::string>());
      break;
    }
    if (counts_.documents == 0) return;
    for (std::string& sentence : unusable_.sentences())
      run_->warnings.push_back(std::move(sentence));
  }

  // --fields has rows for some document.
  Status CheckFieldTables() const {
    Json unused;
    for (const auto& shard : shards_) {
      const Json& read = shard->description()["counts_of_read"];
      if (read["documents"] == Json(0)) continue;
      if (!read.contains(kUnusedFields)) return {};
      if (unused.is_null()) unused = read[kUnusedFields];
    }
    if (unused.is_null()) return {};
    return NothingInCommon("--fields", unused[0].get<std::string>(),
                           "the documents", unused[1].get<std::string>());
  }

  Run* const run_;
  const Plan& plan_;
  const Shards& shards_;
  ReadCounts counts_;
  std::vector<Piece> pieces_;
  Reservation memory_;  // of pieces_
  ReadOutcome of_argument_;
  UnusableInputs unusable_;
  std::optional<Error> misuse_;
};

}  // namespace

Status TakeShardsStage(Run* run) { return Taking(run).Do(); }

Status SpliceShards(Run* run) {
  const Shards& shards = run->plan.inputs.shards;
  const auto pieces = std::make_shared<BlobPieces>();
  TWINSET_TRY(ForEachRecord<ShardPiece>(
      *run, kPieces, [&](const ShardPiece& piece) -> Status {
        pieces->Add(static_cast<uint32_t>(piece.shard), piece.documents);
        return {};
      }));
  run->pieces_memory =
      run->budget.ReserveUpTo(pieces->bytes(), pieces->bytes());
  for (size_t i = 0; i < read_file::kCount; ++i) {
    if (!IsSpliced(run->plan, static_cast<read_file::ReadFile>(i))) continue;
    const std::string name = read_file::kNames[i];
    const auto splice = std::make_shared<BlobSplice>();
    for (uint32_t shard = 0; shard < shards.size(); ++shard) {
      const SavedRun& from = *shards[shard];
      if (!from.Has(name)) return DoNotFit(from, name);
      TWINSET_ASSIGN(auto file, BlobFile::Open(from.Path(name),
                                               SavedHashes(from).Of(name)));
      if (file->count != pieces->CountOf(shard)) return DoNotFit(from, name);
      splice->files.push_back(std::move(file));
    }
    splice->pieces = pieces;
    run->splices[name] = splice;
  }
  return {};
}

}  // namespace twinset
