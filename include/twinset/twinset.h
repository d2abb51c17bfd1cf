// The core: finds, verifies, explains and evaluates duplicates. Programs that
// compile quickly include the headers that they need.
#ifndef TWINSET_TWINSET_H_
#define TWINSET_TWINSET_H_

#include "twinset/batch.h"
#include "twinset/choices.h"
#include "twinset/collection.h"
#include "twinset/decision.h"
#include "twinset/dedup.h"
#include "twinset/document.h"
#include "twinset/error.h"
#include "twinset/evaluate.h"
#include "twinset/explain.h"
#include "twinset/hamming.h"
#include "twinset/index.h"
#include "twinset/index_files.h"
#include "twinset/inspect.h"
#include "twinset/json.h"
#include "twinset/judgements.h"
#include "twinset/lexicon.h"
#include "twinset/lists.h"
#include "twinset/method_choices.h"
#include "twinset/methods.h"
#include "twinset/options.h"
#include "twinset/plain_words.h"
#include "twinset/progress.h"
#include "twinset/results.h"
#include "twinset/run_view.h"
#include "twinset/saved_run.h"
#include "twinset/session.h"
#include "twinset/sketches.h"
#include "twinset/source_runs.h"
#include "twinset/steps.h"
#include "twinset/text_choices.h"
#include "twinset/tune.h"
#include "twinset/version.h"

#endif  // TWINSET_TWINSET_H_
