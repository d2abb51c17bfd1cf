// How often intervals hold, told and checked alike by all tests of them.
#ifndef TWINSET_TESTS_COVERAGE_HELD_H_
#define TWINSET_TESTS_COVERAGE_HELD_H_

#include <string>

#include "estimate/intervals.h"

namespace twinset {

inline constexpr int kSeeds = 400;
inline constexpr double kLeastCoverage = 0.9;
// Fewer intervals say nothing of how many hold.
inline constexpr int kLeastPrinted = 20;

// Counts the intervals that are printed, and those of them that hold the truth.
struct Held {
  int printed = 0, held = 0;
  void Add(const Interval& interval, double truth) {
    ++printed;
    held += interval.Contains(truth);
  }
  double Share() const {
    return printed == 0 ? 1 : static_cast<double>(held) / printed;
  }
};

// Returns true iff TWINSET_LONG asks for the tables of docs/studies.
bool IsLong();

// Prints a row of the table, and expects what must hold to do so. `holds`:
// false of the few that are printed and known not to.
void Tell(const std::string& interval, const std::string& population,
          const Held& held, bool holds = true);

// With what held had the pairs been taken one by one.
void TellGrouped(const std::string& interval, const std::string& population,
                 const Held& held, const Held& naive);

// Two digits behind the point, cut.
std::string Short(double number);

}  // namespace twinset

#endif  // TWINSET_TESTS_COVERAGE_HELD_H_
