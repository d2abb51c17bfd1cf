// Patches: their bytes, damage and signatures, and copies that are repaired.
#include "twinset/corpora/patch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/memory_folder.h"
#include "base/test_dir.h"
#include "patch/patch_file.h"
#include "twinset/dedup.h"
#include "twinset/json.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

// RFC 8032, section 7.1, tests 1 and 2.
constexpr char kPrivateKey[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
    "-----END PRIVATE KEY-----\n";
constexpr char kPublicKey[] =
    "-----BEGIN PUBLIC KEY-----\n"
    "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n"
    "-----END PUBLIC KEY-----\n";
constexpr char kOtherPublicKey[] =
    "-----BEGIN PUBLIC KEY-----\n"
    "MCowBQYDK2VwAyEAPUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=\n"
    "-----END PUBLIC KEY-----\n";

std::vector<PatchEntry> RandomEntries(size_t count, uint64_t sources) {
  SplitMix64 random(7);
  std::vector<PatchEntry> entries;
  PatchEntry entry;
  for (size_t i = 0; i < count; ++i) {
    PatchEntry next;
    next.kind = static_cast<PatchKind>(random.Below(kPatchKinds));
    next.source = entry.source;
    next.ordinal = i == 0 ? 0 : entry.ordinal + 1 + random.Below(3);
    next.offset = entry.offset + random.Below(5000);
    if (next.source + 1 < sources && random.Below(count / sources + 1) == 0) {
      ++next.source;
      next.ordinal = random.Below(4);
      next.offset = random.Next();
    }
    next.digest = {random.Next(), random.Next()};
    if (random.Below(3) > 0)
      next.id = "<urn:uuid:" + ToHex(random.Next()) + ">";
    if (random.Below(5) == 0) next.name = next.id + "#2";
    if (random.Below(5) == 0) next.url = "http://a.example/" + next.id;
    if (random.Below(9) == 0) next.date = "2024-01-01";
    next.link = i;
    if (next.kind == PatchKind::kDrop || next.kind == PatchKind::kAnnotate)
      next.link = random.Below(count);
    if (random.Below(2) == 0)
      next.similarity = static_cast<double>(random.Below(1000)) / 1000;
    if (next.kind == PatchKind::kAnnotate) next.size = random.Below(100);
    entries.push_back(next);
    entry = next;
  }
  return entries;
}

PatchHead HeadOf(const std::vector<PatchEntry>& entries, uint64_t inputs) {
  PatchHead head;
  head.twinset = "1";
  head.read = Json::object();
  head.inputs = inputs;
  head.entries = entries.size();
  return head;
}

void WritePatch(const std::string& path, const std::vector<PatchEntry>& entries,
                uint64_t inputs, const SigningKey* key = nullptr) {
  auto writer = PatchWriter::Create(path, HeadOf(entries, inputs));
  ASSERT_TRUE(writer);
  for (uint64_t i = 0; i < inputs; ++i) {
    PatchInput input;
    input.name = "in/" + std::to_string(i) + ".jsonl";
    input.bytes = i;
    input.digest[0] = static_cast<char>(i);
    ASSERT_TRUE(writer->AddInput(input));
  }
  for (const PatchEntry& entry : entries) ASSERT_TRUE(writer->AddEntry(entry));
  ASSERT_TRUE(writer->Finish(key));
}

// Files in memory: the tests below make thousands.
class PatchFile : public ::testing::Test {
 protected:
  std::string At(const std::string& name) const {
    return folder_->path() + "/" + name;
  }
  SigningKey MakeKey() const {
    EXPECT_TRUE(WriteWholeFile(At("key.pem"), kPrivateKey));
    return *SigningKey::Read(At("key.pem"));
  }
  void WriteBytes(const std::string& name, std::string_view bytes) const {
    ASSERT_TRUE(File::Create(At(name))->Write(bytes));
  }

 private:
  const std::unique_ptr<MemoryFolder> folder_ = *MemoryFolder::Create(16 << 20);
};

TEST_F(PatchFile, IsReadAsItWasWritten) {
  const auto entries = RandomEntries(20'000, 50);
  WritePatch(At("p"), entries, 50);
  auto reader = PatchReader::Open(At("p"), 1 << 30);
  ASSERT_TRUE(reader) << reader.error().ToString();
  EXPECT_EQ(reader->inputs().size(), 50u);
  EXPECT_EQ(reader->inputs()[7].name, "in/7.jsonl");
  EXPECT_EQ(reader->signed_by(), "");
  PatchEntry entry;
  for (int again = 0; again < 2; ++again) {
    for (size_t i = 0; i < entries.size(); ++i) {
      const auto more = reader->Next(&entry);
      ASSERT_TRUE(more && *more) << i;
      ASSERT_EQ(entry, entries[i]) << i;
    }
    EXPECT_EQ(reader->Next(&entry), false);
    reader->Rewind();
  }
  EXPECT_EQ(PatchReader::Open(At("p"), 1000).error().code, ErrorCode::kMemory);
}

TEST_F(PatchFile, DamageOfAnyByteIsRefused) {
  const SigningKey key = MakeKey();
  WritePatch(At("p"), RandomEntries(12, 2), 2, &key);
  const std::string bytes = *ReadWholeFile(At("p"));
  WriteBytes("d", bytes);
  EXPECT_TRUE(PatchReader::Open(At("d"), 1 << 20));
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
    WriteBytes("d", damaged);
    EXPECT_FALSE(PatchReader::Open(At("d"), 1 << 20)) << i;
    WriteBytes("d", bytes.substr(0, i));
    EXPECT_FALSE(PatchReader::Open(At("d"), 1 << 20)) << i;
  }
}

// As somebody would who changes a patch and knows how it is written.
std::string WithChecksum(std::string bytes) {
  const size_t end = bytes.size() - kFileFooterBytes;
  Hasher64 hash;
  hash.Update(std::string_view(bytes).substr(0, end));
  const auto footer = EncodeFileFooter(
      {LoadLE<uint64_t>(bytes.data() + end + 8), hash.Digest()});
  return bytes.replace(end, kFileFooterBytes, footer.data(), footer.size());
}

TEST_F(PatchFile, AnotherVersionIsNotRead) {
  WritePatch(At("p"), RandomEntries(5, 1), 1);
  std::string bytes = *ReadWholeFile(At("p"));
  FileHeader header = kPatchHeader;
  header.version = 1;
  const auto other = EncodeFileHeader(header);
  bytes.replace(0, other.size(), other.data(), other.size());
  WriteBytes("q", WithChecksum(bytes));
  EXPECT_EQ(PatchReader::Open(At("q"), 1 << 20).error().code,
            ErrorCode::kUnsupported);
  WriteBytes("r", "no patch");
  EXPECT_EQ(PatchReader::Open(At("r"), 1 << 20).error().code,
            ErrorCode::kUsage);
}

TEST_F(PatchFile, SignatureHoldsWhereTheChecksumIsMadeAnew) {
  const SigningKey key = MakeKey();
  WritePatch(At("p"), RandomEntries(9, 1), 1, &key);
  const auto reader = PatchReader::Open(At("p"), 1 << 20);
  ASSERT_TRUE(reader) << reader.error().ToString();
  EXPECT_EQ(reader->signed_by(), key.public_key());
  const std::string bytes = *ReadWholeFile(At("p"));
  size_t by_signature = 0;
  for (size_t at = kFileHeaderBytes; at < bytes.size() - kFileFooterBytes;
       ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ (1 << (at % 8)));
    WriteBytes("d", WithChecksum(changed));
    const auto damaged = PatchReader::Open(At("d"), 1 << 20);
    ASSERT_FALSE(damaged) << at;
    EXPECT_EQ(damaged.error().code, ErrorCode::kCorrupt) << at;
    by_signature +=
        damaged.error().message.find("signature") != std::string::npos;
  }
  // Key and signature, and what zstd unpacks though it was changed.
  EXPECT_GT(by_signature, kPublicKeyBytes + kSignatureBytes - 1);
}

TEST_F(PatchFile, ASignatureIsOfOnePatch) {
  const SigningKey key = MakeKey();
  WritePatch(At("p"), RandomEntries(9, 1), 1, &key);
  WritePatch(At("q"), RandomEntries(8, 1), 1, &key);
  std::string one = *ReadWholeFile(At("p"));
  const std::string other = *ReadWholeFile(At("q"));
  constexpr size_t kTail = kPublicKeyBytes + kSignatureBytes + kFileFooterBytes;
  one.replace(one.size() - kTail, kTail - kFileFooterBytes, other,
              other.size() - kTail, kTail - kFileFooterBytes);
  WriteBytes("d", WithChecksum(one));
  const auto reader = PatchReader::Open(At("d"), 1 << 20);
  ASSERT_FALSE(reader);
  EXPECT_THAT(reader.error().message, HasSubstr("signature"));
}

// Nobody makes room for entries that are only said to be there.
TEST_F(PatchFile, TheCountOfEntriesIsChecked) {
  const auto entries = RandomEntries(9, 1);
  for (const uint64_t said : {uint64_t{8}, uint64_t{10}, uint64_t{1} << 60}) {
    PatchHead head = HeadOf(entries, 1);
    head.entries = said;
    auto writer = PatchWriter::Create(At("p"), head);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->AddInput({"in", 1, {}}));
    for (const PatchEntry& entry : entries)
      ASSERT_TRUE(writer->AddEntry(entry));
    ASSERT_TRUE(writer->Finish(nullptr));
    std::string bytes = *ReadWholeFile(At("p"));
    const size_t end = bytes.size() - kFileFooterBytes;
    Hasher64 hash;
    hash.Update(std::string_view(bytes).substr(0, end));
    const auto footer = EncodeFileFooter({said, hash.Digest()});
    bytes.replace(end, kFileFooterBytes, footer.data(), footer.size());
    WriteBytes("d", bytes);
    const auto reader = PatchReader::Open(At("d"), 1 << 20);
    ASSERT_FALSE(reader) << said;
    EXPECT_EQ(reader.error().code, ErrorCode::kCorrupt);
  }
}

TEST_F(PatchFile, AFrameHasABoundOfEntries) {
  std::vector<PatchEntry> entries(kMostFrameEntries + 1), decoded;
  for (size_t i = 0; i < entries.size(); ++i)
    entries[i].ordinal = entries[i].link = i;
  EXPECT_FALSE(DecodePatchEntries(0, EncodePatchEntries(0, entries), &decoded));
  entries.pop_back();
  EXPECT_TRUE(DecodePatchEntries(0, EncodePatchEntries(0, entries), &decoded));
  // What is written is read, however many there are.
  WritePatch(At("p"), entries, 1);
  auto reader = PatchReader::Open(At("p"), 1 << 20);
  ASSERT_TRUE(reader) << reader.error().ToString();
  PatchEntry entry;
  for (const PatchEntry& expected : entries) {
    ASSERT_EQ(reader->Next(&entry), true);
    ASSERT_EQ(entry, expected);
  }
  EXPECT_EQ(reader->Next(&entry), false);
}

TEST_F(PatchFile, TextsDoNotGrowWithoutBound) {
  std::vector<PatchEntry> entries(2000);
  for (size_t i = 0; i < entries.size(); ++i) {
    entries[i].ordinal = i;
    entries[i].link = i;
    entries[i].id = std::string(4000, 'x');
  }
  std::vector<PatchEntry> decoded;
  EXPECT_FALSE(DecodePatchEntries(0, EncodePatchEntries(0, entries), &decoded));
  entries.resize(400);
  EXPECT_TRUE(DecodePatchEntries(0, EncodePatchEntries(0, entries), &decoded));
  EXPECT_EQ(decoded, entries);
  PatchEntry huge;
  huge.id = std::string(kMostFrameText, 'x');
  auto writer = PatchWriter::Create(At("p"), HeadOf({huge}, 1));
  ASSERT_TRUE(writer);
  EXPECT_EQ(writer->AddEntry(huge).error().code, ErrorCode::kUnsupported);
}

// ---- a run, its patch and copies ----

struct Row {
  std::string id, text;
};

class Repair : public ::testing::Test {
 public:
  // Returns the representative of the cluster of a document; a document alone
  // is its own.
  static std::string RepresentativeOf(const std::string& id) {
    const std::string rows = *ReadWholeFile(In("run/clusters.jsonl"));
    for (size_t at = 0; at < rows.size();) {
      const size_t end = rows.find('\n', at);
      const Json row = Json::Parse(std::string_view(rows).substr(at, end - at));
      if (row.value("id", "") == id) return row.value("cluster", "");
      at = end + 1;
    }
    return id;
  }

 protected:
  // A corpus in two files: of each text one to four copies.
  static std::vector<Row> Corpus() {
    SplitMix64 random(3);
    std::vector<Row> rows;
    for (int i = 0; i < 120; ++i) {
      const uint64_t text = random.Below(40);
      std::string words;
      for (int j = 0; j < 12; ++j)
        words += "w" + std::to_string(Mix64(text * 100 + j) % 1000) + " ";
      rows.push_back({"d" + std::to_string(i), words});
    }
    return rows;
  }
  static std::string LinesOf(const std::vector<Row>& rows, size_t begin,
                             size_t end) {
    std::string lines;
    for (size_t i = begin; i < std::min(end, rows.size()); ++i)
      lines += Json({{"id", rows[i].id}, {"text", rows[i].text}}).dump() + "\n";
    return lines;
  }

  static void WriteCorpus(const std::string& folder,
                          const std::vector<Row>& rows, size_t files = 2) {
    ASSERT_TRUE(MakeDirectories(In(folder)));
    const size_t each = (rows.size() + files - 1) / files;
    for (size_t i = 0; i < files; ++i)
      ASSERT_TRUE(
          WriteWholeFile(In(folder + "/" + std::to_string(i) + ".jsonl"),
                         LinesOf(rows, i * each, (i + 1) * each)));
  }

  static void SetUpTestSuite() {
    run_ = new TestDir;
    MakeRun();
  }
  static void TearDownTestSuite() { delete run_; }

  // Runs dedup over the corpus in folder "c" and makes its patch.
  static void MakeRun() {
    WriteCorpus("c", Corpus());
    DedupOptions options;
    options.input.inputs = {In("c")};
    options.out = In("run");
    options.write = In("clean");
    options.resources.memory_bytes = 256 << 20;
    options.resources.threads = 1;
    const auto run = Dedup(options);
    ASSERT_TRUE(run) << run.error().ToString();
    PatchMakeOptions make;
    make.run = In("run");
    make.out = In("p");
    make.resources = options.resources;
    ASSERT_TRUE(WriteWholeFile(In("key.pem"), kPrivateKey));
    make.sign = In("key.pem");
    const auto patch = MakePatch(make);
    ASSERT_TRUE(patch) << patch.error().ToString();
    EXPECT_GT(patch->dropped, 40u);
    EXPECT_EQ(patch->documents, 120u);
  }

  PatchApplyOptions Applying(const std::string& copy) const {
    PatchApplyOptions options;
    options.patch = In("p");
    options.inputs = {In(copy)};
    options.out = In("applied");
    options.write = In("repaired");
    options.resources.memory_bytes = 256 << 20;
    options.resources.threads = 1;
    options.overwrite = true;
    return options;
  }

  std::vector<std::string> KeptOf(const std::string& folder, size_t files) {
    std::vector<std::string> ids;
    for (size_t i = 0; i < files; ++i) {
      std::string lines =
          *ReadWholeFile(In(folder + "/" + std::to_string(i) + ".jsonl"));
      for (size_t at = 0; at < lines.size();) {
        const size_t end = lines.find('\n', at);
        ids.push_back(Json::Parse(std::string_view(lines).substr(at, end - at))
                          .value("id", ""));
        at = end + 1;
      }
    }
    std::sort(ids.begin(), ids.end());
    return ids;
  }

  static std::string In(const std::string& name) { return *run_ / name; }
  static inline const TestDir* run_ = nullptr;
};

// The naive reference: a row goes when the run drops its document, and both
// this and its representative are in the copy as they were.
std::vector<std::string> KeptById(const std::vector<Row>& corpus,
                                  const std::vector<Row>& copy) {
  const auto is_there = [&](const std::string& id) {
    const auto has = [&](const std::vector<Row>& rows) {
      return std::find_if(rows.begin(), rows.end(),
                          [&](const Row& row) { return row.id == id; });
    };
    const auto at = has(copy);
    return at != copy.end() && at->text == has(corpus)->text;
  };
  std::vector<std::string> kept;
  for (const Row& row : copy) {
    const std::string kept_for = Repair::RepresentativeOf(row.id);
    if (kept_for == row.id || !is_there(row.id) || !is_there(kept_for))
      kept.push_back(row.id);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

TEST_F(Repair, TheSameCopyBecomesWhatTheRunHasWritten) {
  const auto result = ApplyPatch(Applying("c"));
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_TRUE(result->is_exact);
  EXPECT_EQ(result->identical, 2u);
  EXPECT_EQ(result->matched, result->entries);
  for (const char* name : {"/c/0.jsonl", "/c/1.jsonl"})
    EXPECT_EQ(*ReadWholeFile(In(std::string("repaired") + name)),
              *ReadWholeFile(In(std::string("clean") + name)));
}

TEST_F(Repair, GoesOnWhereItWasStopped) {
  for (const std::string stage : {"compare", "write"}) {
    PatchApplyOptions options = Applying("c");
    std::atomic<bool> stop = false;
    options.stop = &stop;
    options.checkpoint_seconds = 0;
    options.match_by = PatchMatch::kId;
    options.on_progress = [&](const Progress& now) {
      if (now.stage == stage) stop = true;
    };
    const auto stopped = ApplyPatch(options);
    ASSERT_FALSE(stopped) << stage;
    EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted);
    options.stop = nullptr;
    options.on_progress = {};
    options.overwrite = false;
    EXPECT_EQ(ApplyPatch(options).error().code, ErrorCode::kUsage);
    options.resume = true;
    options.match_by = PatchMatch::kDigest;
    EXPECT_THAT(ApplyPatch(options).error().message, HasSubstr("match_by"));
    options.match_by = PatchMatch::kId;
    const auto result = ApplyPatch(options);
    ASSERT_TRUE(result) << result.error().ToString();
    EXPECT_EQ(result->matched, result->entries);
    for (const char* name : {"/c/0.jsonl", "/c/1.jsonl"})
      EXPECT_EQ(*ReadWholeFile(In(std::string("repaired") + name)),
                *ReadWholeFile(In(std::string("clean") + name)));
  }
}

// The same by place: what stands where the row stood in the corpus. Both are in
// two files of equal length.
std::vector<std::string> KeptByPlace(const std::vector<Row>& corpus,
                                     const std::vector<Row>& copy) {
  const auto place = [](const std::vector<Row>& rows, size_t i) {
    const size_t each = (rows.size() + 1) / 2;
    return std::pair(i / each, i % each);
  };
  const auto at = [&](const std::vector<Row>& rows,
                      std::pair<size_t, size_t> of) -> const Row* {
    for (size_t i = 0; i < rows.size(); ++i)
      if (place(rows, i) == of) return &rows[i];
    return nullptr;
  };
  const auto is_there = [&](const std::string& id) {
    for (size_t i = 0; i < corpus.size(); ++i) {
      if (corpus[i].id != id) continue;
      const Row* row = at(copy, place(corpus, i));
      return row != nullptr && row->text == corpus[i].text;
    }
    return false;
  };
  std::vector<std::string> kept;
  for (size_t i = 0; i < copy.size(); ++i) {
    const Row* of = at(corpus, place(copy, i));
    const std::string kept_for =
        of == nullptr ? "" : Repair::RepresentativeOf(of->id);
    if (of == nullptr || kept_for == of->id || !is_there(of->id) ||
        !is_there(kept_for))
      kept.push_back(copy[i].id);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

// By digest: rows of one text are as good as each other. Those that keep their
// ids are paired first, then what is left in order, representatives first.
std::vector<std::string> KeptByDigest(const std::vector<Row>& corpus,
                                      const std::vector<Row>& copy) {
  constexpr size_t kNone = ~size_t{0};
  std::vector<size_t> row_of(corpus.size(), kNone);
  std::vector<bool> taken(copy.size());
  const auto pair = [&](size_t i, bool by_id) {
    for (size_t j = 0; j < copy.size() && row_of[i] == kNone; ++j) {
      if (taken[j] || copy[j].text != corpus[i].text ||
          (by_id && copy[j].id != corpus[i].id))
        continue;
      row_of[i] = j;
      taken[j] = true;
    }
  };
  std::vector<size_t> kept_for(corpus.size());
  for (size_t i = 0; i < corpus.size(); ++i) {
    const std::string id = Repair::RepresentativeOf(corpus[i].id);
    while (corpus[kept_for[i]].id != id) ++kept_for[i];
  }
  // A document alone in its cluster is none of the patch.
  const auto is_named = [&](size_t i) {
    return std::count(kept_for.begin(), kept_for.end(), kept_for[i]) > 1;
  };
  for (size_t i = 0; i < corpus.size(); ++i)
    if (is_named(i)) pair(i, true);
  for (const bool first : {true, false})
    for (size_t i = 0; i < corpus.size(); ++i)
      if (is_named(i) && (kept_for[i] == i) == first) pair(i, false);
  std::set<std::string> dropped;
  for (size_t i = 0; i < corpus.size(); ++i)
    if (kept_for[i] != i && row_of[i] != kNone && row_of[kept_for[i]] != kNone)
      dropped.insert(copy[row_of[i]].id);
  std::vector<std::string> kept;
  for (const Row& row : copy)
    if (!dropped.contains(row.id)) kept.push_back(row.id);
  std::sort(kept.begin(), kept.end());
  return kept;
}

std::vector<std::string> KeptNaively(PatchMatch by,
                                     const std::vector<Row>& corpus,
                                     const std::vector<Row>& copy) {
  switch (by) {
    case PatchMatch::kPlace:
      return KeptByPlace(corpus, copy);
    case PatchMatch::kId:
      return KeptById(corpus, copy);
    case PatchMatch::kDigest:
      return KeptByDigest(corpus, copy);
  }
  return {};
}

TEST_F(Repair, ACopyInOtherOrderLosesTheSameDocuments) {
  std::vector<Row> rows = Corpus();
  SplitMix64 random(5);
  for (size_t i = rows.size(); i > 1; --i)
    std::swap(rows[i - 1], rows[random.Below(i)]);
  WriteCorpus("shards", rows, 5);
  for (const PatchMatch by : {PatchMatch::kId, PatchMatch::kDigest}) {
    PatchApplyOptions options = Applying("shards");
    options.match_by = by;
    const auto result = ApplyPatch(options);
    ASSERT_TRUE(result) << result.error().ToString();
    EXPECT_TRUE(result->is_exact);
    EXPECT_EQ(KeptOf("repaired/shards", 5), KeptOf("clean/c", 2));
  }
}

// What a mismatch must never do, over many copies that somebody changed: drop a
// document of which no copy stays. The reference looks at all texts.
TEST_F(Repair, NoTextIsLostWhateverTheCopyLacks) {
  const std::vector<Row> corpus = Corpus();
  SplitMix64 random(11);
  for (int trial = 0; trial < 6; ++trial) {
    std::vector<Row> rows;
    // By place little is left of a copy that lacks rows in front.
    const uint64_t least = trial % 3 == 0 ? 100 : 0;
    for (Row row : corpus) {
      if (rows.size() >= least && random.Below(4) == 0) continue;
      if (random.Below(6) == 0) row.text += "changed" + row.id;
      rows.push_back(std::move(row));
    }
    // Places are those of inputs of one name.
    WriteCorpus("copies/c", rows);
    PatchApplyOptions options = Applying("copies/c");
    options.match_by = kChoices<PatchMatch>[trial % 3].value;
    const auto result = ApplyPatch(options);
    ASSERT_TRUE(result) << result.error().ToString();
    EXPECT_FALSE(result->is_exact);
    EXPECT_EQ(result->matched + result->mismatches(), result->entries);
    const auto kept = KeptOf("repaired/c", 2);
    const auto text_is_kept = [&](const Row& row) {
      return std::any_of(rows.begin(), rows.end(), [&](const Row& other) {
        return other.text == row.text &&
               std::binary_search(kept.begin(), kept.end(), other.id);
      });
    };
    for (const Row& row : rows) EXPECT_TRUE(text_is_kept(row)) << row.id;
    EXPECT_EQ(kept, KeptNaively(options.match_by, corpus, rows)) << trial;
    const std::string listed = *ReadWholeFile(In("applied/mismatches.jsonl"));
    EXPECT_EQ(
        static_cast<uint64_t>(std::count(listed.begin(), listed.end(), '\n')),
        result->mismatches());
  }
}

// A record that cannot be read is no loss that nobody hears of.
TEST_F(Repair, SaysWhatOfTheCopyCannotBeRead) {
  WriteCorpus("torn", Corpus());
  const std::string lines = *ReadWholeFile(In("torn/1.jsonl"));
  ASSERT_TRUE(WriteWholeFile(In("torn/1.jsonl"), lines + "{\"id\": \"x\n"));
  ASSERT_TRUE(WriteWholeFile(In("torn/2.jsonl"), "no JSON\nnor this\n"));
  for (const bool stops : {false, true}) {
    PatchApplyOptions options = Applying("torn");
    std::atomic<bool> stop = false;
    if (stops) {
      options.stop = &stop;
      options.checkpoint_seconds = 0;
      options.on_progress = [&](const Progress& now) {
        if (now.stage == "write") stop = true;
      };
      ASSERT_FALSE(ApplyPatch(options));
      options.stop = nullptr;
      options.on_progress = {};
      options.overwrite = false;
      options.resume = true;
    }
    const auto result = ApplyPatch(options);
    ASSERT_TRUE(result) << result.error().ToString();
    EXPECT_EQ(result->quarantined, 3u);
    EXPECT_FALSE(result->is_exact);
    ASSERT_EQ(result->warnings.size(), 2u);
    EXPECT_THAT(result->warnings[0], HasSubstr("torn/1.jsonl: 1 record"));
    EXPECT_THAT(result->warnings[1], HasSubstr("the first is record 0"));
  }
}

// An input that ends in an error would be written without its end.
TEST_F(Repair, WritesNoCopyOfAnInputThatCannotBeRead) {
  WriteCorpus("broken", Corpus());
  ASSERT_TRUE(WriteWholeFile(In("broken/2.csv"), "id,words\na,b\n"));
  PatchApplyOptions options = Applying("broken");
  const auto refused = ApplyPatch(options);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("would lose"));
  EXPECT_FALSE(FileExists(In("repaired/broken/2.csv")));
  options.write.clear();
  options.out = In("compared");
  const auto compared = ApplyPatch(options);
  ASSERT_TRUE(compared) << compared.error().ToString();
  EXPECT_EQ(compared->warnings.size(), 1u);
}

// The patch of a run says what is to go, so its inputs must be those of the
// run.
TEST_F(Repair, MakesNoPatchOfInputsThatHaveChanged) {
  WriteCorpus("own", Corpus());
  DedupOptions run;
  run.input.inputs = {In("own")};
  run.out = In("own-run");
  ASSERT_TRUE(Dedup(run));
  PatchMakeOptions make;
  make.run = run.out;
  make.out = In("own-p");
  ASSERT_TRUE(MakePatch(make));
  make.overwrite = true;
  // Another text of the same length.
  std::string lines = *ReadWholeFile(In("own/1.jsonl"));
  std::reverse(lines.end() - 12, lines.end() - 4);
  ASSERT_TRUE(WriteWholeFile(In("own/1.jsonl"), lines));
  const auto changed = MakePatch(make);
  ASSERT_FALSE(changed);
  EXPECT_THAT(changed.error().message, HasSubstr("not what the run has read"));
  EXPECT_EQ(changed.error().where, In("own/1.jsonl"));
  // Inputs that are named may be copies, of the same sizes.
  WriteCorpus("own", Corpus());
  make.inputs = run.input.inputs;
  EXPECT_TRUE(MakePatch(make));
  ASSERT_TRUE(WriteWholeFile(In("own/1.jsonl"), lines + lines));
  EXPECT_FALSE(MakePatch(make));
}

// --out never falls onto a file of the run.
TEST_F(Repair, WritesNothingIntoTheRun) {
  PatchMakeOptions make;
  make.run = In("run");
  make.overwrite = true;
  for (const char* name : {"run/pairs.jsonl", "run/new", "run"}) {
    make.out = In(name);
    const auto refused = MakePatch(make);
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
    EXPECT_THAT(refused.error().message, HasSubstr("stands in the run"));
  }
}

TEST_F(Repair, APipeIsNoCopy) {
  ASSERT_EQ(::mkfifo(In("pipe").c_str(), 0600), 0);
  const auto refused = ApplyPatch(Applying("pipe"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_THAT(refused.error().message, HasSubstr("a pipe cannot be read"));
  DedupOptions run;
  run.input.inputs = {In("pipe")};
  run.out = In("pipe-run");
  run.write = In("pipe-clean");
  EXPECT_THAT(Dedup(run).error().message, HasSubstr("read twice"));
}

// Somebody who writes a patch cannot make both of two copies go.
TEST_F(Repair, WhatGoesIsForTheSakeOfWhatStays) {
  auto reader = PatchReader::Open(In("p"), 1 << 20);
  ASSERT_TRUE(reader);
  std::vector<PatchEntry> entries;
  PatchEntry entry;
  while (*reader->Next(&entry)) entries.push_back(entry);
  std::vector<size_t> drops;
  for (size_t i = 0; i < entries.size(); ++i)
    if (entries[i].kind == PatchKind::kDrop) drops.push_back(i);
  ASSERT_GT(drops.size(), 2u);
  for (const auto& [of, to] :
       {std::pair{drops[0], drops[0]}, {drops[0], drops[1]}}) {
    std::vector<PatchEntry> forged = entries;
    forged[of].link = to;
    auto writer = PatchWriter::Create(In("forged"), reader->head());
    ASSERT_TRUE(writer);
    for (const PatchInput& input : reader->inputs())
      ASSERT_TRUE(writer->AddInput(input));
    for (const PatchEntry& each : forged) ASSERT_TRUE(writer->AddEntry(each));
    ASSERT_TRUE(writer->Finish(nullptr));
    PatchApplyOptions options = Applying("c");
    options.patch = In("forged");
    options.write = In("repaired-by-forged");
    const auto result = ApplyPatch(options);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(result.error().message, HasSubstr("goes too"));
    EXPECT_FALSE(FileExists(In("repaired-by-forged")));
  }
}

TEST_F(Repair, OnlyTheTrustedKeyIsTrusted) {
  ASSERT_TRUE(WriteWholeFile(In("pub.pem"), kPublicKey));
  ASSERT_TRUE(WriteWholeFile(In("other.pem"), kOtherPublicKey));
  PatchApplyOptions options = Applying("c");
  options.out = In("trusted");
  options.write.clear();
  options.trusted_key = In("other.pem");
  const auto refused = ApplyPatch(options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(refused.error().message, HasSubstr("another key"));
  EXPECT_FALSE(FileExists(In("trusted")));
  options.trusted_key = In("pub.pem");
  const auto result = ApplyPatch(options);
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_EQ(result->signed_by,
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
}

}  // namespace
}  // namespace twinset
