// --dry-run: a forecast in words.
#ifndef TWINSET_APPS_CLI_FORECAST_TEXT_H_
#define TWINSET_APPS_CLI_FORECAST_TEXT_H_

#include <string>
#include <utility>

#include "commands.h"
#include "job.h"
#include "twinset/dedup.h"

namespace twinset::cli {

std::string ForecastText(const RunForecast& forecast);

// Flags that contradict --dry-run.
Status CheckDryRun(const Request& request);

// Tells what `forecast` expects of a run with `options`. Returns the exit code.
template <typename Options, typename Forecast>
int TellForecast(std::string_view command, const Request& request,
                 Options options, const Forecast& forecast) {
  if (const Status status = CheckDryRun(request); !status)
    return TellError(command, status.error());
  return RunShown(command, request, std::move(options), {}, forecast,
                  [&](const RunForecast& expected, uint64_t, Output* out) {
                    out->Write(request.json ? expected.json.dump(2) + "\n"
                                            : ForecastText(expected));
                    return std::string();
                  });
}

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_FORECAST_TEXT_H_
