// twinset text and twinset sketch: one row a document.
#include <fmt/format.h>

#include <atomic>
#include <utility>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/values.h"
#include "twinset/inspect.h"
#include "twinset/json.h"
#include "twinset/version.h"

namespace twinset::cli {
namespace {

// Strings in rows come from documents: what is not UTF-8 becomes U+FFFD instead
// of an error.
std::string OneLine(const Json& row) { return row.dump(); }

Result<InputOptions> Inputs(const Request& request) {
  if (request.operands.empty())
    return Fail(ErrorCode::kUsage, "no input is given", {},
                "a file, a folder, a quoted glob, or - for standard input");
  InputOptions input = request.options.input;
  input.inputs = request.operands;
  return input;
}

// Counts what is no document, tells each quarantined record, and ends the run
// when asked to.
class Rejections {
 public:
  Rejections(std::string_view command, const Request& request)
      : command_(command),
        quiet_(request.quiet),
        strict_(request.options.strict) {}

  void Add(const RejectedRecord& record) {
    if (!record.quarantined) {
      ++skipped_;
      return;
    }
    if (++quarantined_ <= kTold || strict_)
      Tell(command_,
           fmt::format("{} at byte {}: quarantined: {}{}{}", record.source,
                       record.offset, record.reason,
                       record.detail.empty() ? "" : ": ", record.detail));
  }
  bool GoOn() const { return !strict_ || quarantined_ == 0; }

  // The exit code, with one line on what was left out.
  int Finish(uint64_t documents) const {
    TellQuarantined(command_, quarantined_);
    if (skipped_ > 0 && documents == 0 && !quiet_)
      Tell(command_,
           fmt::format("no document: {} record{} skipped (--status, --mime and "
                       "--language say which records are documents)",
                       Grouped(skipped_), skipped_ == 1 ? "" : "s"));
    const bool nothing_else =
        quarantined_ > 0 && documents == 0 && skipped_ == 0;
    return (strict_ && quarantined_ > 0) || nothing_else ? kExitFailed
                                                         : kExitDone;
  }

 private:
  static constexpr uint64_t kTold = 10;
  const std::string_view command_;
  const bool quiet_, strict_;
  uint64_t skipped_ = 0, quarantined_ = 0;
};

// A text for reading: a line with the id, then the text or its tokens.
std::string ReadableText(const DocumentText& document, bool tokens,
                         bool terminal) {
  std::string text = document.text;
  if (tokens) {
    text.clear();
    for (const std::string& token : document.tokens) text += token + "\n";
  }
  if (terminal) text = Printable(text, /*lines=*/true);
  if (!text.empty() && text.back() != '\n') text += '\n';
  return fmt::format("=== {} ===\n", Printable(document.id)) + text;
}

// Counts from several threads what deserves a warning; the rows say where it
// is.
class OddityCount {
 public:
  void Add(const DocumentText& document) {
    quoted_fields_ += document.quoted_fields;
    rows_in_fields_ += document.has_rows_in_field;
    malformed_xml_ += document.malformed_xml;
  }
  std::vector<std::string> Warnings() const {
    return OddityWarnings({.quoted_fields = {quoted_fields_, {}},
                           .rows_in_fields = {rows_in_fields_, {}},
                           .malformed_xml = {malformed_xml_, {}}});
  }

 private:
  std::atomic<uint64_t> quoted_fields_ = 0, rows_in_fields_ = 0,
                        malformed_xml_ = 0;
};

// How many documents were printed; not on the terminal that they go to.
class PrintedProgress {
 public:
  PrintedProgress(std::string_view command, const Request& request)
      : teller_(command, request),
        draws_(!StdoutIsTerminal() || !StderrIsTerminal()) {
    progress_.stage = command;
  }
  void Add() {
    constexpr uint64_t kTellEvery = 64;
    if (++progress_.done % kTellEvery == 0 && draws_) teller_.Update(progress_);
  }
  void Clear() { teller_.Clear(); }

 private:
  ProgressTeller teller_;
  const bool draws_;
  Progress progress_;
};

// Prints readable texts; the line with the id only when there are several.
class TextPrinter {
 public:
  explicit TextPrinter(Output* out) : out_(out) {}

  bool Print(std::string_view text) {
    // The first waits for the second: only then it is known to be one of
    // several.
    if (++count_ == 1) {
      first_ = text;
      return true;
    }
    if (count_ == 2 && !out_->Write(std::exchange(first_, {}))) return false;
    return out_->Write(text);
  }
  void Finish() {
    if (count_ == 1)
      out_->Write(std::string_view(first_).substr(first_.find('\n') + 1));
  }

 private:
  Output* const out_;
  uint64_t count_ = 0;
  std::string first_;
};

}  // namespace

int RunText(const Request& request) {
  constexpr std::string_view kName = "text";
  if (request.blocks && !request.json) {
    return TellError(kName, {ErrorCode::kUsage,
                             "--blocks only goes with --json",
                             {},
                             "add --json"});
  }
  const auto input = Inputs(request);
  if (!input) return TellError(kName, input.error());
  Output out;
  Rejections rejections(kName, request);
  TextPrinter printer(&out);
  PrintedProgress progress(kName, request);
  uint64_t documents = 0;
  const TextDetails details = {request.show_tokens, request.json, request.json,
                               request.json && request.blocks};
  const bool terminal = StdoutIsTerminal();
  OddityCount oddities;
  const Status status = ForEachRendered(
      *input, request.options.features, details, request.options.resources,
      [&](const DocumentText& document) {
        oddities.Add(document);
        return request.json
                   ? TextRow(document, details) + "\n"
                   : ReadableText(document, request.show_tokens, terminal);
      },
      [&](std::string_view text) {
        if (!rejections.GoOn()) return false;
        ++documents;
        progress.Add();
        return request.json ? out.Write(text) : printer.Print(text);
      },
      [&](const RejectedRecord& record) {
        progress.Clear();
        rejections.Add(record);
      });
  progress.Clear();
  if (!request.json) printer.Finish();
  const int finished = out.Finish(kName);
  if (!status) return TellError(kName, status.error());
  if (!request.quiet) TellWarnings(kName, oddities.Warnings());
  const int code = rejections.Finish(documents);
  return code != kExitDone ? code : finished;
}

int RunSketch(const Request& request) {
  constexpr std::string_view kName = "sketch";
  const auto input = Inputs(request);
  if (!input) return TellError(kName, input.error());
  Output out;
  Rejections rejections(kName, request);
  PrintedProgress progress(kName, request);
  uint64_t documents = 0;
  const Status status = ForEachSketch(
      *input, request.options.features, request.options.method,
      [&](const SketchRow& row) {
        if (!rejections.GoOn()) return false;
        ++documents;
        progress.Add();
        Json json = {{"id", row.id},
                     {"spec", kSpecNumber},
                     {"method", row.method},
                     {"sketch", row.sketch}};
        if (!row.original_id.empty()) json["original_id"] = row.original_id;
        if (!row.modulus.empty()) json["modulus"] = row.modulus;
        if (row.truncated) json["truncated"] = true;
        return out.Line(OneLine(json));
      },
      [&](const RejectedRecord& record) {
        progress.Clear();
        rejections.Add(record);
      });
  progress.Clear();
  const int finished = out.Finish(kName);
  if (!status) return TellError(kName, status.error());
  const int code = rejections.Finish(documents);
  return code != kExitDone ? code : finished;
}

}  // namespace twinset::cli
