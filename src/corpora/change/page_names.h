// What is read off an address, a time and a fingerprint when change is written
// down.
#ifndef TWINSET_SRC_CORPORA_CHANGE_PAGE_NAMES_H_
#define TWINSET_SRC_CORPORA_CHANGE_PAGE_NAMES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace twinset {

inline constexpr double kSecondsADay = 86400;

// Segments of the path that are not empty; the last counts too.
size_t DepthOf(std::string_view address);
// The last label of the host; "(none)" of what has no scheme and so no host.
std::string_view TopLevelOfAddress(std::string_view address);
// The host as it is written; empty of what has none.
std::string_view HostOfAddress(std::string_view address);

// "2024-01-08T00:00:00Z" and "20240108000000" of seconds since 1970, in the
// years 0 to 9999.
std::string UtcText(int64_t seconds);
std::string DigitsText(int64_t seconds);

// The 8 bytes, the lowest first, in base64: how the change service of the
// Wayback Machine writes fingerprints.
std::string Base64Of(uint64_t value);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_CHANGE_PAGE_NAMES_H_
