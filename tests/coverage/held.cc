#include "coverage/held.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

namespace twinset {

bool IsLong() {
  const char* value = std::getenv("TWINSET_LONG");
  return value != nullptr && *value != '\0' && *value != '0';
}

void Tell(const std::string& interval, const std::string& population,
          const Held& held, bool holds) {
  const bool few = held.printed < kLeastPrinted;
  if (IsLong()) {
    std::printf("| %s | %s | %d | ", interval.c_str(), population.c_str(),
                held.printed);
    std::printf(few ? "- |\n" : "%.1f |\n", 100 * held.Share());
  }
  if (few || !holds) return;
  EXPECT_GE(held.Share(), kLeastCoverage) << interval << ", " << population;
}

void TellGrouped(const std::string& interval, const std::string& population,
                 const Held& held, const Held& naive) {
  if (IsLong()) {
    std::printf("| %s | %s | %d | %.1f | %.1f |\n", interval.c_str(),
                population.c_str(), held.printed, 100 * held.Share(),
                100 * naive.Share());
  }
  EXPECT_GE(held.Share(), kLeastCoverage) << interval << ", " << population;
}

std::string Short(double number) { return std::to_string(number).substr(0, 4); }

}  // namespace twinset
