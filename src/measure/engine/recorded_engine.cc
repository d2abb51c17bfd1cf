#include <string>
#include <unordered_map>
#include <utility>

#include "engine/answer_json.h"
#include "engine/answer_log.h"

namespace twinset {

namespace {

class RecordedEngine : public Engine {
 public:
  RecordedEngine(std::unique_ptr<Engine> engine, AnswerLog log)
      : engine_(std::move(engine)), log_(std::move(log)) {}

  EngineInfo Info() const override { return log_.of().info; }

  Result<EngineAnswer> Query(const EngineQuery& query) override {
    return Ask<EngineAnswer>(
        QuestionText(query), ParseAnswer,
        [&](Engine* engine) { return engine->Query(query); },
        "the query '" + JoinedTerms(query.terms) + "'");
  }

  Result<EnginePage> Fetch(const std::string& url) override {
    return Ask<EnginePage>(
        QuestionText(url), ParsePage,
        [&](Engine* engine) { return engine->Fetch(url); },
        "the page '" + url + "'");
  }

 private:
  template <typename T, typename Parse, typename Live>
  Result<T> Ask(const std::string& question, Parse parse, const Live& live,
                const std::string& what) {
    size_t& n = asked_[question];
    const size_t count = log_.Count(question);
    // The last answer holds for good unless it was that there is none now.
    if (count > 0 && n >= count) {
      Result<T> last = Read<T>(question, count - 1, parse);
      if (last || last.error().code != ErrorCode::kUnavailable) return last;
    } else if (n < count) {
      return Read<T>(question, n++, parse);
    }
    if (engine_ == nullptr) {
      return Fail(ErrorCode::kUnavailable,
                  what + " is not among the recorded answers", log_.path(),
                  "record the study with the same parameters and seed");
    }
    // What comes back is what a replay will read, to the byte.
    const auto answer = live(engine_.get());
    // Not asked: nothing to keep.
    if (!answer && answer.error().code == ErrorCode::kInterrupted)
      return tl::unexpected(answer.error());
    const std::string text = AnswerText(answer);
    TWINSET_TRY(log_.Append(question, text));
    ++n;
    bool broken = false;
    return parse(text, &broken);
  }

  template <typename T, typename Parse>
  Result<T> Read(const std::string& question, size_t n, Parse parse) {
    TWINSET_ASSIGN(const std::string text, log_.Find(question, n));
    bool broken = false;
    Result<T> answer = parse(text, &broken);
    if (broken) answer.error().where = log_.path();
    return answer;
  }

  std::unique_ptr<Engine> engine_;
  AnswerLog log_;
  // How often each question was asked in this session.
  std::unordered_map<std::string, size_t> asked_;
};

}  // namespace

std::unique_ptr<Engine> MakeRecorded(std::unique_ptr<Engine> engine,
                                     AnswerLog log) {
  return std::make_unique<RecordedEngine>(std::move(engine), std::move(log));
}

std::unique_ptr<Engine> MakeReplayed(AnswerLog log) {
  return std::make_unique<RecordedEngine>(nullptr, std::move(log));
}

}  // namespace twinset
