// twinset serve: a live index over HTTP.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <utility>

#include "cli/commands.h"
#include "cli/commands/server/serve_signals.h"
#include "cli/flags/flag_setters.h"
#include "cli/output.h"
#include "server/http_front.h"
#include "server/server.h"
#include "twinset/index.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kServeName = "serve";

struct ServeAsked {
  std::string listen = "127.0.0.1:7411";
  std::string read_tokens, write_tokens, access_log, snapshots;
  std::vector<std::string> hosts;
  uint64_t max_body = 16 << 20;
  int timeout = 30, connections = 256, waiting = 128;
  bool read_only = false;
  Durability durability = Durability::kSynced;
};

// A file that is there and holds something else than rows of a log. A pipe or a
// device holds nothing.
bool IsForeign(const std::string& path) {
  constexpr std::string_view kBegin = "{\"time\":";
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string begin(kBegin.size(), '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<size_t>(file.gcount()));
  return !begin.empty() && begin != kBegin;
}

// Lines that many threads write to a file, which may be moved away meanwhile.
class LineFile {
 public:
  explicit LineFile(std::string path) : path_(std::move(path)) {}
  LineFile(const LineFile&) = delete;
  ~LineFile() { Close(); }

  Status Open() {
    const std::lock_guard lock(mutex_);
    Close();
    if (path_ != "-" && IsForeign(path_))
      return Fail(ErrorCode::kUsage, "the file is no access log", path_,
                  "name another: lines are added to what is there");
    file_ = path_ == "-"
                ? STDOUT_FILENO
                : ::open(path_.c_str(),
                         O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
    if (file_ >= 0) return {};
    return Fail(ErrorCode::kIo, std::strerror(errno), path_);
  }
  void Write(const std::string& line) {
    const std::lock_guard lock(mutex_);
    if (file_ >= 0) (void)!::write(file_, line.data(), line.size());
  }

 private:
  void Close() {
    if (file_ > STDOUT_FILENO) ::close(file_);
    file_ = -1;
  }

  const std::string path_;
  std::mutex mutex_;
  int file_ = -1;
};

Result<server::Listener> OpenListener(const ServeAsked& asked) {
  auto inherited = server::Listener::Inherited();
  if (inherited || inherited.error().code != ErrorCode::kNotFound)
    return inherited;
  return server::Listener::Open(asked.listen);
}

Result<server::GuardOptions> GuardOf(const ServeAsked& asked,
                                     const server::Listener& listener) {
  server::GuardOptions options;
  options.hosts = asked.hosts;
  options.hosts.push_back(listener.address());
  if (!asked.read_tokens.empty()) {
    TWINSET_ASSIGN(options.read_tokens, server::ReadTokens(asked.read_tokens));
  }
  if (!asked.write_tokens.empty()) {
    TWINSET_ASSIGN(options.write_tokens,
                   server::ReadTokens(asked.write_tokens));
  }
  if (!listener.is_local() &&
      (options.read_tokens.empty() || options.write_tokens.empty())) {
    return Fail(ErrorCode::kUsage,
                "others reach " + listener.address() +
                    ", and without tokens they could read and write the index",
                {},
                "give --read-token-file and --write-token-file, or listen on "
                "127.0.0.1 behind a proxy");
  }
  return options;
}

Result<server::ServiceOptions> ServiceOf(const Request& request,
                                         const server::Listener& listener) {
  const ServeAsked& asked = request.Of<ServeAsked>();
  server::ServiceOptions options;
  TWINSET_ASSIGN(options.guard, GuardOf(asked, listener));
  options.max_body = asked.max_body;
  const uint64_t memory = request.options.resources.memory_bytes;
  options.held_bytes =
      std::max(asked.max_body, memory > 0 ? memory / 4 : 256 << 20);
  // Those that wait for the disk are at work too, and are synced together.
  const auto threads =
      static_cast<uint64_t>(std::max(request.options.resources.threads, 0));
  options.at_work = threads > 0 ? threads : 16;
  options.waiting = static_cast<uint64_t>(asked.waiting);
  options.read_only = asked.read_only;
  options.snapshots = asked.snapshots;
  std::error_code error;
  if (!asked.snapshots.empty() &&
      !std::filesystem::is_directory(asked.snapshots, error))
    return Fail(ErrorCode::kUsage, "there is no such folder", asked.snapshots,
                "make it: --snapshots names a folder that is there");
  return options;
}

Result<std::unique_ptr<Index>> OpenServed(const Request& request) {
  const ServeAsked& asked = request.Of<ServeAsked>();
  IndexOpenOptions options;
  options.read_only = asked.read_only;
  options.durability = asked.durability;
  options.threads = request.options.resources.threads;
  options.memory_bytes = request.options.resources.memory_bytes;
  TWINSET_ASSIGN(auto index, Index::Open(request.operands[0], options));
  for (const std::string& repair : index->Stats().repairs)
    Tell(kServeName, repair);
  return index;
}

// Serves until a signal comes.
Status Serve(const Request& request, Index* index, server::Listener listener,
             LineFile* log) {
  const ServeAsked& asked = request.Of<ServeAsked>();
  TWINSET_ASSIGN(server::ServiceOptions options, ServiceOf(request, listener));
  if (!asked.access_log.empty()) {
    TWINSET_TRY(log->Open());
    options.access_log = [log](const std::string& line) { log->Write(line); };
  }
  std::atomic<uint64_t> connections = 0;
  options.connections = [&connections] { return connections.load(); };
  const std::string address = listener.address();
  server::Server answers(index, std::move(options));
  ServeSignals signals;
  TWINSET_ASSIGN(const auto front,
                 server::HttpFront::Start(
                     std::move(listener), &answers,
                     {asked.connections, static_cast<double>(asked.timeout)}));
  if (!request.quiet)
    Tell(kServeName, "http://" + address + "/ answers for " +
                         CountText(index->Stats().documents, "document"));
  while (!signals.Wait()) {
    front->Sweep();
    connections = front->connections();
    if (!signals.Reopens() || asked.access_log.empty()) continue;
    if (const Status opened = log->Open(); !opened)
      TellError(kServeName, opened.error());
  }
  if (!request.quiet) Tell(kServeName, "ends: what has begun is answered");
  return {};
}

int RunServe(const Request& request) {
  if (request.operands.size() != 1) {
    return TellError(
        kServeName,
        {ErrorCode::kUsage, "it serves one index", {}, "twinset serve INDEX"});
  }
  const ServeAsked& asked = request.Of<ServeAsked>();
  auto listener = OpenListener(asked);
  if (!listener) return TellError(kServeName, listener.error());
  auto index = OpenServed(request);
  if (!index) return TellError(kServeName, index.error());
  LineFile log(asked.access_log);
  const Status served =
      Serve(request, index->get(), std::move(*listener), &log);
  const Status closed = (*index)->Close();
  if (!served) return TellError(kServeName, served.error());
  return closed ? kExitDone : TellError(kServeName, closed.error());
}

std::vector<Flag> ServeFlags() {
  return {
      {.name = "--listen",
       .value = "ADDRESS:PORT",
       .help = "where to listen; port 0 is any that is free",
       .long_help = "A socket that a service manager hands over (socket "
                    "activation) is used instead.",
       .default_text = "127.0.0.1:7411",
       .set = SetText<&ServeAsked::listen>},
      {.name = "--read-token-file",
       .value = "FILE",
       .help = "who asks needs one of these tokens",
       .long_help = "One a line, at least 16 characters, in a file that its "
                    "owner alone may read. Both files are needed to listen "
                    "where other machines reach it.",
       .kind = ValueKind::kFile,
       .set = SetText<&ServeAsked::read_tokens>},
      {.name = "--write-token-file",
       .value = "FILE",
       .help = "who adds and removes needs one of these tokens",
       .kind = ValueKind::kFile,
       .set = SetText<&ServeAsked::write_tokens>},
      {.name = "--host",
       .value = "NAME",
       .help = "a name by which clients call the server",
       .long_help = "Requests for other names, and changes that pages of "
                    "other servers ask for, are refused. localhost and the "
                    "address it listens on need not be named.",
       .list = true,
       .set = SetTextList<&ServeAsked::hosts>},
      {.name = "--read-only",
       .help = "only answer: the index as it is now, which another process may "
               "write to",
       .set = SetSwitch<&ServeAsked::read_only>},
      {.name = "--durability",
       .value = "WHEN",
       .help = "when an addition is acknowledged: synced or relaxed",
       .long_help = "synced: it is on the disk. relaxed: the system has it; a "
                    "loss of power may take what came since the last run of "
                    "postings was written.",
       .default_text = "synced",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<Durability>(),
       .set = SetPick<&ServeAsked::durability>},
      {.name = "--snapshots",
       .value = "DIR",
       .help = "the folder below which POST /v1/snapshots makes them",
       .kind = ValueKind::kFolder,
       .set = SetText<&ServeAsked::snapshots>},
      {.name = "--access-log",
       .value = "FILE",
       .help = "a JSON line for each request; -: standard output",
       .long_help = "SIGHUP opens it anew.",
       .kind = ValueKind::kFile,
       .set = SetText<&ServeAsked::access_log>},
      {.name = "--max-body",
       .value = "SIZE",
       .help = "the largest document, as 16M",
       .default_text = "16M",
       .set = SetSize<&ServeAsked::max_body>},
      {.name = "--timeout",
       .value = "SECONDS",
       .help = "for a request to arrive, and for what has begun at the end",
       .long_help = "A client that sends less is told so (408), one that sends "
                    "nothing is let go. A stream of many documents may take "
                    "longer, but not be silent longer.",
       .default_text = "30",
       .set = SetInt<1, 86400, &ServeAsked::timeout>},
      {.name = "--connections",
       .value = "N",
       .help = "at most so many; others are told to come again (503)",
       .default_text = "256",
       .set = SetInt<1, 10000, &ServeAsked::connections>},
      {.name = "--queue",
       .value = "N",
       .help = "requests that wait; others are told to come again (503)",
       .default_text = "128",
       .set = SetInt<1, 10000, &ServeAsked::waiting>}};
}

Command ServeCommand() {
  return {
      .name = kServeName,
      .group = CommandGroup::kEveryday,
      .operands = "INDEX",
      .help = "a live index over HTTP, with a page for people",
      .long_help =
          "Answers whether documents have been seen and stores them (POST "
          "/v1/check, /v1/check-and-add, /v1/query), tells what is stored "
          "(/v1/documents/ID, /v1/explain, /v1/stats, /metrics) and has a page "
          "at /. /openapi.json describes all of it. It is the one process that "
          "writes to the index; its clients write at the same time. SIGTERM "
          "and Ctrl-C end it when what has begun is answered.\n\n"
          "docs/server.md tells how to run it.",
      .examples = {{"twinset serve pages.index",
                    "for programs of this machine"},
                   {"twinset serve pages.index --listen :7411 "
                    "--read-token-file r --write-token-file w",
                    "for other machines"}},
      .everyday = {"--listen", "--read-token-file", "--write-token-file",
                   "--host", "--read-only", "--snapshots", "--access-log",
                   "--max-body", "--quiet"},
      .shared = {"--threads", "--memory"},
      .texts = {{.name = "--threads",
                 .help = "requests at work at a time, and threads of one that "
                         "adds many",
                 .default_text = "(16, and all)"},
                {.name = "--memory",
                 .help = "memory budget of the index, as 8G; a quarter more is "
                         "for bodies of requests",
                 .default_text = "(60 % of what is available, at most 1G)"}},
      .flags = ServeFlags(),
      .refusals = {kNoWorkFiles,
                   kDrawsNothing,
                   {{"--overwrite", "--resume", "--out"},
                    "it writes to its index alone"},
                   {{"--json", "--format"}, "its answers are JSON"},
                   {{"--strict"}, "each request is answered by itself"}},
      .run = RunServe};
}

}  // namespace

const Registration kServe(ServeCommand);

}  // namespace twinset::cli
