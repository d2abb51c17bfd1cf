#include "live/piped_documents.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>
#include <utility>

#include "base/file.h"
#include "base/stop.h"
#include "documents/document_options.h"
#include "documents/document_pass.h"
#include "read/archive/warc_record.h"
#include "read/codec.h"
#include "read/detect.h"

namespace twinset {

namespace {

constexpr size_t kStep = 256 << 10;
constexpr int kWaitMs = 100, kAgainMs = 5;
// A row in JSON may be so many times as long as its text.
constexpr uint64_t kMostPerByte = 6;
constexpr uint64_t kBesideText = 1 << 20;
// So many first bytes say what the pipe holds, or a whole line.
constexpr size_t kLookBytes = 4096, kEnoughBytes = 512;
constexpr size_t kSeparatorBytes = 4;

Error ReadError() { return IoError("read", "-", errno); }

// Returns true iff a read would not wait: there are bytes, or it is the end.
Result<bool> IsReady(int fd, int wait_ms, const std::atomic<bool>* stop) {
  TWINSET_TRY(CheckStop(stop));
  pollfd waiting = {fd, POLLIN, 0};
  const int ready = ::poll(&waiting, 1, wait_ms);
  if (ready < 0 && errno != EINTR) return tl::unexpected(ReadError());
  return ready > 0;
}

// The first bytes of the pipe, which stay in it; fewer than `bytes` has at the
// end alone.
Result<size_t> LookInto(int fd, bool is_socket, std::span<char> bytes) {
  if (is_socket) {
    const ssize_t n = ::recv(fd, bytes.data(), bytes.size(), MSG_PEEK);
    if (n < 0) return tl::unexpected(ReadError());
    return static_cast<size_t>(n);
  }
  std::array<int, 2> copy = {};
  if (::pipe2(copy.data(), O_CLOEXEC) != 0) return tl::unexpected(ReadError());
  ssize_t n = ::tee(fd, copy[1], bytes.size(), 0);
  if (n > 0) n = ::read(copy[0], bytes.data(), bytes.size());
  const int failed = errno;
  ::close(copy[0]);
  ::close(copy[1]);
  errno = failed;
  if (n < 0) return tl::unexpected(ReadError());
  return static_cast<size_t>(n);
}

// Waits until what is there says what it is.
Result<std::string> FirstBytes(int fd, bool is_socket,
                               const std::atomic<bool>* stop) {
  std::string bytes(kLookBytes, '\0');
  for (size_t last = 0;;) {
    TWINSET_ASSIGN(const bool is_ready, IsReady(fd, kWaitMs, stop));
    if (!is_ready) continue;
    TWINSET_ASSIGN(const size_t n, LookInto(fd, is_socket, bytes));
    const std::string_view seen(bytes.data(), n);
    pollfd state = {fd, POLLIN, 0};
    (void)::poll(&state, 1, 0);
    if (n == 0 || n >= kEnoughBytes || seen.find('\n') != seen.npos ||
        (n == last && (state.revents & POLLHUP) != 0))
      return std::string(seen);
    last = n;
    (void)::poll(nullptr, 0, kAgainMs);
  }
}

// Where the bytes that are there can be cut, so that whole records stand before
// it; 0: nowhere yet. There is no cut in the first `known` bytes, so that a
// long record is looked through once.
size_t CutRows(std::string_view held, size_t known) {
  const size_t end = held.substr(known).rfind('\n');
  return end == held.npos ? 0 : known + end + 1;
}

struct WarcCut {
  size_t at = 0;
  uint64_t missing = 0;  // bytes of the record that are not there yet
};
WarcCut CutWarc(std::string_view held, size_t known) {
  const size_t begin = std::min(held.find_first_not_of("\r\n"), held.size());
  const std::string_view record = held.substr(begin);
  const RecordSyntax::Header header = WarcSyntax().ReadHeader(record);
  if (!header.complete || !header.length || !WarcSyntax().Begins(record)) {
    constexpr std::string_view kNext = "\nWARC/";
    const size_t from = std::max(known, begin + kNext.size()) - kNext.size();
    const size_t next = held.find(kNext, std::max(from, begin));
    return {next == held.npos ? 0 : next + 1, 0};
  }
  const uint64_t size = header.size + *header.length;
  if (record.size() < size) return {0, size - record.size()};
  const std::string_view rest = record.substr(size);
  const size_t ends = std::min(rest.find_first_not_of("\r\n"), rest.size());
  const size_t separator =
      std::min(ends, header.bare_lf ? kSeparatorBytes / 2 : kSeparatorBytes);
  if (rest.size() < separator || rest.empty()) return {0, 0};
  if (ends == rest.size() && !WarcSyntax().Separates(rest, header))
    return {0, 0};
  return {begin + size + separator, 0};
}

class PipedPass {
 public:
  using Body = std::function<Result<bool>(Record*, const std::string&)>;

  PipedPass(File* pipe, const InputFile& file, const InputOptions& input,
            const ReadOptions& read, const PassOptions& options,
            const Body& body, const RejectedSink& on_rejected)
      : pipe_(*pipe),
        file_(file),
        read_(read),
        options_(options),
        body_(body),
        on_rejected_(on_rejected),
        most_(kMostPerByte * read.max_document_bytes + kBesideText),
        pass_(input, read) {}

  Status Run(const InputList& files, const std::function<Status()>& on_idle) {
    std::string step(kStep, '\0');
    for (bool more = true; more && go_on_;) {
      TWINSET_ASSIGN(const bool is_ready,
                     IsReady(pipe_.fd(), kWaitMs, read_.stop));
      if (!is_ready) continue;
      TWINSET_ASSIGN(const size_t n, pipe_.Read(step.data(), step.size()));
      more = n > 0;
      Hold(std::string_view(step.data(), n));
      TWINSET_TRY(HandOn(!more));
      if (!more) break;
      TWINSET_ASSIGN(const bool is_next, IsReady(pipe_.fd(), 0, read_.stop));
      if (!is_next) TWINSET_TRY(on_idle());
    }
    return go_on_ ? pass_.Check(files) : Status();
  }

 private:
  bool IsRows() const { return read_.format == InputFormat::kJsonl; }

  // Leaves out the rest of a record that is too long.
  void Hold(std::string_view bytes) {
    if (skips_line_) {
      const size_t end = bytes.find('\n');
      skips_line_ = end == bytes.npos;
      const size_t skipped = skips_line_ ? bytes.size() : end + 1;
      offset_ += skipped;
      bytes.remove_prefix(skipped);
    }
    const auto skipped = std::min<uint64_t>(skips_, bytes.size());
    skips_ -= skipped;
    offset_ += skipped;
    bytes.remove_prefix(static_cast<size_t>(skipped));
    held_ += bytes;
  }

  Status HandOn(bool is_last) {
    size_t taken = 0;
    while (go_on_) {
      const std::string_view rest = std::string_view(held_).substr(taken);
      const size_t known = taken == 0 ? known_ : 0;
      const WarcCut cut =
          IsRows() ? WarcCut{CutRows(rest, known), 0} : CutWarc(rest, known);
      size_t size = cut.at;
      if (size == 0 && (is_last || rest.size() > most_)) {
        size = rest.size();
        skips_line_ = IsRows();
        skips_ = cut.missing;
      }
      if (size == 0) break;
      TWINSET_TRY(Read(std::string(rest.substr(0, size))));
      taken += size;
    }
    held_.erase(0, taken);
    known_ = held_.size();
    return {};
  }

  Status Read(std::string bytes) {
    const uint64_t size = bytes.size();
    const auto reader = ReadRecordsFromMemory(std::move(bytes), "-", read_);
    uint64_t records = 0;
    Record record;
    while (go_on_) {
      TWINSET_ASSIGN(const bool more, reader->Next(&record));
      if (!more) break;
      Provenance& place = record.document.provenance;
      records = place.ordinal + 1;
      place.ordinal += ordinal_;
      place.offset += offset_;
      pass_.Count(record);
      if (record.kind == RecordKind::kDocument) {
        GiveListedId(file_.source, &record);
        TWINSET_ASSIGN(go_on_, body_(&record, file_.source));
        continue;
      }
      if (options_.on_other) TWINSET_TRY(options_.on_other(record));
      if (on_rejected_) {
        ReplaceId(file_.source, &record);
        on_rejected_(RejectUnread(record, file_.source));
      }
    }
    // What is left out of a WARC has a number too.
    ordinal_ += IsRows() ? records : std::max<uint64_t>(records, 1);
    offset_ += size;
    return {};
  }

  File& pipe_;
  const InputFile& file_;
  const ReadOptions& read_;
  const PassOptions& options_;
  const Body& body_;
  const RejectedSink& on_rejected_;
  const uint64_t most_;
  FieldPass pass_;
  std::string held_;
  size_t known_ = 0;                   // so many bytes of it hold no cut
  uint64_t ordinal_ = 0, offset_ = 0;  // of the first byte that is held
  uint64_t skips_ = 0;
  bool skips_line_ = false;
  bool go_on_ = true;
};

}  // namespace

Result<bool> ForEachPipedDocument(
    const InputOptions& input, const PassOptions& options,
    const std::atomic<bool>* stop,
    const std::function<Result<bool>(Record*, const std::string&)>& body,
    const std::function<Status()>& on_idle, const RejectedSink& on_rejected) {
  if (input.inputs.size() != 1 || input.inputs[0] != "-") return false;
  TWINSET_ASSIGN(File pipe, File::OpenRead("-"));
  struct stat state = {};
  if (::fstat(pipe.fd(), &state) != 0) return false;
  const bool is_socket = S_ISSOCK(state.st_mode);
  if (!is_socket && !S_ISFIFO(state.st_mode)) return false;
  TWINSET_ASSIGN(ReadOptions read, MakeReadOptions(input));
  read.fields = options.fields;
  read.keep_raw = options.keep_raw;
  read.keep_stored = options.keep_stored;
  read.stop = stop;
  TWINSET_ASSIGN(const std::string first,
                 FirstBytes(pipe.fd(), is_socket, stop));
  if (first.empty() || DetectCompression(first, "") != Compression::kNone)
    return false;
  const auto [format, coding] = Recognise(first, "", read);
  const bool is_rows = format == InputFormat::kJsonl && !IsJsonArray(first);
  if (!coding.empty() || (!is_rows && format != InputFormat::kWarc))
    return false;
  read.format = format;
  TWINSET_ASSIGN(const auto files, ListInputs(input));
  const InputFile file = files[0];
  if (options.on_source) TWINSET_TRY(options.on_source(file.source, format));
  TWINSET_TRY(PipedPass(&pipe, file, input, read, options, body, on_rejected)
                  .Run(files, on_idle));
  return true;
}

}  // namespace twinset
