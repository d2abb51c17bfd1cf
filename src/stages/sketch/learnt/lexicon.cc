#include "sketch/learnt/lexicon.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "core/frequency_table.h"
#include "store/file_header.h"

namespace twinset {
namespace {

constexpr uint64_t kChecksumBytes = 8;
// What a term takes beside its text: hash, frequency, length.
constexpr uint64_t kTermHeadBytes = 8 + 4 + 4;
constexpr uint64_t kMaxFileBytes =
    kFileHeaderBytes + 4096 +
    Lexicon::kMaxTerms * (kTermHeadBytes + Lexicon::kMaxTermBytes);

FileHeader Header() { return {"lexicon", 2, 0, 0}; }

tl::unexpected<Error> Damaged(const std::string& what,
                              const std::string& where) {
  return Fail(ErrorCode::kCorrupt, "the lexicon is damaged: " + what, where,
              "build it again with 'twinset lexicon build'");
}

uint64_t DoubleBits(double value) { return std::bit_cast<uint64_t>(value); }

// Terms in the order of rank: common ones first, ties by hash.
bool RanksBefore(const LexiconTerm& x, const LexiconTerm& y) {
  return x.frequency != y.frequency ? x.frequency > y.frequency
                                    : x.hash < y.hash;
}

Status CheckContent(const Lexicon& lexicon, const std::string& where) {
  if (!CheckLexiconRules(lexicon.rules))
    return Damaged("its parameters are out of range", where);
  const uint64_t count = lexicon.terms.size();
  if (lexicon.ranked > lexicon.counted || lexicon.first_rank > lexicon.ranked ||
      count > lexicon.ranked - lexicon.first_rank)
    return Damaged("its counts contradict each other", where);
  for (uint64_t i = 0; i < count; ++i) {
    const LexiconTerm& term = lexicon.terms[i];
    if (term.frequency < lexicon.rules.min_df ||
        term.frequency > lexicon.documents)
      return Damaged("a frequency is out of range", where);
    if (term.text.size() > Lexicon::kMaxTermBytes)
      return Damaged("a term is too long", where);
    if (i > 0 && !RanksBefore(lexicon.terms[i - 1], term))
      return Damaged("its terms are not in order", where);
  }
  const std::vector<uint64_t> hashes = lexicon.SortedHashes();
  if (std::adjacent_find(hashes.begin(), hashes.end()) != hashes.end())
    return Damaged("a term stands twice", where);
  return {};
}

}  // namespace

Status CheckLexiconRules(const LexiconRules& rules) {
  if (rules.min_df < 1) {
    return Fail(ErrorCode::kUsage,
                "a term of a lexicon is in at least 1 document", "",
                "--min-df 1 or more");
  }
  if (!(rules.drop_common >= 0 && rules.drop_rare >= 0 &&
        rules.drop_common + rules.drop_rare < 1)) {
    return Fail(
        ErrorCode::kUsage,
        "the shares of the range that a lexicon drops must be at least 0 and "
        "together below 1",
        "", "make --drop-common or --drop-rare smaller");
  }
  return {};
}

uint32_t Lexicon::Idf(const LexiconTerm& term) const {
  if (term.frequency == 0 || documents <= term.frequency) return 0;
  return Log2Fixed(documents) - Log2Fixed(term.frequency);
}

std::vector<uint64_t> Lexicon::SortedHashes() const {
  std::vector<uint64_t> hashes;
  hashes.reserve(terms.size());
  for (const LexiconTerm& term : terms) hashes.push_back(term.hash);
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}

std::string Lexicon::Encode() const {
  const auto header = EncodeFileHeader(Header());
  std::string bytes(header.data(), header.size());
  AppendLE<uint64_t>(&bytes, documents);
  AppendLE<uint64_t>(&bytes, counted);
  AppendLE<uint64_t>(&bytes, ranked);
  AppendLE<uint64_t>(&bytes, first_rank);
  AppendLE<uint64_t>(&bytes, terms.size());
  AppendLE<uint64_t>(&bytes, DoubleBits(rules.drop_common));
  AppendLE<uint64_t>(&bytes, DoubleBits(rules.drop_rare));
  AppendLE<uint32_t>(&bytes, rules.min_df);
  AppendSized(&bytes, tokens);
  for (const LexiconTerm& term : terms) {
    AppendLE<uint64_t>(&bytes, term.hash);
    AppendLE<uint32_t>(&bytes, term.frequency);
    AppendSized(&bytes, term.text);
  }
  AppendLE<uint64_t>(&bytes, Hash64(bytes));
  return bytes;
}

Result<Lexicon> Lexicon::Decode(std::string_view bytes,
                                const std::string& where) {
  if (bytes.size() < kFileHeaderBytes + kChecksumBytes) {
    return Fail(ErrorCode::kCorrupt, "this is not a lexicon", where,
                "a lexicon is made by 'twinset lexicon build'");
  }
  std::array<char, kFileHeaderBytes> header;
  std::memcpy(header.data(), bytes.data(), header.size());
  Status checked = CheckFileHeader(header, Header(), where);
  if (!checked) {
    Error error = std::move(checked).error();
    error.message = "the lexicon cannot be used: " + error.message;
    error.remedy = "build it again with 'twinset lexicon build'";
    return tl::unexpected(std::move(error));
  }
  const std::string_view body = bytes.substr(0, bytes.size() - kChecksumBytes);
  if (LoadLE<uint64_t>(bytes.data() + body.size()) != Hash64(body))
    return Damaged("its checksum is wrong", where);
  ByteReader reader(body.substr(kFileHeaderBytes));
  Lexicon lexicon;
  lexicon.documents = reader.Read<uint64_t>();
  lexicon.counted = reader.Read<uint64_t>();
  lexicon.ranked = reader.Read<uint64_t>();
  lexicon.first_rank = reader.Read<uint64_t>();
  const auto count = reader.Read<uint64_t>();
  lexicon.rules.drop_common = std::bit_cast<double>(reader.Read<uint64_t>());
  lexicon.rules.drop_rare = std::bit_cast<double>(reader.Read<uint64_t>());
  lexicon.rules.min_df = reader.Read<uint32_t>();
  lexicon.tokens = reader.ReadSized();
  if (!reader.ok() || count > kMaxTerms ||
      count * kTermHeadBytes > bytes.size())
    return Damaged("its length is wrong", where);
  lexicon.terms.resize(count);
  for (LexiconTerm& term : lexicon.terms) {
    term.hash = reader.Read<uint64_t>();
    term.frequency = reader.Read<uint32_t>();
    term.text = reader.ReadSized();
  }
  if (!reader.ok() || !reader.AtEnd())
    return Damaged("its length is wrong", where);
  TWINSET_TRY(CheckContent(lexicon, where));
  return lexicon;
}

Result<Lexicon> ReadLexicon(const std::string& path) {
  TWINSET_ASSIGN(const std::string bytes, ReadWholeFile(path, kMaxFileBytes));
  return Lexicon::Decode(bytes, path);
}

Status WriteLexicon(const Lexicon& lexicon, const std::string& path) {
  return WriteWholeFile(path, lexicon.Encode());
}

}  // namespace twinset
