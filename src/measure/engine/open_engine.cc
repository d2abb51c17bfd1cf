#include "engine/open_engine.h"

#include <utility>
#include <vector>

#include "base/file.h"
#include "engine/answer_log.h"
#include "engine/biased_engine.h"
#include "engine/engine_biases.h"
#include "engine/http_engine.h"
#include "engine/sqlite_engine.h"
#include "twinset/json.h"

namespace twinset {

namespace {

std::string ParametersText(const AnswerBiases& answers) {
  return Json{{"answers", AnswerBiasesJson(answers)}}.dump();
}

// Ends with kInterrupted when the budget is used up. Stands below the recording
// of answers, so that those cost nothing.
class LimitedEngine : public Engine {
 public:
  LimitedEngine(std::unique_ptr<Engine> inner,
                std::shared_ptr<RequestBudget> budget, uint64_t all)
      : inner_(std::move(inner)), budget_(std::move(budget)), all_(all) {}
  EngineInfo Info() const override { return inner_->Info(); }
  Result<EngineAnswer> Query(const EngineQuery& query) override {
    TWINSET_TRY(Take());
    return inner_->Query(query);
  }
  Result<EnginePage> Fetch(const std::string& url) override {
    TWINSET_TRY(Take());
    return inner_->Fetch(url);
  }

 private:
  Status Take() {
    if (budget_->left > 0) {
      --budget_->left;
      return {};
    }
    return Fail(ErrorCode::kInterrupted,
                "the " + std::to_string(all_) +
                    " requests of --max-requests are used up",
                "",
                "the same command goes on with as many more: with "
                "--resume, or the same --record");
  }

  std::unique_ptr<Engine> inner_;
  std::shared_ptr<RequestBudget> budget_;
  uint64_t all_;
};

// The time limit of programs for each answer.
constexpr uint32_t kTimeoutMs = 30000;

Result<std::unique_ptr<Engine>> OpenHttp(const EngineDescription& description,
                                         const FetchOptions& fetching) {
  auto http = ParseHttpEngine(description.json);
  if (!http) {
    http.error().where = description.path;
    return tl::unexpected(http.error());
  }
  http->name = description.name;
  http->features = description.features;
  http->http.networks = fetching.networks;
  if (fetching.timeout_ms) {
    http->http.timeout_ms = *fetching.timeout_ms;
  } else if (!description.json.contains("timeout_ms")) {
    http->http.timeout_ms = kTimeoutMs;
  }
  if (fetching.delay_ms) http->politeness.delay_ms = *fetching.delay_ms;
  return OpenHttpEngine(*http);
}

Result<std::unique_ptr<Engine>> OpenInner(const EngineDescription& description,
                                          const FetchOptions& fetching) {
  if (description.type == "sqlite") {
    return OpenSqliteEngine(description.Folder() + "/" + kIndexFile,
                            description.name);
  }
  if (description.type == "http") return OpenHttp(description, fetching);
  TWINSET_ASSIGN(PipeEngineOptions options,
                 PipeOptionsOf(description, fetching.networks));
  if (description.type == "program" && !fetching.allow_programs) {
    return Fail(ErrorCode::kUsage,
                "the engine is a program that would be run: " + options.program,
                description.path,
                "add --allow-programs if you trust the description");
  }
  options.timeout_ms = fetching.timeout_ms.value_or(kTimeoutMs);
  return OpenPipeEngine(options);
}

Result<std::unique_ptr<Engine>> OpenReplay(const std::string& engine,
                                           const OpenEngineOptions& options) {
  TWINSET_ASSIGN(AnswerLog log, AnswerLog::OpenRead(options.replay));
  if (log.of().parameters != ParametersText(options.answers)) {
    return Fail(
        ErrorCode::kUsage,
        "the answers were given under other parameters: " + log.of().parameters,
        options.replay, "give the same ones");
  }
  if (FileExists(engine)) {
    TWINSET_ASSIGN(const auto description, ReadEngineDescription(engine));
    if (description.checksum != log.of().engine) {
      return Fail(ErrorCode::kUsage,
                  "the answers are of another engine: " + log.of().info.name +
                      " (" + log.of().engine + ")",
                  options.replay, "name the engine that they are of");
    }
  }
  return MakeReplayed(std::move(log));
}

}  // namespace

Result<PipeEngineOptions> PipeOptionsOf(
    const EngineDescription& description,
    const std::vector<std::string>& networks) {
  PipeEngineOptions options;
  options.name = description.name;
  const Json& json = description.json;
  if (description.type == "program") {
    const auto command = json.find("command");
    if (command == json.end() || !command->is_array() || command->empty()) {
      return Fail(ErrorCode::kUsage, "the command of the engine is not said",
                  description.path,
                  R"(add "command": ["PROGRAM", "ARGUMENT", ...])");
    }
    for (const Json& part : *command) {
      if (!part.is_string() || part.get<std::string>().empty()) {
        return Fail(ErrorCode::kUsage,
                    "a part of the command is no text or empty",
                    description.path);
      }
      options.arguments.push_back(part.get<std::string>());
    }
    options.program = options.arguments.front();
    options.arguments.erase(options.arguments.begin());
    if (const auto configuration = json.find("configuration");
        configuration != json.end()) {
      options.configuration = configuration->dump();
    }
    return options;
  }
  if (description.type == "xapian" || description.type == "postgres") {
    options.program = "twinset-engine-" + description.type;
    Json configuration = Json::object();
    if (const auto given = json.find("configuration"); given != json.end())
      configuration = *given;
    if (!configuration.is_object()) {
      return Fail(ErrorCode::kUsage, "\"configuration\" is no object",
                  description.path, "make it one, or leave it out");
    }
    // The folder may have moved since it was built.
    if (description.type == "xapian")
      configuration["path"] = description.Folder() + "/" + kXapianFolder;
    if (description.type == "postgres") configuration["networks"] = networks;
    options.configuration = configuration.dump();
    return options;
  }
  return Fail(
      ErrorCode::kUsage, "no engine is of type '" + description.type + "'",
      description.path, "use sqlite, xapian, postgres, http or program");
}

Result<std::unique_ptr<Engine>> OpenEngine(const std::string& engine,
                                           const OpenEngineOptions& options) {
  TWINSET_TRY(CheckAnswerBiases(options.answers));
  if (!options.replay.empty()) {
    if (!options.record.empty()) {
      return Fail(ErrorCode::kUsage, "answers are either recorded or replayed",
                  {}, "give --record or --replay");
    }
    return OpenReplay(engine, options);
  }
  TWINSET_ASSIGN(const auto description, ReadEngineDescription(engine));
  TWINSET_ASSIGN(auto opened, OpenInner(description, options.fetching));
  opened = MakeBiased(std::move(opened), description.answers);
  opened = MakeBiased(std::move(opened), options.answers);
  if (options.fetching.max_requests > 0) {
    auto budget = options.requests;
    if (budget == nullptr) {
      budget = std::make_shared<RequestBudget>();
      budget->left = options.fetching.max_requests;
    }
    opened = std::make_unique<LimitedEngine>(
        std::move(opened), std::move(budget), options.fetching.max_requests);
  }
  if (options.record.empty()) return opened;
  AnswersOf of;
  of.engine = description.checksum;
  of.parameters = ParametersText(options.answers);
  of.info = opened->Info();
  TWINSET_ASSIGN(AnswerLog log, AnswerLog::OpenOrCreate(options.record, of));
  return MakeRecorded(std::move(opened), std::move(log));
}

}  // namespace twinset
