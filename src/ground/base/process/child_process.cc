#include "base/process/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "base/file.h"
#include "base/stop.h"

extern char** environ;

namespace twinset {

namespace {

constexpr size_t kChunkBytes = 65536;
constexpr uint64_t kTrustedBytes = 16 << 20;  // announced, and not come yet
constexpr size_t kLastWordsBytes = 400;
constexpr int kFarewellMs = 200;

bool IsProgram(const std::string& path) {
  return ::access(path.c_str(), X_OK) == 0 &&
         !std::filesystem::is_directory(path);
}

int LeftMs(ChildProcess::Time deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(
                        deadline - std::chrono::steady_clock::now())
                        .count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, int64_t{3600} * 1000));
}

void CloseAll(std::initializer_list<int> descriptors) {
  for (const int fd : descriptors)
    if (fd >= 0) ::close(fd);
}

// posix_spawn with `channel` as input and output and `messages` as standard
// error; nothing else of ours is open there (all our files close on exec).
int Spawn(const std::string& path, const std::vector<std::string>& arguments,
          int channel, int messages, pid_t* pid) {
  std::vector<char*> words = {const_cast<char*>(path.c_str())};
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, channel, 0);
  posix_spawn_file_actions_adddup2(&actions, channel, 1);
  posix_spawn_file_actions_adddup2(&actions, messages, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP |
                                            POSIX_SPAWN_SETSIGMASK |
                                            POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM})
    sigaddset(&signals, signal);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  const int error = ::posix_spawn(pid, path.c_str(), &actions, &attributes,
                                  words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// True when the process has ended; it is then reaped, and what it left behind
// in its group is killed before the number can be another's.
bool Reap(pid_t pid, int* status) {
  siginfo_t info = {};
  const int result = ::waitid(P_PID, static_cast<id_t>(pid), &info,
                              WEXITED | WNOHANG | WNOWAIT);
  if (result != 0 || info.si_pid != pid) return false;
  ::kill(-pid, SIGKILL);
  return ::waitpid(pid, status, 0) == pid;
}

// The last line, of printable characters.
std::string OneLine(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ')
    text.remove_suffix(1);
  text.remove_prefix(text.rfind('\n') + 1);  // npos + 1 is 0
  std::string line(text);
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ' || c == 127) c = ' ';
  return line;
}

}  // namespace

Result<std::string> FindProgram(const std::string& name) {
  std::vector<std::string> places;
  if (name.find('/') != std::string::npos) {
    places.push_back(name);
  } else {
    if (const char* folder = std::getenv("TWINSET_LIBEXEC"))
      places.push_back(std::string(folder) + "/" + name);
    std::error_code error;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!error) {
      const auto folder = self.parent_path();
      places.push_back(folder / name);
      places.push_back(folder.parent_path() / "libexec/twinset" / name);
    }
  }
  for (const std::string& place : places)
    if (IsProgram(place)) return place;
  return Fail(ErrorCode::kIo, "the program is not installed", name,
              "install it beside twinset, or name its folder in "
              "TWINSET_LIBEXEC");
}

std::string FindOnPath(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(':'), rest.size());
    const std::string place = std::string(rest.substr(0, end)) + "/" + name;
    if (end > 0 && IsProgram(place)) return place;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

Result<ChildProcess> ChildProcess::Start(
    const std::string& path, const std::vector<std::string>& arguments) {
  int channel[2] = {-1, -1}, messages[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0)
    return tl::unexpected(IoError("open a channel to", path, errno));
  if (::pipe2(messages, O_CLOEXEC | O_NONBLOCK) != 0) {
    const int error = errno;
    CloseAll({channel[0], channel[1]});
    return tl::unexpected(IoError("open a channel to", path, error));
  }
  // The writing end is the program's: it may wait.
  ::fcntl(messages[1], F_SETFL, 0);
  pid_t pid = -1;
  const int error = Spawn(path, arguments, channel[1], messages[1], &pid);
  CloseAll({channel[1], messages[1]});
  if (error != 0) {
    CloseAll({channel[0], messages[0]});
    return tl::unexpected(IoError("start", path, error));
  }
  ChildProcess child;
  child.pid_ = pid;
  child.channel_ = channel[0];
  child.messages_ = messages[0];
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept {
  *this = std::move(other);
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this == &other) return *this;
  Kill();
  pid_ = std::exchange(other.pid_, -1);
  channel_ = std::exchange(other.channel_, -1);
  messages_ = std::exchange(other.messages_, -1);
  stop_ = std::exchange(other.stop_, nullptr);
  buffer_ = std::exchange(other.buffer_, {});
  used_ = std::exchange(other.used_, 0);
  last_words_ = std::exchange(other.last_words_, {});
  return *this;
}

ChildProcess::~ChildProcess() {
  if (pid_ <= 0) return;
  // Its input ends: most programs then do too.
  ::shutdown(channel_, SHUT_RDWR);
  for (int waited_ms = 0; waited_ms < kFarewellMs; ++waited_ms) {
    if (Reap(pid_, nullptr)) {
      pid_ = -1;
      Release();
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  Kill();
}

void ChildProcess::Release() {
  CloseAll({channel_, messages_});
  channel_ = messages_ = -1;
  buffer_.clear();
  used_ = 0;
}

void ChildProcess::Kill() {
  if (pid_ > 0) {
    ::kill(-pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
  }
  Release();
}

void ChildProcess::DrainMessages() {
  char chunk[4096];
  while (messages_ >= 0) {
    const ssize_t size = ::read(messages_, chunk, sizeof chunk);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return;  // the pipe is empty; the program still has it open
    if (size == 0) {
      ::close(messages_);
      messages_ = -1;
      return;
    }
    last_words_.append(chunk, static_cast<size_t>(size));
    if (last_words_.size() > kLastWordsBytes)
      last_words_.erase(0, last_words_.size() - kLastWordsBytes);
  }
}

Error ChildProcess::Ended() {
  DrainMessages();
  std::string how = "closed its output";
  int status = 0;
  for (int waited_ms = 0; pid_ > 0 && waited_ms < kFarewellMs; ++waited_ms) {
    if (Reap(pid_, &status)) {
      pid_ = -1;
      how = WIFSIGNALED(status)
                ? "was ended by signal " + std::to_string(WTERMSIG(status))
                : "ended with exit code " + std::to_string(WEXITSTATUS(status));
      DrainMessages();
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const std::string words = OneLine(last_words_);
  return {ErrorCode::kUnavailable,
          "the program " + how + (words.empty() ? "" : ": " + words)};
}

Status ChildProcess::Await(short events, Time deadline) {
  constexpr int kLookMs = 100;  // how often the flag is looked at
  while (true) {
    TWINSET_TRY(CheckStop(stop_));
    pollfd watched[2] = {{channel_, events, 0}, {messages_, POLLIN, 0}};
    const int left = LeftMs(deadline);
    const int ready =
        ::poll(watched, 2, stop_ == nullptr ? left : std::min(left, kLookMs));
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0)
      return tl::unexpected(IoError("wait for", "a program", errno));
    if (watched[1].revents != 0) DrainMessages();
    if (watched[0].revents != 0) return {};
    // Not from `ready` alone: what it writes to its standard error is no
    // answer.
    if (LeftMs(deadline) == 0) {
      return Fail(ErrorCode::kUnavailable,
                  "the program did not answer in time");
    }
  }
}

Status ChildProcess::Write(std::string_view bytes, Time deadline) {
  while (!bytes.empty()) {
    if (channel_ < 0)
      return Fail(ErrorCode::kUnavailable, "the program is not running");
    const ssize_t size = ::send(channel_, bytes.data(), bytes.size(),
                                MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size >= 0) {
      bytes.remove_prefix(static_cast<size_t>(size));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      TWINSET_TRY(Await(POLLOUT, deadline));
    } else if (errno == EPIPE || errno == ECONNRESET) {
      return tl::unexpected(Ended());
    } else if (errno != EINTR) {
      return tl::unexpected(IoError("write to", "a program", errno));
    }
  }
  return {};
}

Status ChildProcess::Fill(Time deadline) {
  if (channel_ < 0)
    return Fail(ErrorCode::kUnavailable, "the program is not running");
  if (used_ > 0) {
    buffer_.erase(0, used_);
    used_ = 0;
  }
  const size_t before = buffer_.size();
  buffer_.resize(before + kChunkBytes);
  const auto size = Receive(buffer_.data() + before, kChunkBytes, deadline);
  if (!size) return tl::unexpected(size.error());
  buffer_.resize(before + *size);
  return {};
}

Result<size_t> ChildProcess::Receive(char* to, size_t size, Time deadline) {
  while (true) {
    TWINSET_TRY(Await(POLLIN, deadline));
    const ssize_t got = ::recv(channel_, to, size, MSG_DONTWAIT);
    if (got > 0) return static_cast<size_t>(got);
    if (got == 0 || errno == ECONNRESET) return tl::unexpected(Ended());
    if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)
      return tl::unexpected(IoError("read from", "a program", errno));
  }
}

Result<std::string> ChildProcess::ReadLine(uint64_t max_bytes, Time deadline) {
  size_t searched = used_;
  while (true) {
    const size_t end = buffer_.find('\n', searched);
    const size_t size =
        (end == std::string::npos ? buffer_.size() : end) - used_;
    if (size > max_bytes) {
      return Fail(ErrorCode::kCorrupt,
                  "the program wrote a line of more than " +
                      std::to_string(max_bytes) + " bytes");
    }
    if (end != std::string::npos) {
      std::string line = buffer_.substr(used_, size);
      used_ = end + 1;
      return line;
    }
    searched = size;  // Fill moves the rest to the front
    TWINSET_TRY(Fill(deadline));
  }
}

Status ChildProcess::ReadBytes(uint64_t size, Time deadline, std::string* to) {
  if (channel_ < 0)
    return Fail(ErrorCode::kUnavailable, "the program is not running");
  size_t got = std::min<uint64_t>(size, buffer_.size() - used_);
  to->resize(std::min<uint64_t>(
      size, std::max<uint64_t>({to->size(), got, kTrustedBytes})));
  std::memcpy(to->data(), buffer_.data() + used_, got);
  used_ += got;
  while (got < size) {
    if (got == to->size()) to->resize(std::min<uint64_t>(size, 2 * got));
    TWINSET_ASSIGN(const size_t more,
                   Receive(to->data() + got, to->size() - got, deadline));
    got += more;
  }
  return {};
}

}  // namespace twinset
