#include "job.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>

#include "output.h"
#include "twinset/plain_words.h"
#include "values.h"

namespace twinset::cli {

Status CheckJob(const Request& request) {
  const FlagOptions& options = request.options;
  if (request.operands.empty())
    return Fail(ErrorCode::kUsage, "no input is given", {},
                "a file, a folder, a quoted glob, or - for standard input");
  if (options.out.empty() && !request.dry_run)
    return Fail(ErrorCode::kUsage, "no folder for the results is given", {},
                "--out DIR");
  if (options.overwrite && options.resume)
    return Fail(ErrorCode::kUsage,
                "--overwrite and --resume exclude each other");
  if ((options.method.bands > 0) != (options.method.rows > 0))
    return Fail(ErrorCode::kUsage, "--bands and --rows belong together", {},
                "give both, or neither to have them chosen for the threshold");
  return {};
}

std::string PlacesText(const Request& request, std::string_view page) {
  const FlagOptions& options = request.options;
  if (options.out.empty()) return {};
  std::string text = "results: " + NameText(options.out);
  if (!page.empty())
    text += ", report: " + NameText(options.out + "/" + std::string(page));
  return text + "\n";
}

namespace {

// Where a run that is stopped keeps what it has; empty: nowhere.
std::string KeptIn(const FlagOptions& options) {
  for (const std::string* folder :
       {&options.out, &options.save, &options.write})
    if (!folder->empty()) return *folder;
  return {};
}

// False where nothing of the run is there that --resume could take up.
bool IsBegun(const FlagOptions& options) {
  std::error_code error;
  const std::string folder = KeptIn(options);
  return !options.overwrite && std::filesystem::exists(folder, error) &&
         !std::filesystem::is_empty(folder, error);
}

// Says of a run that can be resumed, and stood at `last`, what is kept and how
// to go on.
std::string StoppedText(const Request& request, const Progress& last,
                        int signal) {
  const std::string out = NameText(KeptIn(request.options));
  const auto& operands = request.operands;
  std::string how;
  if (std::find(operands.begin(), operands.end(), "-") != operands.end()) {
    how = "standard input cannot be read again: begin anew with --overwrite";
  } else if (last.kept) {
    how = fmt::format(
        "{} stands at {} {}, which are kept in {}; the same command with "
        "--resume goes on there",
        last.stage, NumberText(last.done), last.unit, out);
  } else if (last.stage.empty() && request.options.resume) {
    how = "the same command goes on";
  } else if (last.stage.empty() && !IsBegun(request.options)) {
    how = "nothing was done, so give the same command again";
  } else if (last.stage.empty()) {
    how = "the same command with --resume goes on";
  } else {
    how = fmt::format(
        "the stages before {} are kept in {}; the same command with --resume "
        "goes on at the beginning of {}",
        last.stage, out, last.stage);
  }
  return fmt::format("stopped by {}: {}",
                     signal == SIGINT ? "SIGINT" : "SIGTERM", how);
}

}  // namespace

int TellNoResult(std::string_view command, const Request& request,
                 const Error& error, int signal, const Progress* last,
                 std::string_view stopped) {
  if (signal == 0 || (last && error.code != ErrorCode::kInterrupted))
    return TellError(command, error);
  const bool is_kept = last && !KeptIn(request.options).empty();
  Tell(command, is_kept ? StoppedText(request, *last, signal) : stopped);
  return 128 + signal;
}

void TellQuarantined(std::string_view command, const Request& request,
                     uint64_t quarantined) {
  const bool is_summed_up =
      !request.json && !request.quiet && StdoutIsTerminal();
  if (quarantined == 0 || is_summed_up) return;
  Tell(command, CountText(quarantined, "record") + " quarantined, see " +
                    NameText(request.options.out) + "/quarantine.jsonl");
}

}  // namespace twinset::cli
