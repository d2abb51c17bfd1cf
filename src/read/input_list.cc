#include "read/input_list.h"

#include <algorithm>

#include "read/codec.h"
#include "twinset/names.h"

namespace twinset {
namespace {

void PutNumber(uint64_t value, std::string* bytes) {
  for (; value >= 0x80; value >>= 7)
    bytes->push_back(static_cast<char>(value | 0x80));
  bytes->push_back(static_cast<char>(value));
}

uint64_t TakeNumber(const std::string& bytes, size_t* at) {
  uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[(*at)++]);
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
}

// A difference either way, modulo 2^64, in few bytes if it is small.
void PutChange(uint64_t now, uint64_t before, std::string* bytes) {
  const uint64_t change = now - before;
  PutNumber(change << 1 ^ (change >> 63 ? ~uint64_t{0} : 0), bytes);
}

uint64_t TakeChange(const std::string& bytes, size_t* at, uint64_t before) {
  const uint64_t change = TakeNumber(bytes, at);
  return before + (change >> 1 ^ (change & 1 ? ~uint64_t{0} : 0));
}

void PutState(const FileState& now, const FileState& before,
              std::string* bytes) {
  PutNumber(now.regular, bytes);
  if (!now.regular) return;
  PutChange(now.device, before.device, bytes);
  PutChange(now.inode, before.inode, bytes);
  PutChange(now.size, before.size, bytes);
  PutChange(static_cast<uint64_t>(now.mtime_ns),
            static_cast<uint64_t>(before.mtime_ns), bytes);
}

void TakeState(const std::string& bytes, size_t* at, FileState* state) {
  const FileState before = *state;
  *state = {};
  state->regular = TakeNumber(bytes, at) != 0;
  if (!state->regular) return;
  state->device = TakeChange(bytes, at, before.device);
  state->inode = TakeChange(bytes, at, before.inode);
  state->size = TakeChange(bytes, at, before.size);
  state->mtime_ns = static_cast<int64_t>(
      TakeChange(bytes, at, static_cast<uint64_t>(before.mtime_ns)));
}

}  // namespace

void InputList::Add(std::string_view path, std::string_view parent,
                    std::string_view relative, const FileState& state) {
  if (parents_.empty() || parents_.back().text != parent)
    parents_.push_back({size_, std::string(parent)});
  if (size_ % kBlock == 0) {
    blocks_.push_back(entries_.size());
    last_.clear();
    last_state_ = {};
  }
  const size_t shared = static_cast<size_t>(
      std::mismatch(last_.begin(), last_.end(), path.begin(), path.end())
          .first -
      last_.begin());
  PutNumber(shared, &entries_);
  PutNumber(path.size() - shared, &entries_);
  PutNumber(relative.size(), &entries_);
  entries_.append(path.substr(shared));
  PutState(state, last_state_, &entries_);
  last_ = path;
  last_state_ = state;
  ++size_;
}

InputFile InputList::operator[](size_t i) const {
  InputFile file;
  size_t at = blocks_[i / kBlock], relative = 0;
  for (size_t n = i / kBlock * kBlock; n <= i; ++n) {
    file.path.resize(TakeNumber(entries_, &at));
    const size_t size = TakeNumber(entries_, &at);
    relative = TakeNumber(entries_, &at);
    file.path.append(entries_, at, size);
    at += size;
    TakeState(entries_, &at, &file.state);
  }
  const std::string_view name =
      std::string_view(file.path).substr(file.path.size() - relative);
  file.relative = NameText(name);
  const auto parent = std::upper_bound(
      parents_.begin(), parents_.end(), i,
      [](size_t number, const Parent& p) { return number < p.first; });
  file.source = (parent - 1)->text;
  file.source += name;
  file.source = NameText(WithoutCompressionSuffix(file.source));
  return file;
}

uint64_t InputList::bytes() const {
  return entries_.capacity() + blocks_.capacity() * sizeof(uint64_t) +
         parents_.capacity() * (sizeof(Parent) + 16);
}

}  // namespace twinset
