// Fingerprints of files and the join over them.
#include "twinset/hamming.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/bytes.h"
#include "base/lists/list_text.h"
#include "base/machine.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "candidate/hamming_join.h"
#include "documents/pass_progress.h"
#include "documents/side_check.h"
#include "pipeline/run/plan.h"
#include "read/byte_stream.h"
#include "report/kept_page.h"
#include "sketch/simd_target.h"
#include "store/scratch_folder.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using FingerprintSink = std::function<Status(uint64_t low, uint64_t high)>;

constexpr size_t kPeek = 64 << 10;
constexpr size_t kLookedAt = 4096;  // bytes that tell text from numbers

bool IsHexText(char c) {
  return IsAsciiHexDigit(c) || c == 'x' || c == 'X' || c == '\r' || c == '\n';
}
bool IsPlainText(char c) {
  return (c >= ' ' && c <= '~') || c == '\t' || c == '\r' || c == '\n';
}

// The bytes without byte order marks in front of lines. One at the end may be
// cut off.
std::string WithoutMarks(std::string_view head) {
  std::string text;
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find('\n'));
    std::string_view shown = WithoutMark(line);
    const bool is_last = line.size() == head.size();
    if (!(is_last && kByteOrderMark.starts_with(shown))) text += shown;
    if (!is_last) text += '\n';
    head.remove_prefix(is_last ? line.size() : line.size() + 1);
  }
  return text;
}

// Digits and ends of lines are text; so is what at least looks like lines, so
// that a wrong line is told as one.
bool LooksLikeText(std::string_view bytes) {
  const std::string head = WithoutMarks(bytes.substr(0, kLookedAt));
  if (std::all_of(head.begin(), head.end(), IsHexText)) return true;
  return head.find('\n') != std::string::npos &&
         std::all_of(head.begin(), head.end(), IsPlainText);
}

// Returns true iff the bytes are such text in UTF-16: no numbers look so by
// chance.
bool LooksLikeWideText(std::string_view head) {
  if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff"))
    head.remove_prefix(2);
  const size_t zero = !head.empty() && head[0] == '\0' ? 0 : 1;
  for (size_t i = 0; i + 1 < head.size(); i += 2)
    if (head[i + zero] != '\0' || !IsHexText(head[i + 1 - zero])) return false;
  return head.size() > 1;
}

// Reads one file.
class FingerprintFile {
 public:
  FingerprintFile(std::string path, int bits, ByteStream* stream)
      : path_(std::move(path)),
        digits_(static_cast<size_t>(bits) / 4),
        width_(static_cast<size_t>(bits) / 8),
        stream_(*stream) {}

  Status Read(const FingerprintSink& sink) {
    TWINSET_ASSIGN(const std::string_view head, Peek(kLookedAt));
    if (LooksLikeWideText(head)) TWINSET_TRY(CheckListBytes(head, path_));
    return LooksLikeText(head) ? ReadLines(sink) : ReadNumbers(sink);
  }

 private:
  Result<std::string_view> Peek(size_t want) {
    TWINSET_ASSIGN(const std::string_view view, stream_.Peek(want));
    if (view.empty() && stream_.AtGap())
      return Fail(
          ErrorCode::kCorrupt,
          "the compressed file is damaged: " + stream_.TakeFault().detail,
          path_, "compress it again, or decompress it first");
    return view;
  }

  Status ReadNumbers(const FingerprintSink& sink) {
    for (;;) {
      TWINSET_ASSIGN(const std::string_view view, Peek(kPeek));
      const size_t whole = view.size() / width_ * width_;
      for (size_t at = 0; at < whole; at += width_) {
        uint64_t low = 0, high = 0;
        if (width_ == 4) {
          low = LoadLE<uint32_t>(view.data() + at);
        } else {
          low = LoadLE<uint64_t>(view.data() + at);
          if (width_ == 16) high = LoadLE<uint64_t>(view.data() + at + 8);
        }
        TWINSET_TRY(sink(low, high));
      }
      if (view.empty()) return {};
      if (whole == 0) {
        return Fail(ErrorCode::kCorrupt,
                    std::to_string(view.size()) +
                        " bytes are left over at the end: the file is not of "
                        "whole fingerprints of " +
                        std::to_string(8 * width_) + " bits",
                    path_ + " at byte " + std::to_string(stream_.offset()),
                    "check --bits, or write one hexadecimal number a line");
      }
      stream_.Consume(whole);
    }
  }

  Status ReadLines(const FingerprintSink& sink) {
    // Longer lines are wrong whatever follows.
    const size_t longest = digits_ + 4 + kByteOrderMark.size();
    for (uint64_t line = 1;; ++line) {
      TWINSET_ASSIGN(std::string_view view, Peek(longest));
      if (view.empty()) return {};
      const size_t end = view.substr(0, longest).find('\n');
      std::string_view text = view.substr(0, std::min(end, longest));
      const size_t used = text.size() + (end != std::string_view::npos);
      if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
      TWINSET_TRY(ReadLine(WithoutMark(text), line, sink));
      stream_.Consume(used);
    }
  }

  Status ReadLine(std::string_view text, uint64_t line,
                  const FingerprintSink& sink) const {
    std::string_view digits = text;
    if (digits.substr(0, 2) == "0x" || digits.substr(0, 2) == "0X")
      digits.remove_prefix(2);
    uint64_t low = 0, high = 0;
    bool good = !digits.empty() && digits.size() <= digits_;
    for (const char c : digits) {
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      good = good && digit >= 0;
      high = high << 4 | low >> 60;
      low = low << 4 | static_cast<uint64_t>(digit & 15);
    }
    if (good) return sink(low, high);
    return Fail(ErrorCode::kCorrupt, "'" + Shown(text) + "' is no fingerprint",
                path_ + " line " + std::to_string(line),
                "each line is 1 to " + std::to_string(digits_) +
                    " hexadecimal digits; --bits says how wide fingerprints "
                    "are");
  }

  static std::string Shown(std::string_view text) {
    std::string shown;
    for (const char c : text) shown += IsPlainText(c) ? c : '?';
    return shown;
  }

  const std::string path_;
  const size_t digits_, width_;
  ByteStream& stream_;
};

Status ReadFingerprints(const std::string& path, int bits,
                        const FingerprintSink& sink) {
  TWINSET_ASSIGN(auto stream, OpenByteStream(path, {}));
  return FingerprintFile(path, bits, stream.get()).Read(sink);
}

Status Check(const HammingOptions& options) {
  if (options.bits != 32 && options.bits != 64 && options.bits != 128)
    return Fail(ErrorCode::kUsage,
                "--bits " + std::to_string(options.bits) +
                    " is no width of fingerprint files",
                {}, "one of 32, 64, 128");
  if (options.distance < 0 || options.distance > options.bits)
    return Fail(ErrorCode::kUsage,
                "--distance " + std::to_string(options.distance) +
                    " is more than the bits of a fingerprint",
                {}, "0 to " + std::to_string(options.bits));
  size_t standard_input = 0;
  for (const auto* list : {&options.inputs, &options.against})
    standard_input += static_cast<size_t>(
        std::count(list->begin(), list->end(), std::string("-")));
  if (standard_input > 1)
    return Fail(ErrorCode::kUsage, "standard input is given more than once", {},
                "one - and files");
  return {};
}

KeptPage PageOf(const HammingOptions& options, const HammingSummary& summary) {
  KeptPage page("hamming", "Near fingerprints");
  const std::string differ =
      std::string(summary.pairs > 1 ? " differ" : " differs") + " in at most " +
      CountText(static_cast<uint64_t>(options.distance), "bit") + ".";
  page.Add(html::Lead{
      (summary.pairs == 0 ? "No pair" : CountText(summary.pairs, "pair")) +
          differ,
      ""});
  html::Facts read;
  const bool is_one = options.against.empty();
  read.facts.push_back({is_one ? "read" : "read of the first set",
                        NumberText(summary.rows), "fingerprints"});
  if (!is_one)
    read.facts.push_back({"read of --against", NumberText(summary.rows_against),
                          "fingerprints"});
  page.Add(std::move(read));
  html::Table table{"", {{"bits that differ", true}, {"pairs", true}}, {}};
  for (size_t bits = 0; bits < summary.pairs_by_distance.size(); ++bits)
    table.rows.push_back({html::Cell::Count(bits),
                          html::Cell::Count(summary.pairs_by_distance[bits])});
  page.Add(std::move(table));
  return page;
}

}  // namespace

Result<HammingSummary> v1::FindHammingPairs(
    const HammingOptions& options,
    const std::function<bool(uint64_t, uint64_t, int)>& on_pair) try {
  TWINSET_TRY(Check(options));
  TWINSET_ASSIGN(const auto simd, SimdTargetHold::Take(options.resources.simd));
  MemoryBudget budget(MemoryOr(options.resources.memory_bytes));
  HammingJoinOptions join_options;
  join_options.bits = options.bits;
  join_options.distance = options.distance;
  join_options.threads = options.resources.threads > 0
                             ? options.resources.threads
                             : UsableThreads();
  join_options.two_sets = !options.against.empty();
  join_options.budget = &budget;
  join_options.stop = options.stop;
  std::optional<ScratchFolder> scratch;
  join_options.make_scratch = [&]() -> Result<std::string> {
    TWINSET_ASSIGN(auto made, ScratchFolder::Below(options.resources.tmp,
                                                   "twinset-hamming-"));
    scratch.emplace(std::move(made));
    return scratch->path();
  };
  TWINSET_ASSIGN(auto join, HammingJoin::Make(join_options));

  HammingSummary summary;
  summary.pairs_by_distance.resize(static_cast<size_t>(options.distance) + 1);
  PassProgress reading(options.on_progress, "hamming", "read", "fingerprints");
  // What does not fit is still counted, to say how much would do.
  const auto read = [&](const std::vector<std::string>& paths, bool second,
                        uint64_t* rows) -> Status {
    const auto add = [&](uint64_t low, uint64_t high) -> Status {
      ++*rows;
      reading.Add();
      TWINSET_TRY(CheckStop(options.stop));
      if (join == nullptr) return {};
      Status added = join->Add(low, high, second);
      if (added || added.error().code != ErrorCode::kMemory) return added;
      join.reset();
      return {};
    };
    // A shard that is the only input may be empty.
    const bool may_be_empty = paths.size() == 1 && options.against.empty();
    for (const std::string& path : paths) {
      const uint64_t before = *rows;
      TWINSET_TRY(ReadFingerprints(path, options.bits, add));
      if (*rows == before && !may_be_empty)
        return CheckSide(
            {second ? "--against" : "the first set", path, "fingerprint"});
    }
    return {};
  };
  TWINSET_TRY(read(options.inputs, false, &summary.rows));
  TWINSET_TRY(read(options.against, true, &summary.rows_against));
  const uint64_t rows = summary.rows + summary.rows_against;
  if (join == nullptr || !join->HasRoom())
    return DoNotFit(rows, budget.limit_bytes(),
                    HammingJoinBytes(rows, options.bits, join_options.threads));

  PassProgress joining(options.on_progress, "hamming", "join", "pairs");
  bool enough = false;
  const Status joined =
      join->Join([&](uint64_t a, uint64_t b, int distance) -> Status {
        TWINSET_TRY(CheckStop(options.stop));
        enough = !on_pair(a, b, distance);
        if (enough) return Fail(ErrorCode::kInterrupted, "enough pairs");
        ++summary.pairs;
        ++summary.pairs_by_distance[static_cast<size_t>(distance)];
        joining.Add();
        return {};
      });
  if (!joined && !enough) return tl::unexpected<Error>(joined.error());
  summary.page = ResultPage(PageOf(options, summary));
  return summary;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
