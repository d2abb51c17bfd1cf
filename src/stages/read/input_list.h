// The files of a run, in order, in few bytes each.
#ifndef TWINSET_SRC_STAGES_READ_INPUT_LIST_H_
#define TWINSET_SRC_STAGES_READ_INPUT_LIST_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twinset {

// Which file a path names and how it was last written. Two that are equal name
// one unchanged file, as far as the times of the file system tell.
struct FileState {
  bool regular = false;  // of others, such as pipes, nothing is known
  uint64_t device = 0, inode = 0, size = 0;
  int64_t mtime_ns = 0;
  friend bool operator==(const FileState&, const FileState&) = default;
};

class TableHelpers;

// Returns true iff a path is an address: an object in a bucket, or a file on a
// web server.
bool IsRemote(std::string_view path);

// One file to read.
struct InputFile {
  std::string path;      // to open, any bytes; "-" is standard input
  std::string source;    // how rows cite it, as NameText: relative to the input
                         // argument's parent, without compression suffix, and
                         // longer where others have that name (NameApart)
  std::string relative;  // relative to the input argument itself, as NameText:
                         // the id of a file document
  FileState state = {};  // when it was listed
  // Read tables and what is remote (read/table_helpers.h); null: each reader
  // has its own.
  std::shared_ptr<TableHelpers> helpers = nullptr;
};

// Files are kept as what differs from the file before (paths by front coding,
// every 16th file whole), so those of one folder take little more than their
// own names: a million of a mirror about 40 MB. Looking one up costs up to 16
// steps. Reading is thread-safe.
class InputList {
 public:
  // `relative` ends `path`; `parent` stands in front of it in the source: the
  // name of the folder that was given and '/', or nothing.
  void Add(std::string_view path, std::string_view parent,
           std::string_view relative, const FileState& state = {});
  // Who reads the tables among the files, and what is remote.
  void SetHelpers(std::shared_ptr<TableHelpers> helpers) {
    helpers_ = std::move(helpers);
  }
  // The next file is of another argument, also where its parent has the name of
  // the last one's.
  void EndArgument() { is_ended_ = true; }
  // All files of a word of the command line are there.
  void EndWord() { word_ends_.push_back(size_); }
  // The numbers behind the last file of each word.
  const std::vector<size_t>& word_ends() const { return word_ends_; }
  // The number of files that the first `words` words name.
  size_t FilesOf(size_t words) const {
    return words == 0 ? 0 : word_ends_[words - 1];
  }
  // As it stands in another list, under the same name.
  void Add(const InputFile& file);
  // Gives files other names (as NameText), ascending by the files' numbers.
  void Rename(std::vector<std::pair<size_t, std::string>> names);

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  InputFile operator[](size_t i) const;
  InputFile front() const { return (*this)[0]; }
  // The argument that file i came with: its own name, or that of the folder.
  std::string ArgumentOf(size_t i) const;
  // Returns true iff file i is the last of its argument.
  bool EndsArgument(size_t i) const;
  // Held outside of any budget until somebody reserves them.
  uint64_t bytes() const;

  class Iterator {
   public:
    using value_type = InputFile;
    using difference_type = ptrdiff_t;
    Iterator(const InputList* list, size_t at) : list_(list), at_(at) {}
    InputFile operator*() const { return (*list_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const InputList* list_;
    size_t at_;
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size_}; }

 private:
  static constexpr size_t kBlock = 16;
  struct Parent {
    size_t first = 0;  // file from which on it stands
    std::string text;
  };

  const Parent& ParentOf(size_t i) const;

  std::string entries_;
  std::vector<uint64_t> blocks_;  // where every 16th entry begins
  std::vector<Parent> parents_;   // ascending by first
  // Names that are not made of parent and path; ascending by file.
  std::vector<std::pair<size_t, std::string>> renamed_;
  std::vector<size_t> word_ends_;
  std::shared_ptr<TableHelpers> helpers_;
  std::string last_;  // path that was added last
  FileState last_state_;
  bool is_ended_ = false;
  size_t size_ = 0;
};

// Gives files [frozen, end) of the list names that differ from each other and
// from those of [begin, frozen), which keep theirs: a saved run has written
// them into its rows. Where names clash, the clashing files take the least
// number of further folders of their real path that makes them unique, and all
// others stay untouched. Files that differ only in the suffix of their
// compression keep it. The same file named again gets `#2`. The names depend on
// the files and their order alone. Time: that of a sort, and a look at the
// folder of each file whose name clashes. Memory: 16 bytes per file, and the
// paths of those that clash.
void NameApart(size_t begin, size_t frozen, size_t end, InputList* list);

// What the arguments of one side are called, which may be folders: the last
// part of each, or what NameApart makes of those that share one.
std::vector<std::string> NamesApart(const std::vector<std::string>& arguments);

// The sources of files asked for document by document: looks into the list
// only when the file is another one. One thread at a time.
class SourceNames {
 public:
  const std::string& Of(const InputList& inputs, size_t i) {
    return FileOf(inputs, i).source;
  }
  const InputFile& FileOf(const InputList& inputs, size_t i) {
    if (i != at_) {
      file_ = inputs[i];
      at_ = i;
    }
    return file_;
  }

 private:
  size_t at_ = SIZE_MAX;
  InputFile file_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_INPUT_LIST_H_
