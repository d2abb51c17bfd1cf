// twinset text: one row per document
#include <fmt/format.h>

#include <atomic>
#include <utility>

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/host.h"
#include "cli/output.h"
#include "cli/printed_rows.h"
#include "cli/values.h"
#include "twinset/inspect.h"

namespace twinset::cli {
namespace {

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

int RunText(const Request& request) {
  constexpr std::string_view kName = "text";
  const auto input = InputsOf(request);
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
  Host* const host = Host::Current();  // of the threads that call back too
  const auto warnings = ForEachRendered(
      *input, request.options.features, details, request.options.resources,
      [&](const DocumentText& document) {
        oddities.Add(document);
        return request.json
                   ? TextRow(document, details) + "\n"
                   : ReadableText(document, request.show_tokens, terminal);
      },
      [&](std::string_view text) {
        const HostScope scope(host);
        if (!rejections.GoOn()) return false;
        ++documents;
        progress.Add();
        return request.json ? out.Write(text) : printer.Print(text);
      },
      [&](const RejectedRecord& record) {
        const HostScope scope(host);
        progress.Clear();
        rejections.Add(record);
      });
  progress.Clear();
  if (!request.json) printer.Finish();
  const int finished = out.Finish(kName);
  if (!warnings) return TellError(kName, warnings.error());
  TellWarnings(kName, *warnings);
  if (!request.quiet) TellWarnings(kName, oddities.Warnings());
  const int code = rejections.Finish(documents);
  return code != kExitDone ? code : finished;
}

std::vector<Flag> TextFlags() {
  return {{.name = "--show-tokens",
           .help = "add the normalised tokens of each document",
           .group = FlagGroup::kOutput,
           .set = SetSwitch<&Request::show_tokens>},
          {.name = "--blocks",
           .help = "with --json, add the blocks of each page and why each was "
                   "kept or not",
           .long_help =
               "Each block with its text, its score (how likely it is main "
               "content), the reason in words and its place in the page.",
           .group = FlagGroup::kOutput,
           .needs = "--json",
           .set = SetSwitch<&Request::blocks>}};
}

Command TextCommand() {
  return {
      .name = "text",
      .group = CommandGroup::kEveryday,
      .front_page = 8,
      .operands = "INPUT...",
      .help = "the text of each document, as every other command sees it",
      .long_help =
          "Prints the clean text. Several documents are separated by lines "
          "with their ids.",
      .prints_rows = true,
      .examples = {{"twinset text page.html", "what is left of a page"},
                   {"twinset text --json crawl.warc.gz | head -n 1",
                    "with title, language, links and source"}},
      .everyday = {"--json", "--content", "--tokens", "--show-tokens",
                   "--blocks", "--text-field", "--html-field", "--id-field",
                   "--input-format", "--language", "--page-kind", "--strict",
                   "--threads", "--quiet"},
      .parameters = {.also = {"tokens", "stop-words", "stem", "content"}},
      .shared = Join({kRecordFlags,
                      {"--json", "--files-from", "--null", "--language",
                       "--page-kind", "--digest", "--threads", "--memory",
                       "--strict", "--progress", "--config"}}),
      .texts = {{.name = "--json",
                 .help = "print one JSON object a document and line"},
                kMemoryOfAll},
      .flags = TextFlags(),
      .refusals = {kNoWorkFiles, kDrawsNothing, kWritesNoFolder, kPrintsText},
      .run = RunText};
}

}  // namespace

const Registration kText(TextCommand);

}  // namespace twinset::cli
