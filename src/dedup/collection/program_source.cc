#include "collection/program_source.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/file.h"
#include "documents/document_pass.h"

extern char** environ;

namespace twinset {

namespace {

class ProgramSource : public Source {
 public:
  ProgramSource(std::string name, pid_t pid, int output, ReadOptions read)
      : name_(std::move(name)),
        read_(std::move(read)),
        pid_(pid),
        output_(output) {}
  ProgramSource(const ProgramSource&) = delete;
  ~ProgramSource() override {
    reader_.reset();
    ::close(output_);
    if (pid_ > 0) {
      ::kill(pid_, SIGTERM);
      (void)Wait();
    }
  }

  Result<bool> Next(Document* document) override {
    if (reader_ == nullptr) TWINSET_TRY(Open());
    for (;;) {
      TWINSET_ASSIGN(const bool more, reader_->Next(&record_));
      if (!more) break;
      if (record_.kind != RecordKind::kDocument) continue;
      GiveId(name_, &record_.document);
      *document = std::move(record_.document);
      return true;
    }
    if (pid_ <= 0) return false;
    const int status = Wait();
    if (status == 0) return false;
    return Fail(ErrorCode::kIo,
                WIFEXITED(status) ? "the program ended with exit status " +
                                        std::to_string(WEXITSTATUS(status))
                                  : "the program was ended by signal " +
                                        std::to_string(WTERMSIG(status)),
                name_);
  }

 private:
  // Only now: the first bytes are looked at, and may take long.
  Status Open() {
    InputFile file;
    file.path = "/dev/fd/" + std::to_string(output_);
    file.source = file.relative = name_;
    TWINSET_ASSIGN(reader_, OpenRecordReader(file, 0, read_));
    return {};
  }

  // How the program ended, as waitpid says.
  int Wait() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status;
  }

  const std::string name_;
  const ReadOptions read_;
  pid_t pid_;
  const int output_;
  std::unique_ptr<RecordReader> reader_;
  Record record_;
};

}  // namespace

Result<std::unique_ptr<Source>> StartProgram(
    const std::vector<std::string>& command, const ReadOptions& read) {
  if (command.empty()) return Fail(ErrorCode::kUsage, "no program was named");
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return tl::unexpected(IoError("make a pipe for", command[0], errno));
  std::vector<char*> arguments;
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                     O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, arguments[0], &actions, nullptr,
                                   arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (error != 0) {
    ::close(ends[0]);
    return tl::unexpected(IoError("start", command[0], error));
  }
  return std::make_unique<ProgramSource>(command[0], pid, ends[0], read);
}

}  // namespace twinset
