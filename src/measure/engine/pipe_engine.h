// Engines that are programs of their own: Xapian, PostgreSQL, engines over
// HTTP, or what users write (docs/methods/engine-programs.md).
#ifndef TWINSET_SRC_MEASURE_ENGINE_PIPE_ENGINE_H_
#define TWINSET_SRC_MEASURE_ENGINE_PIPE_ENGINE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/engine_builder.h"
#include "twinset/error.h"

namespace twinset {

struct PipeEngineOptions {
  std::string program;  // a path, or the name of a program beside twinset
  std::vector<std::string> arguments;
  std::string configuration = "{}";  // a JSON object, for the program
  uint32_t timeout_ms = 30000;       // for each reply
  std::string name;                  // of the engine, for reports
};

// Starts the program. A question that it does not answer in time, or answers
// with garbage, is an error of this question (kUnavailable, kCorrupt); the next
// question starts it anew, at most 5 times without an answer between.
Result<std::unique_ptr<Engine>> OpenPipeEngine(
    const PipeEngineOptions& options);

// A program that is gone is not started anew: what it had is lost, and every
// further call gives the error again.
Result<std::unique_ptr<EngineBuilder>> OpenPipeBuilder(
    const PipeEngineOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_ENGINE_PIPE_ENGINE_H_
