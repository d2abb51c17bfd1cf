#include "pipeline/read/token_store.h"

#include <algorithm>
#include <bit>

#include "base/utf8.h"
#include "text/tokens/token_places.h"

namespace twinset {

namespace {

// A document is stored as: the number of its tokens and the bytes of their
// text, each with a space behind it; that text; where the clean text begins in
// the source; and for each token how many code points go with it, doubled, and
// 1 more if not as many bytes of the source do: then how many more bytes, with
// its sign in the lowest bit.
constexpr size_t kHeaderBytes = 2 * sizeof(uint64_t);

Error Damaged() {
  return {ErrorCode::kCorrupt, "the stored tokens of a document are damaged"};
}

uint64_t WithSignLast(int64_t value) {
  return static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63);
}

int64_t WithSign(uint64_t value) {
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

// Where the first space stands, or the end. Eight bytes at a time: most tokens
// have fewer.
size_t SpaceIn(std::string_view text) {
  constexpr uint64_t kOnes = 0x0101010101010101, kHighs = kOnes << 7;
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    const uint64_t bytes = LoadLE<uint64_t>(text.data() + at) ^ kOnes * ' ';
    const uint64_t zeros = (bytes - kOnes) & ~bytes & kHighs;
    if (zeros != 0)
      return at + static_cast<size_t>(std::countr_zero(zeros)) / 8;
  }
  while (at < text.size() && text[at] != ' ') ++at;
  return at;
}

struct Header {
  uint64_t tokens = 0;
  std::string_view text, table;
};

Result<Header> ReadHeader(std::string_view bytes) {
  ByteReader reader(bytes);
  Header header;
  header.tokens = reader.Read<uint64_t>();
  const auto text_bytes = reader.Read<uint64_t>();
  header.text = reader.ReadBytes(text_bytes);
  if (!reader.ok()) return tl::unexpected(Damaged());
  header.table = bytes.substr(kHeaderBytes + text_bytes);
  return header;
}

class PlaceEncoder {
 public:
  explicit PlaceEncoder(const CleanText& clean)
      : clean_(clean), source_(SourceOffset(clean, 0)) {
    AppendVarint(&table_, static_cast<uint64_t>(source_));
  }

  // The stretch that ends at byte `end` of the clean text.
  void Add(uint32_t end) {
    const auto code_points = static_cast<int64_t>(CountCodePoints(
        std::string_view(clean_.text).substr(begin_, end - begin_)));
    const uint32_t source = SourceOffset(clean_, end);
    const int64_t more = int64_t{source} - source_ - code_points;
    AppendVarint(&table_,
                 static_cast<uint64_t>(code_points) << 1 | (more != 0));
    if (more != 0) AppendVarint(&table_, WithSignLast(more));
    begin_ = end;
    source_ = source;
  }
  const std::string& table() const { return table_; }

 private:
  const CleanText& clean_;
  std::string table_;
  uint32_t begin_ = 0;
  int64_t source_;
};

}  // namespace

UnitCounts EncodeTokens(TokenRule rule, const CleanText& clean,
                        UnitScratch* scratch, std::string* bytes) {
  bytes->assign(kHeaderBytes, '\0');
  PlaceEncoder places(clean);
  bool is_first = true;
  const UnitCounts counts = ForEachToken(
      clean.text, rule, scratch, [&](std::string_view token, uint32_t begin) {
        if (!is_first) places.Add(begin);
        is_first = false;
        *bytes += token;
        *bytes += ' ';
      });
  if (!is_first) places.Add(static_cast<uint32_t>(clean.text.size()));
  StoreLE<uint64_t>(bytes->data(), counts.tokens);
  StoreLE<uint64_t>(bytes->data() + 8, bytes->size() - kHeaderBytes);
  *bytes += places.table();
  return counts;
}

uint64_t CountStoredTokens(std::string_view bytes) {
  return ByteReader(bytes).Read<uint64_t>();
}

Result<StoredTokens> StoredTokens::Open(std::string_view bytes) {
  TWINSET_ASSIGN(const Header header, ReadHeader(bytes));
  StoredTokens tokens;
  tokens.tokens_ = header.tokens;
  tokens.rest_ = header.text;
  return tokens;
}

std::string_view StoredTokens::Next() {
  const size_t end = SpaceIn(rest_);
  const std::string_view token = rest_.substr(0, end);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  number_ += !token.empty();
  return token;
}

Status StoredTokens::SkipTo(uint64_t number) {
  while (number_ < number) {
    if (Next().empty()) return tl::unexpected(Damaged());
  }
  return {};
}

Result<StoredTokenPlaces> StoredTokenPlaces::Open(std::string_view bytes) {
  TWINSET_ASSIGN(const Header header, ReadHeader(bytes));
  StoredTokenPlaces places(header.table);
  places.place_.source = places.reader_.ReadVarint();
  if (!places.reader_.ok()) return tl::unexpected(Damaged());
  return places;
}

Result<StoredTokenPlaces::Place> StoredTokenPlaces::At(uint64_t number) {
  for (; number_ < number; ++number_) {
    const uint64_t doubled = reader_.ReadVarint();
    const uint64_t code_points = doubled >> 1;
    place_.code_point += code_points;
    place_.source += code_points;
    if ((doubled & 1) != 0)
      place_.source += static_cast<uint64_t>(WithSign(reader_.ReadVarint()));
    if (!reader_.ok()) return tl::unexpected(Damaged());
  }
  return place_;
}

}  // namespace twinset
