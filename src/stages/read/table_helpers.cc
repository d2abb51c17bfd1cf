#include "read/table_helpers.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "base/process/pipe_reply.h"

namespace twinset {

namespace {

constexpr char kProgram[] = "twinset-tables";
constexpr int kProtocol = 1;
// The libraries behind a helper try again for minutes before they give up.
constexpr uint32_t kTimeoutMs = 15 * 60 * 1000;
constexpr uint64_t kMostLineBytes = 64 << 20;
constexpr uint64_t kMostBodyBytes = uint64_t{1} << 31;

Result<std::string> FindHelper() {
  if (const char* named = std::getenv("TWINSET_TABLES");
      named != nullptr && *named != '\0')
    return std::string(named);
  if (auto beside = FindProgram(kProgram)) return beside;
  std::string found = FindOnPath(kProgram);
  if (!found.empty()) return found;
  return Fail(ErrorCode::kIo,
              "tables and buckets are read by the program twinset-tables, "
              "which is not here",
              "", "install it beside twinset, or name it in TWINSET_TABLES");
}

Result<FileState> StateIn(const Json& object) {
  FileState state;
  state.regular = true;
  TWINSET_ASSIGN(state.size, ReplyNumber(object, "size", uint64_t{1} << 60));
  TWINSET_ASSIGN(const uint64_t mtime_ns,
                 ReplyNumber(object, "mtime_ns", uint64_t{1} << 62));
  state.mtime_ns = static_cast<int64_t>(mtime_ns);
  // Some stores give no entity tag, and then only the time tells of a change.
  const std::string etag = object.value("etag", "");
  state.inode = Hash64(etag.empty() ? std::to_string(mtime_ns) : etag);
  return state;
}

}  // namespace

Result<std::unique_ptr<TableHelper>> TableHelper::Start(
    const std::vector<std::string>& networks) {
  TWINSET_ASSIGN(const std::string path, FindHelper());
  auto helper = std::make_unique<TableHelper>();
  TWINSET_ASSIGN(helper->child_, ChildProcess::Start(path, {}));
  Json request;
  request["op"] = "hello";
  request["protocol"] = kProtocol;
  request["configuration"] = Json::object();
  request["configuration"]["networks"] = networks;
  TWINSET_TRY(helper->Ask(std::move(request), nullptr).map([](const Json&) {}));
  return helper;
}

Error TableHelper::Drop(Error error) {
  child_.Kill();
  if (error.where.empty())
    error.where = path_.empty() ? kProgram : path_ + ": " + kProgram;
  return error;
}

Status TableHelper::Send(Json request, const std::atomic<bool>* stop) {
  request["id"] = ++id_;
  path_ = request.value("path", path_);
  child_.StopWith(stop);
  const Status sent =
      child_.Write(request.dump() + "\n", ChildProcess::Deadline(kTimeoutMs));
  if (!sent) return tl::unexpected(Drop(sent.error()));
  is_waiting_ = true;
  return {};
}

Result<Json> TableHelper::Receive(std::string* body) {
  const auto deadline = ChildProcess::Deadline(kTimeoutMs);
  const auto receive = [&]() -> Result<Json> {
    TWINSET_ASSIGN(const std::string line,
                   child_.ReadLine(kMostLineBytes, deadline));
    TWINSET_ASSIGN(Json reply, ParseReply(line, id_));
    if (body != nullptr && !ReportedError(reply)) {
      TWINSET_ASSIGN(const uint64_t size, BodyBytesOf(reply, kMostBodyBytes));
      TWINSET_TRY(child_.ReadBytes(size, deadline, body));
    }
    return reply;
  };
  auto reply = receive();
  if (!reply) return tl::unexpected(Drop(reply.error()));
  is_waiting_ = false;
  if (auto error = ReportedError(*reply))
    return tl::unexpected(*std::move(error));
  return reply;
}

Result<Json> TableHelper::Ask(Json request, const std::atomic<bool>* stop,
                              std::string* body) {
  TWINSET_TRY(Send(std::move(request), stop));
  return Receive(body);
}

Result<std::unique_ptr<TableHelper>> TableHelpers::Take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto helper = std::move(idle_.back());
      idle_.pop_back();
      return helper;
    }
  }
  auto helper = TableHelper::Start(networks_);
  if (!helper && helper.error().code != ErrorCode::kUsage)
    helper.error().code = ErrorCode::kUnavailable;
  return helper;
}

void TableHelpers::GiveBack(std::unique_ptr<TableHelper> helper) {
  if (!helper->in_step()) return;
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(helper));
}

Result<HeldHelper> HeldHelper::Take(
    const std::shared_ptr<TableHelpers>& helpers) {
  auto from = helpers != nullptr
                  ? helpers
                  : std::make_shared<TableHelpers>(std::vector<std::string>());
  TWINSET_ASSIGN(auto helper, from->Take());
  return HeldHelper(std::move(from), std::move(helper));
}

HeldHelper::~HeldHelper() {
  if (helper_ != nullptr) helpers_->GiveBack(std::move(helper_));
}

Result<std::vector<RemoteFile>> ListRemote(
    const std::string& address, const std::shared_ptr<TableHelpers>& helpers,
    const std::atomic<bool>* stop) {
  TWINSET_ASSIGN(const HeldHelper helper, HeldHelper::Take(helpers));
  std::vector<RemoteFile> files;
  for (bool more = true; more;) {
    Json request;
    request["op"] = "list";
    request["path"] = address;
    request["from"] = files.size();
    TWINSET_ASSIGN(const Json reply, helper->Ask(std::move(request), stop));
    const auto found = reply.find("objects");
    if (found == reply.end() || !found->is_array())
      return BadReply("has no list \"objects\"");
    for (const Json& object : *found) {
      RemoteFile& file = files.emplace_back();
      file.path = object.value("path", "");
      if (!IsRemote(file.path)) return BadReply("names no object");
      TWINSET_ASSIGN(file.state, StateIn(object));
    }
    more = reply.value("more", false) && !found->empty();
  }
  return files;
}

Result<FileState> StateOfRemote(const std::string& address,
                                const std::shared_ptr<TableHelpers>& helpers) {
  TWINSET_ASSIGN(const HeldHelper helper, HeldHelper::Take(helpers));
  Json request;
  request["op"] = "stat";
  request["path"] = address;
  TWINSET_ASSIGN(const Json reply, helper->Ask(std::move(request), nullptr));
  const auto found = reply.find("object");
  if (found == reply.end()) return BadReply("has no \"object\"");
  return StateIn(*found);
}

Error WithWayOn(Error error, const std::string& path) {
  if (error.where.empty()) error.where = path;
  if (!error.where.starts_with(path)) error.where = path + ": " + error.where;
  if (!error.remedy.empty()) error.remedy += "; then ";
  error.remedy += "the same command with --resume goes on";
  return error;
}

Result<WrittenTable> WriteTable(const InputFile& input, const std::string& rows,
                                std::string_view annotation,
                                const std::string& to,
                                const std::atomic<bool>* stop) {
  TWINSET_ASSIGN(const HeldHelper helper, HeldHelper::Take(input.helpers));
  Json request;
  request["op"] = "write";
  request["path"] = input.path;
  request["script"] = rows;
  request["annotation"] = annotation;
  request["to"] = to;
  TWINSET_ASSIGN(const Json reply, helper->Ask(std::move(request), stop));
  WrittenTable written;
  TWINSET_ASSIGN(written.left_out,
                 ReplyNumber(reply, "left_out", uint64_t{1} << 60));
  for (const Json& warning : reply.value("warnings", Json::array()))
    if (warning.is_string())
      written.warnings.push_back(warning.get<std::string>());
  return written;
}

Status CheckStateOf(const Json& reply, const InputFile& input) {
  if (!IsRemote(input.path)) return {};
  TWINSET_ASSIGN(const FileState now, StateIn(reply));
  if (now == input.state) return {};
  return Fail(ErrorCode::kIo,
              "the object was replaced by another while it was in use",
              input.path, "run the command again when it stays as it is");
}

namespace {

// Asks for what comes next while its reader works on what came.
class RemoteSource : public ByteSource {
 public:
  RemoteSource(const InputFile& input, HeldHelper helper,
               const std::atomic<bool>* stop)
      : input_(input), stop_(stop), helper_(std::move(helper)) {}

  Result<size_t> Read(char* to, size_t size) override {
    if (used_ == chunk_.size()) TWINSET_TRY(Fill());
    const size_t n = std::min(size, chunk_.size() - used_);
    std::memcpy(to, chunk_.data() + used_, n);
    used_ += n;
    return n;
  }
  bool seekable() const override { return true; }
  Status Seek(uint64_t offset) override {
    if (asked_ > 0) TWINSET_TRY(Take());
    chunk_.clear();
    used_ = 0;
    next_ = std::min(offset, input_.state.size);
    return {};
  }
  Status ReadAt(uint64_t offset, char* to, size_t size) const override {
    const std::lock_guard lock(mutex_);
    if (!apart_) {
      TWINSET_ASSIGN(auto helper, HeldHelper::Take(input_.helpers));
      apart_.emplace(std::move(helper));
    }
    std::string bytes;
    TWINSET_ASSIGN(const Json reply,
                   (*apart_)->Ask(Request(offset, size), stop_, &bytes));
    TWINSET_TRY(CheckStateOf(reply, input_));
    if (bytes.size() != size)
      return Fail(ErrorCode::kCorrupt, "the object ends before", input_.path);
    std::memcpy(to, bytes.data(), size);
    return {};
  }
  Result<uint64_t> Size() const override { return input_.state.size; }

 private:
  static constexpr uint64_t kLeast = 256 << 10, kMost = 8 << 20;

  Json Request(uint64_t offset, uint64_t size) const {
    Json request;
    request["op"] = "read";
    request["path"] = input_.path;
    request["offset"] = offset;
    request["size"] = size;
    return request;
  }

  Status Ask() {
    const uint64_t size = std::min(step_, input_.state.size - next_);
    if (size == 0) return {};
    TWINSET_TRY(helper_->Send(Request(next_, size), stop_));
    asked_ = size;
    return {};
  }

  Status Take() {
    TWINSET_ASSIGN(const Json reply, helper_->Receive(&chunk_));
    TWINSET_TRY(CheckStateOf(reply, input_));
    if (chunk_.size() != std::exchange(asked_, 0))
      return Fail(ErrorCode::kIo, "the object ends before", input_.path);
    next_ += chunk_.size();
    return {};
  }

  Status Fill() {
    if (asked_ == 0) TWINSET_TRY(Ask());
    if (asked_ == 0) return {};  // the end
    TWINSET_TRY(Take());
    used_ = 0;
    // Who looks at the first bytes alone gets no more.
    const bool goes_on = step_ > kLeast;
    step_ = std::min(4 * step_, kMost);
    return goes_on ? Ask() : Status();
  }

  const InputFile input_;
  const std::atomic<bool>* const stop_;
  HeldHelper helper_;
  mutable std::mutex mutex_;
  mutable std::optional<HeldHelper> apart_;  // mutex_: of ReadAt
  std::string chunk_;
  size_t used_ = 0;  // of chunk_
  uint64_t next_ = 0, step_ = kLeast, asked_ = 0;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> OpenRemoteSource(
    const InputFile& input, const std::atomic<bool>* stop) {
  TWINSET_ASSIGN(HeldHelper helper, HeldHelper::Take(input.helpers));
  return std::make_unique<RemoteSource>(input, std::move(helper), stop);
}

}  // namespace twinset
