#include "core/frequency_table.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "twinset/version.h"

namespace twinset {
namespace {

constexpr std::string_view kMagic = "twinfreq";
constexpr uint32_t kLayout = 1;
constexpr size_t kHeadBytes = 8 + 4 + 4 + 8 + 8;
constexpr size_t kChecksumBytes = 8;
constexpr size_t kFeatureBytes = 8 + 4;

tl::unexpected<Error> Damaged(const std::string& what) {
  return Fail(ErrorCode::kCorrupt, "not a frequency table: " + what);
}

}  // namespace

uint32_t Log2Fixed(uint64_t x) {
  const int whole = 63 - std::countl_zero(x);
  // x / 2^whole in [1, 2), as a number of 2^-63. Squaring doubles the
  // logarithm, whose next binary digit is then its whole part.
  uint64_t mantissa = x << (63 - whole);
  uint32_t log = static_cast<uint32_t>(whole);
  for (int digit = 0; digit < 16; ++digit) {
    const auto square =
        static_cast<unsigned __int128>(mantissa) * mantissa;  // of 2^-126
    const bool doubled = (square >> 127) != 0;
    mantissa = static_cast<uint64_t>(square >> (doubled ? 64 : 63));
    log = log << 1 | static_cast<uint32_t>(doubled);
  }
  return log;
}

FrequencyTable::FrequencyTable(uint64_t documents,
                               std::vector<uint64_t> features,
                               std::vector<uint32_t> frequencies)
    : documents_(documents),
      features_(std::move(features)),
      frequencies_(std::move(frequencies)) {}

uint32_t FrequencyTable::Frequency(uint64_t feature) const {
  const auto at = std::lower_bound(features_.begin(), features_.end(), feature);
  if (at == features_.end() || *at != feature) return 1;
  return frequencies_[static_cast<size_t>(at - features_.begin())];
}

uint32_t FrequencyTable::Idf(uint64_t feature) const {
  const uint64_t frequency = Frequency(feature);
  if (documents_ <= frequency) return 0;
  return Log2Fixed(documents_) - Log2Fixed(frequency);
}

std::string FrequencyTable::Encode() const {
  std::string bytes;
  bytes.reserve(kHeadBytes + features_.size() * kFeatureBytes + kChecksumBytes);
  bytes.append(kMagic);
  AppendLE<uint32_t>(&bytes, kLayout);
  AppendLE<uint32_t>(&bytes, kSpecCode);
  AppendLE<uint64_t>(&bytes, documents_);
  AppendLE<uint64_t>(&bytes, features_.size());
  for (const uint64_t feature : features_) AppendLE(&bytes, feature);
  for (const uint32_t frequency : frequencies_) AppendLE(&bytes, frequency);
  AppendLE<uint64_t>(&bytes, Hash64(bytes));
  return bytes;
}

Result<FrequencyTable> FrequencyTable::Decode(std::string_view bytes) {
  if (bytes.size() < kHeadBytes + kChecksumBytes ||
      bytes.substr(0, kMagic.size()) != kMagic)
    return Damaged("it does not begin like one");
  const std::string_view body = bytes.substr(0, bytes.size() - kChecksumBytes);
  if (LoadLE<uint64_t>(bytes.data() + body.size()) != Hash64(body))
    return Damaged("its checksum is wrong");
  ByteReader reader(body.substr(kMagic.size()));
  const auto layout = reader.Read<uint32_t>();
  const auto spec = reader.Read<uint32_t>();
  if (layout != kLayout || spec != kSpecCode)
    return Damaged("its layout or spec is another");
  const auto documents = reader.Read<uint64_t>();
  const auto count = reader.Read<uint64_t>();
  if (count > kMaxFeatures || body.size() != kHeadBytes + count * kFeatureBytes)
    return Damaged("its length is wrong");
  std::vector<uint64_t> features(count);
  for (uint64_t& feature : features) feature = reader.Read<uint64_t>();
  std::vector<uint32_t> frequencies(count);
  for (uint32_t& frequency : frequencies) frequency = reader.Read<uint32_t>();
  const auto unordered = [](uint64_t a, uint64_t b) { return a >= b; };
  if (std::adjacent_find(features.begin(), features.end(), unordered) !=
      features.end())
    return Damaged("its features are not in order");
  for (const uint32_t frequency : frequencies) {
    if (frequency == 0 || frequency > documents)
      return Damaged("a frequency is out of range");
  }
  return FrequencyTable(documents, std::move(features), std::move(frequencies));
}

}  // namespace twinset
