// Questions to a program and its replies, one after the other; a program that
// dies or hangs is started anew for the next question.
#ifndef TWINSET_SRC_MEASURE_ENGINE_PIPE_CLIENT_H_
#define TWINSET_SRC_MEASURE_ENGINE_PIPE_CLIENT_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/process/child_process.h"
#include "engine/engine.h"
#include "engine/pipe_engine.h"
#include "twinset/error.h"
#include "twinset/json.h"

namespace twinset {

// Not thread-safe. Errors name the program.
class PipeClient {
 public:
  // Starts the program and greets it. kIo when it is not there, kUnsupported
  // when it speaks another version.
  static Result<PipeClient> Open(const PipeEngineOptions& options);

  // What it said of itself when it was last greeted.
  const EngineInfo& info() const { return info_; }
  // Sends the line that `request` makes for a number, and gives the reply
  // without error; an error that the program reports is returned as it is. With
  // `body`, also what follows the reply. kUnavailable when the program died,
  // was too slow, or failed kMostFailures questions one after the other;
  // kCorrupt when it wrote something else.
  Result<Json> Ask(const std::function<std::string(uint64_t id)>& request,
                   std::string* body = nullptr, uint64_t max_body_bytes = 0);
  // Ends the program for good.
  void Close();

  static constexpr int kMostFailures = 5;

 private:
  PipeClient() = default;
  Status Greet();
  // One request and its reply; `id` is the number in it.
  Result<Json> Converse(uint64_t id, const std::string& request,
                        std::string* body, uint64_t max_body_bytes);
  // An error of the conversation: the program is dropped.
  Error Drop(Error error);

  PipeEngineOptions options_;
  std::string path_;
  ChildProcess child_;
  EngineInfo info_;
  uint64_t next_id_ = 1;
  int failures_ = 0;  // since the last reply
  bool closed_ = false;
};

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_ENGINE_PIPE_CLIENT_H_
