// The extension module twinset._native. Everything that a user sees stands in
// the Python files of the package.
#include <nanobind/nanobind.h>

#include "band_index.h"
#include "collection_runs.h"
#include "column.h"
#include "command_host.h"
#include "datasketch.h"
#include "live_index.h"
#include "sessions.h"
#include "stages.h"
#include "twinset/version.h"

namespace nb = nanobind;

NB_MODULE(_native, module) {
  using namespace twinset::python;
  nb::set_leak_warnings(false);
  module.attr("version") = twinset::kVersion;
  module.attr("spec_version") = twinset::kSpecText;
  BindColumns(module);
  BindCommands(module);
  BindCollectionRuns(module);
  BindSessions(module);
  BindLiveIndex(module);
  BindStages(module);
  BindLeakStages(module);
  BindDatasketch(module);
  BindBandIndex(module);
}
