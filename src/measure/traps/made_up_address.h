// Addresses that fit a pattern and that no crawl has seen
// (docs/methods/traps.md).
#ifndef TWINSET_SRC_MEASURE_TRAPS_MADE_UP_ADDRESS_H_
#define TWINSET_SRC_MEASURE_TRAPS_MADE_UP_ADDRESS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "net/url_pattern.h"

namespace twinset {

// `like`, which fits the pattern, with another value wherever its own varies,
// one that no address of `crawled` has at that place: numbers and
// random-looking values of the same form, days of the years around, made-up
// words. Normalised; parameters stand by name. The same arguments give the same
// address. Empty when no value of `like` varies (an optional parameter may be
// there or not, that is no value) or none was free.
std::string MakeUpAddress(const UrlPattern& pattern, const std::string& like,
                          const std::vector<const AddressParts*>& crawled,
                          uint64_t seed);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_TRAPS_MADE_UP_ADDRESS_H_
