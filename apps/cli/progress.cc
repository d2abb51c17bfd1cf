#include "progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "values.h"

namespace twinset::cli {
namespace {

constexpr auto kRedrawEvery = std::chrono::milliseconds(200);
// Below this a rate is noise, and a time left made from it would jump.
constexpr double kRateAfterSeconds = 0.5;

size_t TerminalWidth() {
  winsize size = {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return 80;
  return size.ws_col;
}

void Draw(const std::string& text) {
  // A lost progress line loses nothing, so a failed write is not looked at.
  [[maybe_unused]] const ssize_t written =
      ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

std::string ProgressText(const Progress& progress, uint64_t stage_bytes,
                         double seconds, size_t width) {
  std::string text = Printable(progress.stage);
  if (progress.documents > 0)
    text += fmt::format("  {} documents", Grouped(progress.documents));
  if (seconds >= kRateAfterSeconds && stage_bytes > 0) {
    const double rate = static_cast<double>(stage_bytes) / seconds;
    text += fmt::format("  {}/s", HumanBytes(rate));
    if (progress.total_bytes > progress.bytes)
      text += fmt::format(
          "  {} left", HumanSeconds(static_cast<double>(progress.total_bytes -
                                                        progress.bytes) /
                                    rate));
  }
  // The text is ASCII but for a stage's name, so bytes are columns or more:
  // never too long.
  if (text.size() >= width) text.resize(width > 0 ? width - 1 : 0);
  return text;
}

ProgressLine::ProgressLine(bool draw)
    : draw_(draw), stage_begin_(Clock::now()) {}

void ProgressLine::Update(const Progress& progress) {
  bytes_ = std::max(bytes_, progress.bytes);
  if (!draw_) return;
  const auto now = Clock::now();
  if (progress.stage != stage_ || progress.bytes < stage_begin_bytes_) {
    stage_ = progress.stage;
    stage_begin_ = now;
    stage_begin_bytes_ = progress.bytes;
  } else if (now - last_drawn_ < kRedrawEvery) {
    return;
  }
  last_drawn_ = now;
  const double seconds =
      std::chrono::duration<double>(now - stage_begin_).count();
  Draw("\r\x1b[K" + ProgressText(progress, progress.bytes - stage_begin_bytes_,
                                 seconds, TerminalWidth()));
  visible_ = true;
}

void ProgressLine::Clear() {
  if (visible_) Draw("\r\x1b[K");
  visible_ = false;
}

}  // namespace twinset::cli
