// Building engines from documents (docs/methods/engines.md).
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/narrow_modes.h"
#include "base/stop.h"
#include "core/field_list.h"
#include "documents/field_text.h"
#include "documents/page_text.h"
#include "documents/result_places.h"
#include "documents/side_check.h"
#include "engine/anchor_texts.h"
#include "engine/engine_biases.h"
#include "engine/engine_builder.h"
#include "engine/engine_folder.h"
#include "engine/open_engine.h"
#include "engine/sqlite_engine.h"
#include "report/kept_page.h"
#include "twinset/inspect.h"
#include "twinset/json.h"
#include "twinset/measure/engine.h"
#include "twinset/plain_words.h"
#include "twinset/version.h"

namespace twinset {

namespace {

namespace fs = std::filesystem;

constexpr char kStaged[] = ".work";
constexpr uint32_t kBuildTimeoutMs = 600000;  // of programs, for one document

// Removes the unfinished engine when a build ends, however it ends.
class StagedFolder {
 public:
  explicit StagedFolder(std::string path) : path_(std::move(path)) {}
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;
  ~StagedFolder() { (void)RemoveTree(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string WithoutSlash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

Result<ResultFolder> OpenOut(const EngineBuildOptions& options) {
  return OpenResultFolder(OutRequest("engine build", options),
                          options.input.inputs);
}

Status CheckOptions(const EngineBuildOptions& options) {
  if (options.out.empty()) {
    return Fail(ErrorCode::kUsage, "no folder for the engine is given", {},
                "add --out DIR");
  }
  TWINSET_TRY(CheckIndexBiases(options.index));
  TWINSET_TRY(CheckAnswerBiases(options.answers));
  const bool postgres = options.type == EngineType::kPostgres;
  if (postgres && options.database.empty()) {
    return Fail(ErrorCode::kUsage, "no database is given", {},
                "add --database postgresql://HOST/NAME");
  }
  if (!postgres && !options.database.empty()) {
    return Fail(ErrorCode::kUsage, "only postgres has a database", {},
                "add --type postgres, or leave out --database");
  }
  const bool ranked =
      options.rank != EngineRank::kBm25 || !options.rank_field.empty();
  if (options.type != EngineType::kSqlite && ranked) {
    return Fail(
        ErrorCode::kUsage,
        std::string(ChoiceName(options.type)) + " ranks by its own rules", {},
        "leave out --rank");
  }
  return {};
}

// As engine.json and the file of SQLite say it.
std::string RankText(const EngineBuildOptions& options) {
  return options.rank_field.empty() ? std::string(ChoiceName(options.rank))
                                    : "field:" + options.rank_field;
}

// The fields that are read of each row: kept ones first, each once.
std::vector<std::string> FieldNames(const EngineBuildOptions& options) {
  std::vector<std::string> names = options.keep_fields;
  for (const std::string& condition : options.index.drop_fields)
    names.push_back(condition.substr(0, condition.find('=')));
  if (!options.rank_field.empty()) names.push_back(options.rank_field);
  std::vector<std::string> distinct;
  for (std::string& name : names) {
    if (std::find(distinct.begin(), distinct.end(), name) == distinct.end())
      distinct.push_back(std::move(name));
  }
  return distinct;
}

EngineDocument ToEngineDocument(const DocumentText& text,
                                const FieldValues& fields) {
  EngineDocument document;
  EnginePage& page = document.page;
  page.url = text.url.empty() ? text.id : text.url;
  page.text = text.text;
  page.title = text.title;
  page.date = text.date;
  page.language = text.language;
  for (const auto& [name, value] : fields) {
    if (value.empty()) continue;
    // What is no number or truth value was a text.
    const bool json = !Json::Parse(value).is_discarded();
    page.fields.emplace_back(name, json ? value : Json(value).dump());
  }
  document.tokens = text.tokens;
  return document;
}

// One build from its first document to its last.
class Build {
 public:
  Build(const EngineBuildOptions& options, std::string part)
      : options_(options), part_(std::move(part)), filter_(options.index) {}

  Status Run();
  Result<EngineDescription> Describe() const;
  const EngineBuildCounts& counts() const { return counts_; }

 private:
  Status Begin();
  Status AddDocument(const DocumentText& text, const FieldValues& fields);
  Status AddAnchors();
  Result<bool> Store(const EngineDocument& document);
  void CountRefused(IndexFilter::Verdict verdict);
  Json Configuration() const;

  const EngineBuildOptions& options_;
  std::string part_;
  IndexFilter filter_;
  EngineBuildCounts counts_;
  std::unique_ptr<EngineBuilder> builder_;
  std::unique_ptr<AnchorTexts> anchors_;
  Hasher64 content_;  // of all that was stored
};

Json Build::Configuration() const {
  Json configuration = Json::object();
  if (options_.type == EngineType::kPostgres) {
    configuration["database"] = options_.database;
    configuration["table"] = options_.name;
  }
  return configuration;
}

Status Build::Begin() {
  if (options_.index.anchors) {
    TWINSET_ASSIGN(anchors_, AnchorTexts::Create(part_ + "/anchors.tmp"));
  }
  if (options_.type == EngineType::kSqlite) {
    TWINSET_ASSIGN(builder_, CreateSqliteEngine(part_ + "/" + kIndexFile,
                                                {RankText(options_)}));
    return {};
  }
  EngineDescription description;
  description.path = part_ + "/" + kEngineFile;
  description.type = ChoiceName(options_.type);
  description.name = options_.name;
  description.json["configuration"] = Configuration();
  if (options_.type == EngineType::kPostgres)
    description.json["configuration"]["overwrite"] = options_.overwrite;
  // The user named the server in this very command.
  TWINSET_ASSIGN(PipeEngineOptions program,
                 PipeOptionsOf(description, {"0.0.0.0/0", "::/0"}));
  program.timeout_ms = kBuildTimeoutMs;
  TWINSET_ASSIGN(builder_, OpenPipeBuilder(program));
  return {};
}

Status Build::Run() {
  TWINSET_TRY(Begin());
  TextDetails details;
  details.tokens = true;
  details.language = true;
  details.facts = options_.index.anchors;
  Status status;
  bool stopped = false;
  TWINSET_ASSIGN(SideCounter counter, SideCounter::Make("", options_.input));
  TWINSET_TRY(ForEachTextWithFields(
      options_.input, options_.features, details, FieldNames(options_),
      [&](const DocumentText& text, const FieldValues& fields) {
        stopped = options_.stop != nullptr && *options_.stop;
        counter.Document(text.source, /*is_wordless=*/false);
        if (!stopped) status = AddDocument(text, fields);
        return !stopped && status.has_value();
      },
      counter.Counting([this](const RejectedRecord& record) {
        counts_.quarantined += record.quarantined;
      })));
  TWINSET_TRY(status);
  if (!stopped) TWINSET_TRY(CheckSide(counter.Whole("the input")));
  counts_.warnings = counter.Warnings();
  if (!stopped && anchors_ != nullptr) TWINSET_TRY(AddAnchors());
  stopped = stopped || (options_.stop != nullptr && *options_.stop);
  if (stopped) return Fail(ErrorCode::kInterrupted, "interrupted");
  anchors_.reset();
  TWINSET_TRY(builder_->Finish());
  builder_.reset();
  return {};
}

Status Build::AddDocument(const DocumentText& text, const FieldValues& fields) {
  ++counts_.read;
  if (options_.on_progress && counts_.read % 64 == 0) {
    Progress progress;
    progress.stage = "indexing";
    progress.done = counts_.read;
    options_.on_progress(progress);
  }
  EngineDocument document = ToEngineDocument(text, fields);
  const IndexFilter::Verdict verdict = filter_.Judge(&document);
  CountRefused(verdict);
  // A page that is not taken for its kind must not come back by its links.
  if (anchors_ != nullptr &&
      (verdict == IndexFilter::kTaken || verdict == IndexFilter::kDropped)) {
    TWINSET_TRY(anchors_->AddKnown(document.page.url));
  }
  if (verdict != IndexFilter::kTaken) return {};
  TWINSET_ASSIGN(const bool stored, Store(document));
  if (!stored) ++counts_.duplicates;
  return stored && anchors_ != nullptr ? anchors_->AddLinks(text) : Status();
}

Status Build::AddAnchors() {
  TWINSET_ASSIGN(const TextReader reader, TextReader::Make(options_.features));
  return anchors_->ForEach(
      [&](const std::string& url, const std::string& text) -> Status {
        EngineDocument document;
        document.page.url = url;
        document.page.text = text;
        document.page.language = "und";
        document.page.fields = {{"anchors_only", "true"}};
        document.tokens = reader.Tokens(text);
        const IndexFilter::Verdict verdict = filter_.JudgeUnfetched(&document);
        CountRefused(verdict);
        if (verdict != IndexFilter::kTaken) return {};
        TWINSET_ASSIGN(const bool stored, Store(document));
        counts_.anchors += stored;
        return {};
      });
}

Result<bool> Build::Store(const EngineDocument& document) {
  TWINSET_ASSIGN(const bool stored, builder_->Add(document));
  if (!stored) return false;
  ++counts_.documents;
  filter_.Count(document.page.url);
  std::string bytes;
  AppendSized(&bytes, document.page.url);
  AppendSized(&bytes, document.page.text);
  for (const auto& [name, value] : document.page.fields) {
    AppendSized(&bytes, name);
    AppendSized(&bytes, value);
  }
  AppendLE<uint64_t>(&bytes, document.tokens.size());
  content_.Update(bytes);
  return true;
}

void Build::CountRefused(IndexFilter::Verdict verdict) {
  counts_.dropped += verdict == IndexFilter::kDropped;
  counts_.too_deep += verdict == IndexFilter::kTooDeep;
  counts_.beyond_share += verdict == IndexFilter::kBeyondShare;
  counts_.beyond_host_cap += verdict == IndexFilter::kBeyondHostCap;
}

Result<EngineDescription> Build::Describe() const {
  const FeatureOptions& features = options_.features;
  Json json = {{"magic", "twinset-engine"},
               {"version", 1},
               {"spec", kSpecNumber},
               {"name", options_.name},
               {"type", options_.type}};
  json["parameters"] = {{"rank", RankText(options_)},
                        {"tokens", features.tokens},
                        {"content", features.content},
                        {"fields", options_.keep_fields}};
  if (options_.type != EngineType::kSqlite) json["parameters"].erase("rank");
  json["biases"] = {{"index", IndexBiasesJson(options_.index)},
                    {"answers", AnswerBiasesJson(options_.answers)}};
  json["documents"] = counts_.documents;
  json["content"] = ToHex(content_.Digest());
  if (options_.type == EngineType::kSqlite) {
    TWINSET_ASSIGN(const auto file, HashFile(part_ + "/" + kIndexFile));
    json["file"] = {{"name", kIndexFile},
                    {"bytes", file.bytes},
                    {"hash", ToHex(file.hash)}};
  } else {
    json["configuration"] = Configuration();
  }
  return ParseEngineJson(SealedEngineJson(std::move(json)),
                         part_ + "/" + kEngineFile);
}

Status Rename(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0)
    return tl::unexpected(IoError("rename", from, errno));
  return {};
}

// SQLite and Xapian make their files by themselves, for everybody to read.
Status NarrowFiles(const std::string& folder) {
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end;
       !error && it != end; it.increment(error)) {
    const std::string path = it->path().string();
    struct stat info;
    if (::lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    if (::chmod(path.c_str(), NarrowMode(path, info.st_mode & 0777)) != 0)
      return tl::unexpected(IoError("set the mode of", path, errno));
  }
  if (error) return tl::unexpected(IoError("list", folder, error.value()));
  return {};
}

// What was built takes the place of what was there; the description last.
Status Install(const std::string& staged, ResultFolder* folder) {
  TWINSET_TRY(NarrowFiles(staged));
  TWINSET_TRY(
      folder->Begin({kEngineFile, kIndexFile}, {kStaged, kXapianFolder}));
  for (const char* name : {kIndexFile, kXapianFolder, kEngineFile}) {
    const std::string from = staged + "/" + name;
    if (FileExists(from))
      TWINSET_TRY(Rename(from, folder->path() + "/" + name));
  }
  return SyncDirectory(folder->path());
}

KeptPage PageOf(const EngineBuildCounts& counts) {
  KeptPage page("engine", "An engine");
  page.Add(html::Lead{
      "The engine has " + CountText(counts.documents, "document") + ", of " +
          NumberText(counts.read) + " read.",
      "Next: twinset engine query " + NameText(counts.engine) + " WORD..."});
  html::KeyValues rest;
  for (const auto& [name, count] :
       {std::pair{"pages known by links only", counts.anchors},
        std::pair{"left out: the address was there", counts.duplicates},
        std::pair{"left out by --drop-fields", counts.dropped},
        std::pair{"left out by --max-depth", counts.too_deep},
        std::pair{"left out by --share", counts.beyond_share},
        std::pair{"left out by --host-cap", counts.beyond_host_cap}})
    if (count > 0) rest.rows.emplace_back(name, html::Cell::Count(count));
  page.Add(std::move(rest));
  return page;
}

}  // namespace

Result<EngineBuildCounts> v1::BuildEngine(const EngineBuildOptions& given) try {
  EngineBuildOptions options = given;
  options.out = WithoutSlash(options.out);
  if (options.name.empty()) options.name = fs::path(options.out).filename();
  TWINSET_TRY(CheckOptions(options));
  TWINSET_ASSIGN(ResultFolder folder, OpenOut(options));
  TWINSET_TRY(folder.Stage(kStaged));
  const StagedFolder staged(folder.path() + "/" + kStaged);
  Build build(options, staged.path());
  TWINSET_TRY(build.Run());
  TWINSET_ASSIGN(const auto description, build.Describe());
  TWINSET_TRY(WriteWholeFile(description.path, description.Bytes()));
  TWINSET_TRY(Install(staged.path(), &folder));
  EngineBuildCounts counts = build.counts();
  counts.checksum = description.checksum;
  counts.engine = given.out;
  counts.page = ResultPage(PageOf(counts));
  return counts;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Json v1::SummaryJson(const EngineBuildCounts& counts) {
  return FieldsToJson(counts);
}

}  // namespace twinset
