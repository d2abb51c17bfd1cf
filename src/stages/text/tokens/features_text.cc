// Shingles by a hash of their text (docs/methods/feature-hashes.md).
#include "text/tokens/features_shingles.h"

namespace twinset::features_internal {
namespace {

bool IsWindowed(const ShingleKind& kind) {
  return kind.unit == ShingleKind::kWord || kind.unit == ShingleKind::kChar;
}

std::string_view TokenAt(const TokenWindow& window, size_t i) {
  return {window.text + window.begins[i], window.ends[i] - window.begins[i]};
}

}  // namespace

TextShingleMaker::TextShingleMaker(TokenRule rule, const ShingleKind& kind,
                                   const ShingleKeys& ends, const ShingleKeys&,
                                   FeatureHash hash)
    : kind_(kind),
      hash_(hash),
      separator_(TokenSeparator(rule)),
      joiner_(rule),
      walk_(rule, kind, ends) {}

void TextShingleMaker::AddCodePoints(std::string_view text) {
  const char* const end = text.data() + text.size();
  const size_t offset = text_.size();
  for (const char* p = text.data(); p < end;) {
    const size_t size = kernels::DecodeUtf8(p, end).size;
    const size_t at = offset + static_cast<size_t>(p - text.data());
    begins_.push_back(at);
    ends_.push_back(at + size);
    p += size;
  }
  text_.append(text);
}

// The units of the window, behind those that are carried.
void TextShingleMaker::AddUnits(const TokenWindow& window) {
  const size_t carried = begins_.size();
  for (size_t i = 0; i < window.count; ++i) {
    const std::string_view token = TokenAt(window, i);
    if (kind_.unit == ShingleKind::kChar) {
      AddCodePoints(joiner_.Before(window, i));
      AddCodePoints(token);
    } else {
      if (!first_) text_.append(separator_);
      begins_.push_back(text_.size());
      text_.append(token);
      ends_.push_back(text_.size());
    }
    first_ = false;
  }
  units_ += begins_.size() - carried;
}

// The shingles that end in the window: all that are complete, as fewer units
// than a shingle has are carried.
void TextShingleMaker::HashWindows(std::vector<uint64_t>* hashes,
                                   std::vector<UnitRange>* ranges) {
  const size_t n = kind_.n;
  if (begins_.size() < n) return;
  const std::string_view text(text_);
  for (size_t i = 0; i + n <= begins_.size(); ++i) {
    const size_t begin = begins_[i];
    hashes->push_back(
        HashFeature(hash_, text.substr(begin, ends_[i + n - 1] - begin)));
    if (ranges != nullptr) ranges->push_back({i, i + n - 1});
  }
  const size_t dropped = begins_.size() - (n - 1);
  // A separator in front of the first unit that is kept goes too.
  const size_t bytes = n == 1 ? text_.size() : begins_[dropped];
  text_.erase(0, bytes);
  begins_.erase(begins_.begin(),
                begins_.begin() + static_cast<ptrdiff_t>(dropped));
  ends_.erase(ends_.begin(), ends_.begin() + static_cast<ptrdiff_t>(dropped));
  for (size_t& begin : begins_) begin -= bytes;
  for (size_t& end : ends_) end -= bytes;
}

void TextShingleMaker::AddToken(std::string_view token, size_t at) {
  if (segment_tokens_ == 0) {
    segment_range_.first = at;
  } else {
    text_.append(separator_);
  }
  segment_range_.last = at;
  text_.append(token);
  ++segment_tokens_;
}

void TextShingleMaker::EndSegment(std::vector<uint64_t>* hashes,
                                  std::vector<UnitRange>* ranges) {
  if (segment_tokens_ == 0) return;
  hashes->push_back(HashFeature(hash_, text_));
  if (ranges != nullptr) ranges->push_back(segment_range_);
  text_.clear();
  segment_tokens_ = 0;
}

void TextShingleMaker::Add(const ShingleInput& input,
                           std::vector<uint64_t>* hashes,
                           std::vector<UnitRange>* ranges) {
  if (IsWindowed(kind_)) {
    AddUnits(input.tokens);
    HashWindows(hashes, ranges);
    return;
  }
  walk_.Over(
      input, [&](size_t i) { AddToken(TokenAt(input.tokens, i), i); },
      [&] { EndSegment(hashes, ranges); });
}

void TextShingleMaker::Finish(const ShingleInput&,
                              std::vector<uint64_t>* hashes,
                              std::vector<UnitRange>* ranges) {
  if (!IsWindowed(kind_)) return EndSegment(hashes, ranges);
  if (units_ == 0 || units_ >= kind_.n) return;
  hashes->push_back(HashFeature(hash_, text_));
  if (ranges != nullptr) ranges->push_back({0, begins_.size() - 1});
}

}  // namespace twinset::features_internal
