// What `urls` writes: summary, table of rules, report
// (docs/formats/urls.md).
#ifndef TWINSET_SRC_CORPORA_URLS_URL_REPORT_H_
#define TWINSET_SRC_CORPORA_URLS_URL_REPORT_H_

#include <string>
#include <vector>

#include "report/kept_page.h"
#include "twinset/corpora/urls.h"
#include "twinset/error.h"

namespace twinset {

// Names of all files of the folder.
std::vector<std::string> UrlResultFiles(const UrlsOptions& options);
KeptPage UrlPage(const UrlsOptions& options, const UrlsResult& result);
// Those that the join has not written, summary.json last.
Status WriteUrlResult(const UrlsOptions& options, const UrlsResult& result);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_URLS_URL_REPORT_H_
