// What `mirrors` writes: rows, degrees, alternatives, summary, report
// (docs/methods/mirrors.md).
#ifndef TWINSET_SRC_CORPORA_MIRRORS_MIRROR_REPORT_H_
#define TWINSET_SRC_CORPORA_MIRRORS_MIRROR_REPORT_H_

#include <span>
#include <string>

#include "mirrors/mirror_index.h"
#include "report/kept_page.h"
#include "store/result_folder.h"
#include "twinset/corpora/mirrors.h"
#include "twinset/error.h"

namespace twinset {

// Makes the page of all that the result says.
KeptPage MirrorPageOf(const MirrorsResult& result);
// Into options.out, which is `folder`; summary.json last.
Status WriteMirrors(const MirrorsOptions& options, const MirrorsResult& result,
                    std::span<const MirrorPage> pages, ResultFolder* folder);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_MIRRORS_MIRROR_REPORT_H_
