// Every answer of an engine on file, so that a study can go on where it was
// interrupted and can be repeated without the engine (docs/formats/engine.md).
#ifndef TWINSET_SRC_MEASURE_ENGINE_ANSWER_LOG_H_
#define TWINSET_SRC_MEASURE_ENGINE_ANSWER_LOG_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "engine/engine.h"
#include "twinset/error.h"

namespace twinset {

// What the answers are of.
struct AnswersOf {
  std::string engine;      // its checksum
  std::string parameters;  // whatever else decides answers, as JSON
  EngineInfo info;
};

// A file of answers by question. Memory: 40 bytes per answer.
class AnswerLog {
 public:
  // Opens a log to read and add to it, or begins one. A torn last line is cut
  // off. kUsage when it is of another engine or other parameters, kCorrupt for
  // damage.
  static Result<AnswerLog> OpenOrCreate(const std::string& path,
                                        const AnswersOf& of);
  // Only to be read; a torn last line is passed over.
  static Result<AnswerLog> OpenRead(const std::string& path);
  // Returns true iff the file begins as a log does; false for what cannot be
  // read.
  static bool IsLog(const std::string& path);
  // Calls on_answer with every question and its answer in the order of the
  // file; a torn last line is passed over. Errors: those of OpenRead and of
  // on_answer. Memory: a line.
  using OnAnswer =
      std::function<Status(std::string_view question, std::string_view answer)>;
  static Status ForEach(const std::string& path, const OnAnswer& on_answer);

  // `question` is a JSON object, `answer` the members of another as text. The
  // n-th answer to a question, from 0; kNotFound when there is none.
  Result<std::string> Find(const std::string& question, size_t n) const;
  size_t Count(const std::string& question) const;
  Status Append(const std::string& question, const std::string& answer);

  const AnswersOf& of() const { return of_; }
  const std::string& path() const { return file_.path(); }

 private:
  struct KeyHash {
    size_t operator()(const Hash128Value& key) const { return key.low; }
  };
  struct Place {
    uint64_t offset = 0;
    uint32_t bytes = 0;
  };
  AnswerLog() = default;
  Status CheckBegin(const AnswersOf& of);
  // on_answer is told of each answer; null: its place is kept.
  Status ReadLines(bool cut_torn, const OnAnswer* on_answer = nullptr);
  Status ReadLine(std::string_view line, uint64_t offset,
                  const OnAnswer* on_answer);
  Status WriteLine(std::string json);
  std::string Where() const;

  AnswersOf of_;
  File file_;
  std::unordered_map<Hash128Value, std::vector<Place>, KeyHash> places_;
  uint64_t length_ = 0, lines_ = 0, check_ = 0;
};

// `engine` with a log: a question that has an answer in it is not asked, every
// other answer is added. That the engine was unavailable is an answer like the
// others, but the same question asked once more than that is asked again.
std::unique_ptr<Engine> MakeRecorded(std::unique_ptr<Engine> engine,
                                     AnswerLog log);
// A log alone: what is not in it is kUnavailable and says so.
std::unique_ptr<Engine> MakeReplayed(AnswerLog log);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_ENGINE_ANSWER_LOG_H_
