// Finds, for a match whose second side is a saved run, which of its documents
// may be in a pair (docs/formats/saved-run.md). Later stages see no others.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_PAIRS_ASK_STAGE_H_
#define TWINSET_SRC_DEDUP_PIPELINE_PAIRS_ASK_STAGE_H_

#include "pipeline/run/run.h"

namespace twinset {

// Where plan.inputs.stored is asked: makes the keys of the first side, and
// takes over each document of the saved run that shares a key, or all its
// features, with one of them. Goes through a few bytes of each document
// (lookup_file.h) where the saved run has them and few documents ask; else it
// reads documents of the saved run and their sketches (or what is sketched)
// from front to back, features and ids only of those that it takes. Memory:
// about 10 bytes per key of the first side, and what lookup_file.h says; where
// keys do not fit, every document is taken. Else does nothing.
Status AskStage(Run* run);

// Makes what AskStage left the documents of the run.
Status UseAsked(Run* run);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_PAIRS_ASK_STAGE_H_
