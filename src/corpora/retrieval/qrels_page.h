// What the `qrels` commands say (docs/methods/judgement-transfer.md).
#ifndef TWINSET_SRC_CORPORA_RETRIEVAL_QRELS_PAGE_H_
#define TWINSET_SRC_CORPORA_RETRIEVAL_QRELS_PAGE_H_

#include "report/kept_page.h"
#include "twinset/corpora/qrels.h"

namespace twinset {

KeptPage PageOf(const QrelsTransferResult& result);
KeptPage PageOf(const QrelsMergeResult& result);
KeptPage PageOf(const QrelsCheckResult& result);
KeptPage PageOf(const QrelsStatsResult& result);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_RETRIEVAL_QRELS_PAGE_H_
