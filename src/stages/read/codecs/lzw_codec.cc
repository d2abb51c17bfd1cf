#include "read/codecs/lzw_codec.h"

#include <algorithm>

namespace twinset {

bool LzwCodec::Reset() {
  prefix_.assign(size_t{1} << kMostBits, 0);
  suffix_.assign(size_t{1} << kMostBits, 0);
  for (size_t i = 0; i < 256; ++i) suffix_[i] = static_cast<uint8_t>(i);
  header_ = 0;
  width_ = kLeastBits;
  before_ = kNone;
  bits_ = 0;
  bit_count_ = in_group_ = skip_bits_ = 0;
  pending_.clear();
  return true;
}

// Behind a change the next group begins: what is left of this one is padding.
void LzwCodec::Widen(int width) {
  if (in_group_ > 0) skip_bits_ = (8 - in_group_) * width_;
  in_group_ = 0;
  width_ = width;
}

// False when more input is needed.
bool LzwCodec::TakeCode(std::string_view in, Step* step, uint32_t* code) {
  for (;;) {
    while (skip_bits_ > 0 && bit_count_ > 0) {
      const int n = std::min(skip_bits_, bit_count_);
      bits_ >>= n;
      bit_count_ -= n;
      skip_bits_ -= n;
    }
    if (skip_bits_ == 0 && bit_count_ >= width_) break;
    if (step->consumed == in.size()) return false;
    bits_ |= uint64_t{static_cast<uint8_t>(in[step->consumed++])} << bit_count_;
    bit_count_ += 8;
  }
  *code = static_cast<uint32_t>(bits_ & ((uint64_t{1} << width_) - 1));
  bits_ >>= width_;
  bit_count_ -= width_;
  in_group_ = (in_group_ + 1) % 8;
  return true;
}

// The string of `code` to pending_, backwards, and the entry that it makes.
// False when there is no such code.
bool LzwCodec::Expand(uint32_t code) {
  if (before_ == kNone) {
    if (code > 255) return false;
    first_ = static_cast<uint8_t>(code);
    pending_.push_back(static_cast<char>(code));
    before_ = code;
    return true;
  }
  if (code > next_ || (clears_ && code == kClear)) return false;
  uint32_t at = code;
  // The entry that is about to be made: the string before and its first byte.
  if (code == next_) {
    pending_.push_back(static_cast<char>(first_));
    at = before_;
  }
  for (; at > 255; at = prefix_[at])
    pending_.push_back(static_cast<char>(suffix_[at]));
  first_ = static_cast<uint8_t>(at);
  pending_.push_back(static_cast<char>(at));
  if (next_ < uint32_t{1} << max_bits_) {
    prefix_[next_] = static_cast<uint16_t>(before_);
    suffix_[next_] = first_;
    ++next_;
  }
  before_ = code;
  return true;
}

Codec::Step LzwCodec::Decode(std::string_view in, char* out, size_t out_size) {
  Step step;
  for (; header_ < kHeaderBytes && step.consumed < in.size(); ++header_) {
    const auto byte = static_cast<uint8_t>(in[step.consumed++]);
    if (header_ < 2) continue;
    max_bits_ = byte & 0x1f;
    clears_ = (byte & 0x80) != 0;
    next_ = kClear + (clears_ ? 1 : 0);
    if (max_bits_ >= kLeastBits && max_bits_ <= kMostBits) continue;
    step.state = State::kBadData;
    step.detail = "codes of a width that compress does not know";
    return step;
  }
  if (header_ < kHeaderBytes) return step;
  for (;;) {
    while (!pending_.empty() && step.produced < out_size) {
      out[step.produced++] = pending_.back();
      pending_.pop_back();
    }
    if (!pending_.empty()) return step;
    uint32_t code = 0;
    if (!TakeCode(in, &step, &code)) return step;
    if (clears_ && code == kClear) {
      next_ = kClear + 1;
      before_ = kNone;
      Widen(kLeastBits);
      continue;
    }
    if (!Expand(code)) {
      step.state = State::kBadData;
      step.detail = "a code that stands for nothing";
      return step;
    }
    if (width_ < max_bits_ && next_ > (uint32_t{1} << width_) - 1)
      Widen(width_ + 1);
  }
}

std::unique_ptr<Codec> MakeLzwCodec() { return std::make_unique<LzwCodec>(); }

}  // namespace twinset
