// Dates as pages write them.
#ifndef TWINSET_SRC_STAGES_TEXT_PAGE_PAGE_DATE_H_
#define TWINSET_SRC_STAGES_TEXT_PAGE_PAGE_DATE_H_

#include <string>
#include <string_view>

namespace twinset {

// `text` in RFC 3339: "2012-05-31", or "2012-05-31T10:00:00+02:00" when it has
// a time; a time without a zone is taken as UTC, fractions of seconds are cut.
// Reads ISO 8601 calendar dates (year first; '-', '/', '.' or nothing between,
// 'T' or a space before the time) and RFC 1123 ("Thu, 31 May 2012 10:00:00
// GMT", also without the day's name, and with months in full). Empty for
// everything else, for days that no calendar has and for years before 1000.
// Pure; looks at 64 bytes at most.
std::string ToRfc3339(std::string_view text);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_PAGE_PAGE_DATE_H_
