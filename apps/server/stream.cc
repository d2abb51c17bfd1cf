#include "server/stream.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "server/problem.h"

namespace twinset::server {
namespace {

constexpr size_t kInMemory = 1 << 20;

bool IsBlank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

Error SpoolError() {
  return {ErrorCode::kUnavailable,
          std::string("the answers cannot be held: ") + std::strerror(errno),
          {},
          {}};
}

}  // namespace

RowSpool::~RowSpool() {
  if (file_ >= 0) ::close(file_);
}

Status RowSpool::Add(const Json& row) {
  memory_ += row.dump();
  memory_ += '\n';
  if (memory_.size() < kInMemory) return {};
  return WriteOut();
}

Status RowSpool::WriteOut() {
  if (file_ < 0) {
    const char* const folder = std::getenv("TMPDIR");
    std::string name = std::string(folder != nullptr ? folder : "/tmp") +
                       "/twinset-rows-XXXXXX";
    file_ = ::mkstemp(name.data());
    if (file_ < 0) return tl::unexpected(SpoolError());
    ::unlink(name.c_str());
  }
  for (size_t done = 0; done < memory_.size();) {
    const ssize_t written =
        ::write(file_, memory_.data() + done, memory_.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return tl::unexpected(SpoolError());
    done += static_cast<size_t>(written);
  }
  file_bytes_ += memory_.size();
  memory_.clear();
  return {};
}

Result<HttpResponse> RowSpool::Finish() {
  HttpResponse response;
  response.content_type = "application/x-ndjson";
  if (file_ >= 0) {
    TWINSET_TRY(WriteOut());
    response.file = std::exchange(file_, -1);
    response.file_bytes = file_bytes_;
  } else {
    response.body = std::move(memory_);
  }
  return response;
}

Status DocumentStream::Refuse(const std::string& reason,
                              const std::string& detail) {
  TWINSET_TRY(Answer());  // what came before it
  Json row = {{"line", lines_}, {"rejected", reason}};
  if (!detail.empty()) row["detail"] = detail;
  return rows_.Add(row);
}

Status DocumentStream::Line(std::string_view line) {
  ++lines_;
  if (std::exchange(is_too_long_, false))
    return Refuse("too-large", "the line is longer than --max-body");
  if (IsBlank(line)) return {};
  auto input = DocumentOfJson(line);
  if (!input)
    return Refuse(
        input.error().code == ErrorCode::kCorrupt ? "bad-json" : "bad-document",
        input.error().ToString());
  batch_.push_back(std::move(*input));
  batch_bytes_ += line.size();
  if (batch_.size() < kBatch && batch_bytes_ < kBatchBytes) return {};
  return Answer();
}

Status DocumentStream::Answer() {
  if (batch_.empty()) return {};
  const size_t documents = batch_.size();
  const Gate::Place place = service_->gate.Enter(/*is_patient=*/true);
  TWINSET_ASSIGN(const auto rows, AnswerDocuments(service_, asked_, query_,
                                                  std::exchange(batch_, {})));
  batch_bytes_ = 0;
  answered_ += documents;
  for (const Json& row : rows) TWINSET_TRY(rows_.Add(row));
  return {};
}

HttpResponse DocumentStream::Stopped(const Error& error) const {
  HttpResponse response = ProblemOf(error);
  Json problem = Json::Parse(response.body);
  problem["answered"] = answered_;
  if (asked_ == Asked::kCheckAndAdd)
    problem["remedy"] =
        "send all of it again: what was added is not added twice if it has ids";
  response.body = problem.dump() + "\n";
  return response;
}

std::optional<HttpResponse> DocumentStream::Take(std::string_view piece) {
  if (!held_.Set(line_.size() + batch_bytes_ + piece.size()))
    return Stopped({ErrorCode::kUnavailable,
                    "too much is sent to the server at a time",
                    {},
                    {}});
  while (!piece.empty()) {
    const size_t end = piece.find('\n');
    const std::string_view part = piece.substr(0, end);
    if (line_.size() + part.size() > service_->options.max_body) {
      is_too_long_ = true;
      line_.clear();
    }
    if (!is_too_long_) line_ += part;
    if (end == std::string_view::npos) break;
    piece.remove_prefix(end + 1);
    const Status taken = Line(line_);
    line_.clear();
    if (!taken) return Stopped(taken.error());
  }
  (void)held_.Set(line_.size() + batch_bytes_);  // no more than above
  return {};
}

HttpResponse DocumentStream::Finish() {
  Status done;
  if (!line_.empty() || is_too_long_) done = Line(line_);
  if (done) done = Answer();
  if (!done) return Stopped(done.error());
  auto response = rows_.Finish();
  return response ? std::move(*response) : Stopped(response.error());
}

}  // namespace twinset::server
