#include "read/input_list.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/bytes.h"
#include "read/codec.h"
#include "twinset/names.h"

namespace twinset::inline v1 {
namespace {

// A difference either way, modulo 2^64, in few bytes if it is small.
void PutChange(uint64_t now, uint64_t before, std::string* bytes) {
  const uint64_t change = now - before;
  AppendVarint(bytes, change << 1 ^ (change >> 63 ? ~uint64_t{0} : 0));
}

uint64_t TakeChange(ByteReader* reader, uint64_t before) {
  const uint64_t change = reader->ReadVarint();
  return before + (change >> 1 ^ (change & 1 ? ~uint64_t{0} : 0));
}

void PutState(const FileState& now, const FileState& before,
              std::string* bytes) {
  AppendVarint(bytes, now.regular);
  if (!now.regular) return;
  PutChange(now.device, before.device, bytes);
  PutChange(now.inode, before.inode, bytes);
  PutChange(now.size, before.size, bytes);
  PutChange(static_cast<uint64_t>(now.mtime_ns),
            static_cast<uint64_t>(before.mtime_ns), bytes);
}

void TakeState(ByteReader* reader, FileState* state) {
  const FileState before = *state;
  *state = {};
  state->regular = reader->ReadVarint() != 0;
  if (!state->regular) return;
  state->device = TakeChange(reader, before.device);
  state->inode = TakeChange(reader, before.inode);
  state->size = TakeChange(reader, before.size);
  state->mtime_ns = static_cast<int64_t>(
      TakeChange(reader, static_cast<uint64_t>(before.mtime_ns)));
}

std::string SourceOf(std::string parent, std::string_view name) {
  parent += name;
  return NameText(WithoutCompressionSuffix(parent));
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
  AppendVarint(&entries_, shared);
  AppendVarint(&entries_, path.size() - shared);
  AppendVarint(&entries_, relative.size());
  entries_.append(path.substr(shared));
  PutState(state, last_state_, &entries_);
  last_ = path;
  last_state_ = state;
  ++size_;
}

void InputList::Add(const InputFile& file) {
  const std::string name = NameBytes(file.relative).value_or(file.relative);
  std::string parent = NameBytes(file.source).value_or(file.source);
  const std::string_view bare = WithoutCompressionSuffix(name);
  const bool is_usual = parent.ends_with(bare);
  parent.resize(is_usual ? parent.size() - bare.size() : 0);
  Add(file.path, parent, name, file.state);
  if (!is_usual || SourceOf(parent, name) != file.source)
    renamed_.emplace_back(size_ - 1, file.source);
}

void InputList::Rename(std::vector<std::pair<size_t, std::string>> names) {
  std::vector<std::pair<size_t, std::string>> all;
  const auto before = [](const auto& x, const auto& y) {
    return x.first < y.first;
  };
  // Of two names of one file the first of the two ranges comes first.
  std::set_union(std::make_move_iterator(names.begin()),
                 std::make_move_iterator(names.end()),
                 std::make_move_iterator(renamed_.begin()),
                 std::make_move_iterator(renamed_.end()),
                 std::back_inserter(all), before);
  renamed_ = std::move(all);
}

InputFile InputList::operator[](size_t i) const {
  InputFile file;
  ByteReader reader(std::string_view(entries_).substr(blocks_[i / kBlock]));
  uint64_t relative = 0;
  for (size_t n = i / kBlock * kBlock; n <= i; ++n) {
    file.path.resize(reader.ReadVarint());
    const uint64_t size = reader.ReadVarint();
    relative = reader.ReadVarint();
    file.path.append(reader.ReadBytes(size));
    TakeState(&reader, &file.state);
  }
  const std::string_view name =
      std::string_view(file.path).substr(file.path.size() - relative);
  file.relative = NameText(name);
  const auto parent = std::upper_bound(
      parents_.begin(), parents_.end(), i,
      [](size_t number, const Parent& p) { return number < p.first; });
  const auto own = std::lower_bound(renamed_.begin(), renamed_.end(), i,
                                    [](const auto& renamed, size_t number) {
                                      return renamed.first < number;
                                    });
  file.source = own != renamed_.end() && own->first == i
                    ? own->second
                    : SourceOf((parent - 1)->text, name);
  return file;
}

uint64_t InputList::bytes() const {
  return entries_.capacity() + blocks_.capacity() * sizeof(uint64_t) +
         parents_.capacity() * (sizeof(Parent) + 16) +
         renamed_.capacity() * (sizeof(renamed_[0]) + 32);
}

}  // namespace twinset::inline v1
