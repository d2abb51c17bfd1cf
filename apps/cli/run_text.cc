// twinset text and twinset sketch: one row a document.
#include <fmt/format.h>

#include "commands.h"
#include "output.h"
#include "twinset/inspect.h"
#include "twinset/json.h"
#include "twinset/version.h"
#include "values.h"

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
    if (quarantined_ > 0)
      Tell(command_,
           fmt::format("{} record{} quarantined", Grouped(quarantined_),
                       quarantined_ == 1 ? "" : "s"));
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

Json Links(const DocumentText& document) {
  Json links = Json::array();
  for (const DocumentLink& link : document.links) {
    links.push_back({{"href", link.href},
                     {"anchor", link.anchor},
                     {"rel", link.rel},
                     {"hidden", link.hidden}});
  }
  return links;
}

Json Blocks(const DocumentText& document) {
  Json blocks = Json::array();
  for (const DocumentBlock& block : document.blocks) {
    blocks.push_back({{"text", block.text},
                      {"kept", block.kept},
                      {"score", block.score},
                      {"reason", block.reason},
                      {"source_begin", block.source_begin},
                      {"source_end", block.source_end}});
  }
  return blocks;
}

Json TextRow(const DocumentText& document, const TextDetails& details) {
  Json row = {{"id", document.id},
              {"text", document.text},
              {"title", document.title},
              {"language", document.language},
              {"language_declared", document.language_declared},
              {"charset", document.charset},
              {"canonical", document.canonical},
              {"base", document.base},
              {"robots", document.robots},
              {"redirect", document.redirect},
              {"redirect_seconds", nullptr},
              {"published", document.published},
              {"modified", document.modified},
              {"author", document.author},
              {"description", document.description},
              {"links", Links(document)},
              {"url", document.url},
              {"date", document.date},
              {"source", document.source},
              {"ordinal", document.ordinal}};
  if (document.redirect_seconds >= 0)
    row["redirect_seconds"] = document.redirect_seconds;
  if (document.truncated) row["truncated"] = true;
  if (details.blocks) row["blocks"] = Blocks(document);
  if (details.tokens) row["tokens"] = document.tokens;
  return row;
}

// Prints texts for reading: a line with the id before each, unless there is
// only one document.
class TextPrinter {
 public:
  TextPrinter(Output* out, bool tokens)
      : out_(out), tokens_(tokens), terminal_(StdoutIsTerminal()) {}

  bool Print(const DocumentText& document) {
    // The first waits for the second: only then it is known to be one of
    // several.
    if (++count_ == 1) {
      first_ = document;
      return true;
    }
    if (count_ == 2 && !PrintOne(first_, true)) return false;
    return PrintOne(document, true);
  }
  void Finish() {
    if (count_ == 1) PrintOne(first_, false);
  }

 private:
  bool PrintOne(const DocumentText& document, bool separated) {
    if (separated)
      out_->Line(fmt::format("=== {} ===", Printable(document.id)));
    std::string text = document.text;
    if (tokens_) {
      text.clear();
      for (const std::string& token : document.tokens) text += token + "\n";
    }
    if (terminal_) text = Printable(text, /*lines=*/true);
    if (!text.empty() && text.back() != '\n') text += '\n';
    return out_->Write(text);
  }

  Output* const out_;
  const bool tokens_, terminal_;
  uint64_t count_ = 0;
  DocumentText first_;
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
  TextPrinter printer(&out, request.show_tokens);
  uint64_t documents = 0;
  const TextDetails details = {request.show_tokens, request.json, request.json,
                               request.json && request.blocks};
  const Status status = ForEachText(
      *input, request.options.features, details,
      [&](const DocumentText& document) {
        if (!rejections.GoOn()) return false;
        ++documents;
        return request.json ? out.Line(OneLine(TextRow(document, details)))
                            : printer.Print(document);
      },
      [&](const RejectedRecord& record) { rejections.Add(record); });
  if (!request.json) printer.Finish();
  const int finished = out.Finish(kName);
  if (!status) return TellError(kName, status.error());
  const int code = rejections.Finish(documents);
  return code != kExitDone ? code : finished;
}

int RunSketch(const Request& request) {
  constexpr std::string_view kName = "sketch";
  const auto input = Inputs(request);
  if (!input) return TellError(kName, input.error());
  Output out;
  Rejections rejections(kName, request);
  uint64_t documents = 0;
  const Status status = ForEachSketch(
      *input, request.options.features, request.options.method,
      [&](const SketchRow& row) {
        if (!rejections.GoOn()) return false;
        ++documents;
        Json json = {{"id", row.id},
                     {"spec", kSpec},
                     {"method", row.method},
                     {"sketch", row.sketch}};
        if (row.truncated) json["truncated"] = true;
        return out.Line(OneLine(json));
      },
      [&](const RejectedRecord& record) { rejections.Add(record); });
  const int finished = out.Finish(kName);
  if (!status) return TellError(kName, status.error());
  const int code = rejections.Finish(documents);
  return code != kExitDone ? code : finished;
}

}  // namespace twinset::cli
