#include "pipeline/made_up_texts.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/hash.h"

namespace twinset {

namespace {

constexpr size_t kWords = 20'000, kRecent = 1000;
constexpr uint64_t kBytesAWord = 6;  // with the space behind it

using Words = std::vector<uint32_t>;

class Maker {
 public:
  explicit Maker(uint64_t bytes)
      : words_(std::max<uint64_t>(1, bytes / kBytesAWord)) {}

  const Words& Next() {
    if (recent_.size() < kRecent || Below(2) == 0) {
      Words made(words_ / 2 + Below(words_ + 1));
      for (uint32_t& word : made) word = Word();
      return Keep(std::move(made));
    }
    // Copies are not copied: pairs grow with the documents.
    copy_ = recent_[Below(recent_.size())];
    const uint64_t per_mille = Below(10) == 0 ? 0 : Below(150);
    for (uint32_t& word : copy_)
      if (Below(1000) < per_mille) word = Word();
    return copy_;
  }

 private:
  uint64_t Below(uint64_t end) { return Mix64(++state_) % end; }
  // Low numbers are frequent, as words of a text are.
  uint32_t Word() {
    const double uniform = static_cast<double>(Below(1 << 30)) / (1 << 30);
    return static_cast<uint32_t>(kWords * uniform * uniform * uniform);
  }
  const Words& Keep(Words made) {
    if (recent_.size() < kRecent) return recent_.emplace_back(std::move(made));
    Words& slot = recent_[place_++ % kRecent];
    slot = std::move(made);
    return slot;
  }

  const uint64_t words_;
  uint64_t state_ = 0;
  size_t place_ = 0;
  std::vector<Words> recent_;
  Words copy_;
};

// Five letters on average.
void AppendWord(uint32_t number, std::string* text) {
  for (int i = number % 3 == 0 ? 3 : number % 3 == 1 ? 5 : 7; i > 0; --i) {
    *text += static_cast<char>('a' + number % 26);
    number /= 26;
  }
  *text += ' ';
}

}  // namespace

Status WriteMadeUpTexts(const std::string& path, uint64_t documents,
                        uint64_t bytes) {
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(path));
  Maker maker(bytes);
  std::string row;
  for (uint64_t i = 0; i < documents; ++i) {
    row = "{\"id\":\"" + std::to_string(i) + "\",\"text\":\"";
    for (const uint32_t word : maker.Next()) AppendWord(word, &row);
    row.back() = '"';
    TWINSET_TRY(file.Write(row + "}\n"));
  }
  return file.Commit();
}

}  // namespace twinset
