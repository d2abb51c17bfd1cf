// A program run beside this one and spoken to over its standard input and
// output. It can neither hang us nor take us along when it dies.
#ifndef TWINSET_SRC_GROUND_BASE_PROCESS_CHILD_PROCESS_H_
#define TWINSET_SRC_GROUND_BASE_PROCESS_CHILD_PROCESS_H_

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"

namespace twinset {

// The path of a program of ours: `name` itself when it holds a "/", else the
// first of that name in the folder TWINSET_LIBEXEC, beside the running program
// and in ../libexec/twinset from there. PATH is not searched. kIo when there is
// none.
Result<std::string> FindProgram(const std::string& name);
// The first program of that name in a folder of PATH; empty when there is none.
std::string FindOnPath(const std::string& name);

// Not thread-safe. Destroyed it is closed, given a moment to end, killed with
// all it started, and reaped: no zombies. Errors of Write and Read are
// kUnavailable (ended, too slow) and kCorrupt (too long); the conversation is
// then out of step, and only Kill makes sense.
class ChildProcess {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static Time Deadline(uint32_t timeout_ms) {
    return std::chrono::steady_clock::now() +
           std::chrono::milliseconds(timeout_ms);
  }

  // In a process group of its own; inherits the environment and the working
  // folder. kIo when it cannot be started.
  static Result<ChildProcess> Start(const std::string& path,
                                    const std::vector<std::string>& arguments);
  ChildProcess() = default;
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();

  // From now on Write and Read are kInterrupted once it is set; the
  // conversation is then out of step.
  void StopWith(const std::atomic<bool>* stop) { stop_ = stop; }

  bool running() const { return pid_ > 0; }
  pid_t pid() const { return pid_; }

  Status Write(std::string_view bytes, Time deadline);
  // Up to the next line feed, without it. A longer line than `max_bytes` is
  // kCorrupt, found out before more than 64 KB beyond are held.
  Result<std::string> ReadLine(uint64_t max_bytes, Time deadline);
  // Exactly `size` bytes, into *to, whose memory is used again. It grows with
  // what has come, not with what was announced.
  Status ReadBytes(uint64_t size, Time deadline, std::string* to);
  // At once; does nothing when none is running.
  void Kill();

 private:
  // Reads more into buffer_.
  Status Fill(Time deadline);
  // Waits for some bytes, at most `size`.
  Result<size_t> Receive(char* to, size_t size, Time deadline);
  // Waits until the channel is ready for `events`.
  Status Await(short events, Time deadline);
  void DrainMessages();
  // What it died of, and its last words: for an error's message.
  Error Ended();
  void Release();

  pid_t pid_ = -1;
  int channel_ = -1;   // both directions
  int messages_ = -1;  // its standard error
  const std::atomic<bool>* stop_ = nullptr;
  std::string buffer_;
  size_t used_ = 0;         // of buffer_
  std::string last_words_;  // the end of its standard error
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_PROCESS_CHILD_PROCESS_H_
