// An engine by its folder or description, whatever it is made of.
#ifndef TWINSET_SRC_MEASURE_ENGINE_OPEN_ENGINE_H_
#define TWINSET_SRC_MEASURE_ENGINE_OPEN_ENGINE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "engine/engine.h"
#include "engine/engine_folder.h"
#include "engine/pipe_engine.h"
#include "twinset/error.h"
#include "twinset/measure/engine.h"

namespace twinset {

// Questions and pages that may still be asked for, over several engines.
struct RequestBudget {
  uint64_t left = 0;
};

struct OpenEngineOptions {
  AnswerBiases answers;  // on top of those that the engine has
  std::string record;    // file of answers: what is in it is not asked again
  std::string replay;    // file of answers: nothing else is asked at all
  FetchOptions fetching;
  // With fetching.max_requests: what is left of them; null: all, for this one.
  std::shared_ptr<RequestBudget> requests;
};

// `engine`: a folder made by `twinset engine build`, or a file that describes
// one elsewhere (docs/formats/engine.md). With `replay` it need not exist; when
// it does, it must be the one that the answers are of. kUsage for one that is a
// program without fetching.allow_programs.
Result<std::unique_ptr<Engine>> OpenEngine(
    const std::string& engine, const OpenEngineOptions& options = {});

// How the program of an engine of type xapian, postgres or program is started.
// kUsage for any other type and for what is missing. `networks`: where a server
// of type postgres may be beside the public internet, whatever the description
// says.
Result<PipeEngineOptions> PipeOptionsOf(
    const EngineDescription& description,
    const std::vector<std::string>& networks);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_ENGINE_OPEN_ENGINE_H_
