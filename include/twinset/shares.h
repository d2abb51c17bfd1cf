// A part of a whole, both counted.
#ifndef TWINSET_SHARES_H_
#define TWINSET_SHARES_H_

#include <cstdint>

namespace twinset {
inline namespace v1 {

struct Share {
  uint64_t part = 0, whole = 0;

  // Within [0, 1] where part <= whole; 0 without a whole.
  double value() const {
    return whole == 0 ? 0
                      : static_cast<double>(part) / static_cast<double>(whole);
  }
};

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_SHARES_H_
