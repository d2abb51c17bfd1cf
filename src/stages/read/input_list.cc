#include "read/input_list.h"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/keyed_hash.h"
#include "read/codec.h"
#include "twinset/plain_words.h"

namespace twinset {
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

bool IsRemote(std::string_view path) {
  static constexpr std::string_view kSchemes[] = {"s3://", "gs://", "http://",
                                                  "https://"};
  return std::any_of(
      std::begin(kSchemes), std::end(kSchemes),
      [&](std::string_view scheme) { return path.starts_with(scheme); });
}

void InputList::Add(std::string_view path, std::string_view parent,
                    std::string_view relative, const FileState& state) {
  if (parents_.empty() || parents_.back().text != parent ||
      (is_ended_ && !parent.empty()))
    parents_.push_back({size_, std::string(parent)});
  is_ended_ = false;
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
  if (helpers_ == nullptr) helpers_ = file.helpers;
  if (!is_usual || SourceOf(parent, name) != file.source)
    renamed_.emplace_back(size_ - 1, file.source);
}

void InputList::Rename(std::vector<std::pair<size_t, std::string>> names) {
  std::vector<std::pair<size_t, std::string>> all;
  const auto before = [](const auto& x, const auto& y) {
    return x.first < y.first;
  };
  // If one file has two names, that of the first range comes first.
  std::set_union(std::make_move_iterator(names.begin()),
                 std::make_move_iterator(names.end()),
                 std::make_move_iterator(renamed_.begin()),
                 std::make_move_iterator(renamed_.end()),
                 std::back_inserter(all), before);
  renamed_ = std::move(all);
}

InputFile InputList::operator[](size_t i) const {
  InputFile file;
  file.helpers = helpers_;
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
  const auto own = std::lower_bound(renamed_.begin(), renamed_.end(), i,
                                    [](const auto& renamed, size_t number) {
                                      return renamed.first < number;
                                    });
  file.source = own != renamed_.end() && own->first == i
                    ? own->second
                    : SourceOf(ParentOf(i).text, name);
  return file;
}

const InputList::Parent& InputList::ParentOf(size_t i) const {
  return *(std::upper_bound(parents_.begin(), parents_.end(), i,
                            [](size_t number, const Parent& p) {
                              return number < p.first;
                            }) -
           1);
}

std::string InputList::ArgumentOf(size_t i) const {
  const InputFile file = (*this)[i];
  if (ParentOf(i).text.empty()) return file.source;
  // As the folder stands in the names of its files.
  const std::string name(WithoutCompressionSuffix(file.relative));
  std::string folder = file.source;
  if (!folder.ends_with("/" + name)) folder = NameText(ParentOf(i).text) + name;
  folder.resize(folder.size() - name.size() - 1);
  return folder;
}

bool InputList::EndsArgument(size_t i) const {
  const Parent& parent = ParentOf(i);
  return parent.text.empty() || i + 1 == size_ || &ParentOf(i + 1) != &parent;
}

uint64_t InputList::bytes() const {
  return entries_.capacity() + blocks_.capacity() * sizeof(uint64_t) +
         parents_.capacity() * (sizeof(Parent) + 16) +
         word_ends_.capacity() * sizeof(size_t) +
         renamed_.capacity() * (sizeof(renamed_[0]) + 32);
}

// ---- names ----

namespace {

namespace fs = std::filesystem;

// The names of some files of a list. Hashes only say where to look: names are
// compared by their bytes.
class NameTable {
 public:
  NameTable(const InputList& list, size_t begin, size_t end) : list_(list) {
    entries_.reserve(end - begin);
    for (size_t i = begin; i < end; ++i)
      entries_.push_back({EqualityHash::OfProcess().Short(list[i].source), i});
    std::sort(entries_.begin(), entries_.end());
  }

  bool Has(const std::string& name) const {
    const uint64_t hash = EqualityHash::OfProcess().Short(name);
    auto at = std::lower_bound(entries_.begin(), entries_.end(),
                               std::pair(hash, size_t{0}));
    for (; at != entries_.end() && at->first == hash; ++at)
      if (list_[at->second].source == name) return true;
    return false;
  }

  // The files that share a name, ascending, in the order of their first.
  std::vector<std::vector<size_t>> Clashes() const {
    std::vector<std::vector<size_t>> clashes;
    for (size_t i = 0; i < entries_.size();) {
      size_t end = i + 1;
      while (end < entries_.size() && entries_[end].first == entries_[i].first)
        ++end;
      if (end - i > 1) AddClashes(i, end, &clashes);
      i = end;
    }
    std::sort(clashes.begin(), clashes.end());
    return clashes;
  }

 private:
  void AddClashes(size_t begin, size_t end,
                  std::vector<std::vector<size_t>>* clashes) const {
    std::vector<std::pair<std::string, size_t>> names;
    for (size_t i = begin; i < end; ++i)
      names.emplace_back(list_[entries_[i].second].source, entries_[i].second);
    std::sort(names.begin(), names.end());
    for (size_t i = 0; i < names.size();) {
      std::vector<size_t> files;
      const std::string& name = names[i].first;
      for (; i < names.size() && names[i].first == name; ++i)
        files.push_back(names[i].second);
      if (files.size() > 1) clashes->push_back(std::move(files));
    }
  }

  const InputList& list_;
  std::vector<std::pair<uint64_t, size_t>> entries_;
};

// Paths whose folders are real: a file that is itself a link keeps its name.
class RealPaths {
 public:
  std::string Of(const std::string& path) {
    if (path == "-" || IsRemote(path)) return path;
    const size_t slash = path.rfind('/');
    const std::string folder =
        slash == std::string::npos ? "." : path.substr(0, slash + 1);
    if (folder != given_) {
      given_ = folder;
      char* const real = ::realpath(folder.c_str(), nullptr);
      std::error_code error;
      real_ = real != nullptr
                  ? real
                  : fs::absolute(folder, error).lexically_normal().native();
      ::free(real);
      if (!real_.ends_with('/')) real_ += '/';
    }
    return real_ + path.substr(slash == std::string::npos ? 0 : slash + 1);
  }

 private:
  std::string given_, real_;
};

size_t CountParts(std::string_view path) {
  return 1 + static_cast<size_t>(std::count(path.begin(), path.end(), '/'));
}

// The last `parts` parts of a path, or all.
std::string_view LastParts(std::string_view path, size_t parts) {
  for (size_t i = path.size(); i > 0; --i)
    if (path[i - 1] == '/' && --parts == 0) return path.substr(i);
  if (path.starts_with('/')) path.remove_prefix(1);
  return path;
}

class Naming {
 public:
  Naming(size_t begin, size_t frozen, size_t end, InputList* list)
      : frozen_(frozen), list_(list), table_(*list, begin, end) {}

  void Do() {
    for (const std::vector<size_t>& files : table_.Clashes()) {
      if (files.back() < frozen_) continue;
      NameGroup(files);
    }
    std::sort(renamed_.begin(), renamed_.end());
    list_->Rename(std::move(renamed_));
  }

 private:
  struct Member {
    std::string stem, suffix;  // real path, parted before that of compression
    size_t file = 0;
    bool keeps_suffix = false;  // others have the same stem
    bool is_again = false;      // the one before is the same file
    std::string name;
  };

  void NameGroup(const std::vector<size_t>& files) {
    base_ = (*list_)[files.front()].source;
    base_is_free_ = files.front() >= frozen_;
    const size_t stems = FindMembers(files);
    const size_t parts = CountParts(base_);
    size_t deepest = 0;
    for (const Member& member : members_)
      deepest = std::max(deepest, CountParts(member.stem));
    size_t more = stems == 1 && base_is_free_ ? 0 : 1;
    while (!TryWith(parts, more) && parts + more < deepest) ++more;
    Assign();
  }

  // Sorts them by what they are; returns how many stems there are.
  size_t FindMembers(const std::vector<size_t>& files) {
    members_.clear();
    for (const size_t file : files) {
      if (file < frozen_) continue;
      const std::string path = paths_.Of((*list_)[file].path);
      const std::string_view stem = WithoutCompressionSuffix(path);
      members_.push_back(
          {std::string(stem), path.substr(stem.size()), file, {}, {}, {}});
    }
    std::sort(members_.begin(), members_.end(),
              [](const Member& x, const Member& y) {
                return std::tie(x.stem, x.suffix, x.file) <
                       std::tie(y.stem, y.suffix, y.file);
              });
    size_t stems = 0;
    for (size_t i = 0; i < members_.size(); ++stems) {
      const size_t begin = i;
      while (i < members_.size() && members_[i].stem == members_[begin].stem)
        ++i;
      const bool differ = members_[begin].suffix != members_[i - 1].suffix;
      for (size_t at = begin; at < i; ++at) {
        members_[at].keeps_suffix = differ;
        members_[at].is_again =
            at > begin && members_[at].suffix == members_[at - 1].suffix;
      }
    }
    return stems;
  }

  // Names them with `more` further folders; whether these names are free and
  // differ.
  bool TryWith(size_t parts, size_t more) {
    bool is_free = true;
    std::unordered_set<std::string_view> names;
    for (Member& member : members_) {
      member.name =
          more == 0 ? base_ : NameText(LastParts(member.stem, parts + more));
      if (member.keeps_suffix) member.name += NameText(member.suffix);
      if (member.is_again) continue;
      is_free =
          is_free && !IsTaken(member.name) && names.insert(member.name).second;
    }
    return is_free;
  }

  bool IsTaken(const std::string& name) const {
    if (given_.contains(name)) return true;
    return table_.Has(name) && !(base_is_free_ && name == base_);
  }

  // Numbers tell apart what names do not.
  void Assign() {
    uint64_t number = 1;
    for (Member& member : members_) {
      if (!member.is_again) number = 1;
      std::string name = member.name;
      while ((number == 1 && member.is_again) || IsTaken(name))
        name = member.name + "#" + std::to_string(++number);
      given_.insert(name);
      if (name != base_ || !base_is_free_)
        renamed_.emplace_back(member.file, std::move(name));
    }
  }

  const size_t frozen_;
  InputList* const list_;
  const NameTable table_;
  RealPaths paths_;
  // State of the current group.
  std::string base_;
  bool base_is_free_ = true;  // one of the group may keep the name
  std::vector<Member> members_;
  std::unordered_set<std::string>
      given_;  // names of groups before, and of this
  std::vector<std::pair<size_t, std::string>> renamed_;
};

}  // namespace

void NameApart(size_t begin, size_t frozen, size_t end, InputList* list) {
  if (frozen < end) Naming(begin, frozen, end, list).Do();
}

std::vector<std::string> NamesApart(const std::vector<std::string>& arguments) {
  InputList list;
  std::vector<std::string> names;
  std::unordered_map<std::string, size_t> counts;
  for (const std::string& argument : arguments) {
    std::string path = argument;
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    const std::string last = path.substr(path.rfind('/') + 1);
    list.Add(path, "", last);
    names.push_back(NameText(argument.ends_with('/') ? last + "/" : last));
    ++counts[names.back()];
  }
  NameApart(0, 0, list.size(), &list);
  for (size_t i = 0; i < names.size(); ++i)
    if (counts[names[i]] > 1) names[i] = list[i].source;
  return names;
}

}  // namespace twinset
