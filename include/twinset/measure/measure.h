// Measures engines, webs and networks from outside.
#ifndef TWINSET_MEASURE_MEASURE_H_
#define TWINSET_MEASURE_MEASURE_H_

#include "twinset/measure/auction.h"
#include "twinset/measure/choices.h"
#include "twinset/measure/engine.h"
#include "twinset/measure/estimate.h"
#include "twinset/measure/fetch.h"
#include "twinset/measure/graph.h"
#include "twinset/measure/query_log.h"
#include "twinset/measure/random_ip.h"
#include "twinset/measure/rescue.h"
#include "twinset/measure/sample.h"
#include "twinset/measure/sample_counts.h"
#include "twinset/measure/traps.h"
#include "twinset/measure/walk.h"

#endif  // TWINSET_MEASURE_MEASURE_H_
