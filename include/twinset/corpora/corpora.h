// Compares corpora, and studies what one tells of the other.
#ifndef TWINSET_CORPORA_CORPORA_H_
#define TWINSET_CORPORA_CORPORA_H_

#include "twinset/corpora/assess.h"
#include "twinset/corpora/change.h"
#include "twinset/corpora/change_counts.h"
#include "twinset/corpora/crawls.h"
#include "twinset/corpora/leak.h"
#include "twinset/corpora/leak_stages.h"
#include "twinset/corpora/mirrors.h"
#include "twinset/corpora/patch.h"
#include "twinset/corpora/predict.h"
#include "twinset/corpora/qrels.h"
#include "twinset/corpora/run_comparison.h"
#include "twinset/corpora/runs.h"
#include "twinset/corpora/seeds.h"
#include "twinset/corpora/study.h"
#include "twinset/corpora/study_addresses.h"
#include "twinset/corpora/study_assessment.h"
#include "twinset/corpora/study_counts.h"
#include "twinset/corpora/study_mixes.h"
#include "twinset/corpora/study_searches.h"
#include "twinset/corpora/study_transfer.h"
#include "twinset/corpora/urls.h"

#endif  // TWINSET_CORPORA_CORPORA_H_
