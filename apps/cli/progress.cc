#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "output.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"
#include "values.h"

namespace twinset::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::string_view kErase = "\r\x1b[K";
// Below this a rate is noise, and a time left made from it would jump.
constexpr double kRateAfterSeconds = 0.5;

void WriteToStderr(std::string_view text) {
  // A lost progress line loses nothing, so a failed write is not looked at.
  [[maybe_unused]] const ssize_t written =
      ::write(STDERR_FILENO, text.data(), text.size());
}

std::string Name(const Progress& progress) {
  std::string name = Printable(progress.stage);
  if (!progress.step.empty()) name += ": " + Printable(progress.step);
  return name;
}

std::string DoneText(const Progress& progress) {
  std::string text = NumberText(progress.done);
  if (progress.total > 0) text += " of " + NumberText(progress.total);
  return fmt::format("{} {}", text, progress.unit);
}

std::string PercentText(double share) {
  return fmt::format("{} %", static_cast<int>(share * 100));
}

}  // namespace

ProgressForm FormOf(const Request& request, bool terminal) {
  if (request.progress == "none") return ProgressForm::kNone;
  if (request.progress == "bar") return ProgressForm::kBar;
  if (request.progress == "plain") return ProgressForm::kPlain;
  if (request.progress == "json") return ProgressForm::kJson;
  if (request.quiet) return ProgressForm::kNone;
  return terminal ? ProgressForm::kBar : ProgressForm::kPlain;
}

std::string ProgressText(const Progress& progress, const StepTimes& times,
                         std::string_view separator) {
  std::string text = Name(progress);
  const auto add = [&](const std::string& part) {
    text.append(separator).append(part);
  };
  if (progress.done > 0) add(DoneText(progress));
  if (progress.share > 0) add(PercentText(progress.share));
  if (times.bytes_per_second)
    add(BytesText(static_cast<uint64_t>(*times.bytes_per_second)) + "/s");
  if (times.left_seconds) add(SecondsText(*times.left_seconds) + " left");
  return text;
}

std::string ProgressJson(const Progress& progress, const StepTimes& times) {
  Json json = {{"stage", progress.stage},
               {"step", progress.step},
               {"unit", std::string(progress.unit)},
               {"done", progress.done},
               {"total", nullptr},
               {"share", nullptr},
               {"bytes", progress.bytes},
               {"seconds", times.seconds},
               {"left_seconds", nullptr}};
  if (progress.total > 0) json["total"] = progress.total;
  if (progress.share > 0) json["share"] = progress.share;
  if (times.left_seconds) json["left_seconds"] = *times.left_seconds;
  if (progress.resumed) json["resumed"] = true;
  return json.dump();
}

std::string ResumedText(const Progress& progress) {
  if (!progress.kept)
    return fmt::format("resuming: at the beginning of {}", Name(progress));
  std::string text = fmt::format("resuming: {} stands at {}", Name(progress),
                                 DoneText(progress));
  if (progress.total == 0 && progress.share > 0)
    text += fmt::format(", {} of its inputs", PercentText(progress.share));
  return text;
}

ProgressTeller::ProgressTeller(std::string_view command, const Request& request)
    : command_(command),
      form_(Host::Current() != nullptr ? ProgressForm::kNone
                                       : FormOf(request, StderrIsTerminal())),
      write_(WriteToStderr),
      host_(Host::Current()),
      json_seconds_(SecondsFor("TWINSET_PROGRESS_SECONDS", 1)) {}

ProgressTeller::ProgressTeller(std::string_view command, ProgressForm form,
                               size_t width,
                               std::function<void(std::string_view)> write)
    : command_(command), form_(form), width_(width), write_(std::move(write)) {}

void ProgressTeller::Update(const Progress& progress, Clock::time_point now) {
  if (host_ != nullptr) host_->OnProgress(progress);
  bytes_ = std::max(bytes_, progress.bytes);
  const bool first = last_.stage.empty();
  const bool begins = first || progress.stage != last_.stage ||
                      progress.step != last_.step ||
                      progress.unit != last_.unit || progress.resumed ||
                      progress.done < last_.done;
  last_ = progress;
  if (first) told_ = now;
  if (begins) {
    begin_ = progress;
    step_begin_ = now;
  }
  if (form_ == ProgressForm::kNone) return;
  if (progress.resumed && form_ != ProgressForm::kJson) {
    Clear();
    Tell(ResumedText(progress));
  }
  if (!IsDue(begins, now)) return;
  told_ = now;
  const StepTimes times = TimesOf(progress, now);
  switch (form_) {
    case ProgressForm::kJson:
      write_(ProgressJson(progress, times) + "\n");
      break;
    case ProgressForm::kPlain:
      Tell(ProgressText(progress, times, ", "));
      break;
    default: {
      std::string text = ProgressText(progress, times, "  ");
      // ASCII but for the names, so bytes are columns or more: never too long.
      const size_t width = width_ ? *width_ : TerminalWidth(STDERR_FILENO);
      if (text.size() >= width) text.resize(width > 0 ? width - 1 : 0);
      write_(std::string(kErase) + text);
      visible_ = true;
    }
  }
}

bool ProgressTeller::IsDue(bool begins, Clock::time_point now) const {
  switch (form_) {
    case ProgressForm::kPlain:
      return now - told_ >= seconds(30);
    case ProgressForm::kJson:
      return begins || std::chrono::duration<double>(now - told_).count() >=
                           json_seconds_;
    default:
      return begins || now - told_ >= milliseconds(200);
  }
}

StepTimes ProgressTeller::TimesOf(const Progress& progress,
                                  Clock::time_point now) const {
  StepTimes times;
  times.seconds = std::chrono::duration<double>(now - step_begin_).count();
  if (times.seconds < kRateAfterSeconds) return times;
  const double share = progress.share - begin_.share;
  if (share > 0)
    times.left_seconds = times.seconds * (1 - progress.share) / share;
  if (progress.bytes > begin_.bytes) {
    times.bytes_per_second =
        static_cast<double>(progress.bytes - begin_.bytes) / times.seconds;
  }
  return times;
}

void ProgressTeller::Tell(std::string_view text) {
  write_(fmt::format("twinset {}: {}\n", command_, text));
}

void ProgressTeller::Clear() {
  if (visible_) write_(kErase);
  visible_ = false;
}

}  // namespace twinset::cli
