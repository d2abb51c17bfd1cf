// --dry-run: a forecast in words.
#ifndef TWINSET_APPS_CLI_FORECAST_TEXT_H_
#define TWINSET_APPS_CLI_FORECAST_TEXT_H_

#include <string>

#include "commands.h"
#include "output.h"
#include "twinset/dedup.h"

namespace twinset::cli {

std::string ForecastText(const RunForecast& forecast);

// Flags that contradict --dry-run.
Status CheckDryRun(const Request& request);

// Tells what `forecast` expects of a run with `options`. Returns the exit code.
template <typename Options>
int TellForecast(std::string_view command, const Request& request,
                 Options options,
                 Result<RunForecast> (*forecast)(const Options&)) {
  if (const Status status = CheckDryRun(request); !status)
    return TellError(command, status.error());
  StopOnSignal stop;
  options.stop = stop.flag();
  const auto expected = forecast(options);
  if (!expected) {
    const int signal = stop.signal();
    if (expected.error().code != ErrorCode::kInterrupted || signal == 0)
      return TellError(command, expected.error());
    Tell(command, "stopped by a signal; nothing was written");
    return 128 + signal;
  }
  for (const std::string& warning : expected->warnings)
    Tell(command, "warning: " + warning);
  Output out;
  out.Write(request.json ? expected->json.dump(2) + "\n"
                         : ForecastText(*expected));
  return out.Finish(command);
}

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_FORECAST_TEXT_H_
