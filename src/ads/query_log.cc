// stub
#include "twinset/auction.h"
namespace twinset {
Result<QueryLogResult> MeasureQueryLog(const QueryLogOptions&) { return Fail(ErrorCode::kUnsupported, "not there yet"); }
Result<SearchPageInfo> WriteSearchPage(const SearchPageOptions&) { return Fail(ErrorCode::kUnsupported, "not there yet"); }
}
