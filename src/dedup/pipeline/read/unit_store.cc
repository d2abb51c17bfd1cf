#include "pipeline/read/unit_store.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/utf8.h"

namespace twinset {

namespace {

constexpr size_t kHeaderBytes = 3 * sizeof(uint64_t);

void AppendSizedText(std::string* to, std::string_view text) {
  AppendVarint(to, text.size());
  *to += text;
}

// A unit is stored as: the length of its normalised text (32 bits), that text,
// a byte of flags, then what they do not say.
enum UnitFlag : uint8_t {
  kFollowsNumber = 1,  // number is the one after the last
  kFollowsText = 2,    // begins where the last ended
  kFollowsSource = 4,  // so too in the source, and is as long there
  kIsExcerpt = 8,      // the excerpt is the normalised text
};

class UnitEncoder {
 public:
  UnitEncoder(const CleanText& clean, std::string* bytes)
      : clean_(clean), text_(clean.text), bytes_(bytes) {
    // What is not filled is never touched.
    if (text_.size() > kLargeText) bytes_->reserve(4 * text_.size());
    bytes_->assign(kHeaderBytes + sizeof(uint32_t), '\0');
  }

  // Finishes the unit whose text stands at the end of `bytes`.
  void Add(const TextUnit& unit, bool is_stored) {
    const size_t begin = bytes_->size() - unit.normalised.size();
    if (is_stored) {
      StoreLE<uint32_t>(bytes_->data() + begin - sizeof(uint32_t),
                        static_cast<uint32_t>(unit.normalised.size()));
      AddFields(unit, begin);
      bytes_->append(sizeof(uint32_t), '\0');
      ++stored_;
    } else {
      bytes_->resize(begin);
    }
    ++number_;
  }

  void Finish(const UnitCounts& counts) {
    bytes_->resize(bytes_->size() - sizeof(uint32_t));
    StoreLE<uint64_t>(bytes_->data(), counts.units);
    StoreLE<uint64_t>(bytes_->data() + 8, counts.tokens);
    StoreLE<uint64_t>(bytes_->data() + 16, stored_);
  }

 private:
  static constexpr size_t kLargeText = 64 << 10;

  void AddFields(const TextUnit& unit, size_t normalised) {
    const uint64_t begin = CodePointsTo(unit.begin);
    const uint64_t end = CodePointsTo(unit.end);
    const uint64_t source_begin = SourceOffset(clean_, unit.begin);
    const uint64_t source_end =
        std::max<uint64_t>(source_begin, SourceOffset(clean_, unit.end));
    const std::string_view excerpt =
        UnitExcerpt(text_.substr(unit.begin, unit.end - unit.begin));
    uint8_t flags = 0;
    if (number_ == next_number_) flags |= kFollowsNumber;
    if (begin == last_end_) flags |= kFollowsText;
    if (source_begin == last_source_end_ &&
        source_end - source_begin == end - begin)
      flags |= kFollowsSource;
    if (std::string_view(*bytes_).substr(normalised) == excerpt)
      flags |= kIsExcerpt;
    *bytes_ += static_cast<char>(flags);
    if ((flags & kFollowsNumber) == 0)
      AppendVarint(bytes_, number_ - next_number_);
    if ((flags & kFollowsText) == 0) AppendVarint(bytes_, begin - last_end_);
    AppendVarint(bytes_, end - begin);
    if ((flags & kFollowsSource) == 0) {
      AppendVarint(bytes_, source_begin);
      AppendVarint(bytes_, source_end - source_begin);
    }
    AppendVarint(bytes_, unit.tokens);
    if ((flags & kIsExcerpt) == 0) AppendSizedText(bytes_, excerpt);
    next_number_ = number_ + 1;
    last_end_ = end;
    last_source_end_ = source_end;
  }

  uint64_t CodePointsTo(uint32_t at) {
    code_points_ +=
        CountCodePoints(text_.substr(counted_to_, at - counted_to_));
    counted_to_ = at;
    return code_points_;
  }

  const CleanText& clean_;
  const std::string_view text_;
  std::string* bytes_;
  uint64_t stored_ = 0, code_points_ = 0, last_end_ = 0, last_source_end_ = 0;
  uint32_t number_ = 0, next_number_ = 0, counted_to_ = 0;
};

}  // namespace

std::string_view UnitExcerpt(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t begin = std::min(text.find_first_not_of(kSpace), text.size());
  text.remove_prefix(begin);
  text = text.substr(0, text.find_last_not_of(kSpace) + 1);
  size_t end = 0, count = 0;
  for (; end < text.size(); ++end) {
    if (!IsContinuation(text[end]) && ++count > kExcerptCodePoints) break;
  }
  return text.substr(0, end);
}

UnitRule UnitRuleOf(const UnitOptions& options, TokenRule tokens,
                    ContentKind kind) {
  UnitRule rule;
  switch (options.unit) {
    case UnitKind::kParagraph:  // a page's paragraphs are its lines
      rule.unit = kind == ContentKind::kHtml ? ShingleKind::kLine
                                             : ShingleKind::kParagraph;
      break;
    case UnitKind::kLine:
      rule.unit = ShingleKind::kLine;
      break;
    case UnitKind::kSentence:
      rule.unit = ShingleKind::kSentence;
      break;
    case UnitKind::kSubstring:  // stored as tokens (token_store.h)
      break;
  }
  rule.tokens = tokens;
  // A window must have so many as a whole.
  rule.min_tokens = options.unit_window > 1 ? 1 : LeastTokens(options);
  return rule;
}

UnitCounts EncodeUnits(const UnitRule& rule, const CleanText& clean,
                       UnitScratch* scratch, std::string* bytes) {
  UnitEncoder encoder(clean, bytes);
  const UnitCounts counts =
      ForEachUnit(clean.text, rule.unit, rule.tokens, scratch, bytes,
                  [&](const TextUnit& unit) {
                    encoder.Add(unit, unit.tokens >= rule.min_tokens);
                  });
  encoder.Finish(counts);
  return counts;
}

Result<StoredUnits> StoredUnits::Open(std::string_view bytes) {
  StoredUnits units(bytes);
  units.units_ = units.reader_.Read<uint64_t>();
  units.tokens_ = units.reader_.Read<uint64_t>();
  units.stored_ = units.reader_.Read<uint64_t>();
  if (!units.reader_.ok())
    return Fail(ErrorCode::kCorrupt, "stored units have no header");
  return units;
}

Result<bool> StoredUnits::Next(StoredUnit* unit) {
  if (reader_.AtEnd()) return false;
  unit->normalised = reader_.ReadSized();
  const auto flags = reader_.Read<uint8_t>();
  const auto unless = [&](uint8_t flag, uint64_t known) {
    return (flags & flag) != 0 ? known : reader_.ReadVarint();
  };
  unit->number =
      next_number_ + static_cast<uint32_t>(unless(kFollowsNumber, 0));
  unit->begin = last_end_ + unless(kFollowsText, 0);
  const uint64_t length = reader_.ReadVarint();
  unit->end = unit->begin + length;
  unit->source_begin = unless(kFollowsSource, last_source_end_);
  unit->source_end = unit->source_begin + unless(kFollowsSource, length);
  unit->tokens = reader_.ReadVarint();
  unit->excerpt = (flags & kIsExcerpt) != 0
                      ? unit->normalised
                      : reader_.ReadBytes(reader_.ReadVarint());
  if (!reader_.ok())
    return Fail(ErrorCode::kCorrupt, "a stored unit is damaged");
  next_number_ = unit->number + 1;
  last_end_ = unit->end;
  last_source_end_ = unit->source_end;
  return true;
}

}  // namespace twinset
