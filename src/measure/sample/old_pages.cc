#include "sample/old_pages.h"

#include <algorithm>

#include "base/hash.h"
#include "net/url.h"

namespace twinset {

namespace {

constexpr size_t kSampled = 128;

uint64_t FingerprintOf(const std::vector<uint64_t>& shingles) {
  uint64_t fingerprint = shingles.size();
  for (const uint64_t shingle : shingles)
    fingerprint = Mix64(fingerprint ^ shingle);
  return fingerprint;
}

std::vector<uint64_t> Least(const std::vector<uint64_t>& shingles) {
  return {shingles.begin(),
          shingles.begin() +
              static_cast<std::ptrdiff_t>(std::min(shingles.size(), kSampled))};
}

// The resemblance of two sets by the least members of their union.
double SampledResemblance(const std::vector<uint64_t>& a,
                          const std::vector<uint64_t>& b) {
  size_t i = 0, j = 0, both = 0, seen = 0;
  for (; seen < kSampled && (i < a.size() || j < b.size()); ++seen) {
    const bool from_a = j == b.size() || (i < a.size() && a[i] <= b[j]);
    const bool from_b = i == a.size() || (j < b.size() && b[j] <= a[i]);
    both += from_a && from_b;
    i += from_a;
    j += from_b;
  }
  return seen == 0 ? 0 : static_cast<double>(both) / static_cast<double>(seen);
}

}  // namespace

void OldPages::Keep(const std::string& url, int64_t seconds,
                    const std::vector<uint64_t>& shingles) {
  Page page = {seconds, FingerprintOf(shingles), Least(shingles)};
  const auto [at, added] = pages_.try_emplace(NormaliseUrl(url), page);
  if (!added && seconds >= at->second.seconds) at->second = std::move(page);
}

bool OldPages::IsSister(const std::string& url,
                        const std::vector<uint64_t>& now,
                        const std::vector<uint64_t>& dead) const {
  const auto found = pages_.find(NormaliseUrl(url));
  if (found == pages_.end()) return false;
  const Page& old = found->second;
  const uint64_t of_dead = FingerprintOf(dead);
  if (old.fingerprint == of_dead) return false;
  const uint64_t of_now = FingerprintOf(now);
  if (of_now == old.fingerprint) return true;
  if (of_now == of_dead) return false;
  const std::vector<uint64_t> least = Least(now);
  return SampledResemblance(least, old.least) >
         SampledResemblance(least, Least(dead));
}

}  // namespace twinset
