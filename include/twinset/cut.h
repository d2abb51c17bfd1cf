// Lists units of text that repeat inside a corpus (paragraphs, lines or
// sentences), and cuts them out of the documents.
#ifndef TWINSET_CUT_H_
#define TWINSET_CUT_H_

#include <cstdint>

#include "twinset/error.h"
#include "twinset/options.h"
#include "twinset/run_summary.h"

namespace twinset {
inline namespace v1 {

// With `write`, the inputs must be text (JSONL, CSV, TSV, text files), because
// a cut would leave markup broken.
struct CutOptions : RunOptions, UnitOptions {
  TokenRule tokens = TokenRule::kUnicode;  // or kWhitespace
  ContentMode content = ContentMode::kMain;
};

// What a finished run did. The files in `CutOptions::out` hold the rest.
struct CutSummary : RunSummary {
  uint64_t units = 0;     // in all documents, the short ones too
  uint64_t repeated = 0;  // different texts that stand more than once
  uint64_t cut = 0, tokens_cut = 0;
};

// Reads every input, finds the units that stand more than once and writes the
// result files (docs/methods/units.md) into options.out, summary.json last. All
// documents stay. Errors, resume, memory and threads are as those of Dedup.
Result<CutSummary> Cut(const CutOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CUT_H_
