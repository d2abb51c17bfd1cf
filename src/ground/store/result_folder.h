// The one policy of all commands that write a folder: what may be written
// where, and what may be removed (docs/formats/result-folder.md).
#ifndef TWINSET_SRC_GROUND_STORE_RESULT_FOLDER_H_
#define TWINSET_SRC_GROUND_STORE_RESULT_FOLDER_H_

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/narrow_modes.h"
#include "store/file_identity.h"
#include "store/folder_marker.h"
#include "twinset/error.h"

namespace twinset {

struct FolderRequest {
  std::string path;        // as the user named it
  std::string flag;        // by which, for remedies: "--out"
  std::string command;     // who writes it
  bool overwrite = false;  // remove what an earlier run left
  bool resume = false;     // go on with what is there
  // Others can foresee the name: what is there already must be nobody else's
  // (CheckOwnFolder), and nobody else sees what is made there.
  bool is_own = false;
  // For remedies: the command can resume, and the file that says that a run is
  // finished.
  bool resumable = false;
  std::string done = "summary.json";
};

// A folder for results, open and locked. In order: Open, Protect for every
// input, Begin, then write the files that Begin was told. Nothing is removed or
// written before Begin but an empty folder with its marker, and these go again
// with an object that wrote nothing else. Movable, not thread-safe.
class ResultFolder {
 public:
  // kUsage for a place that is never ours (the root, the home folder, the
  // folder that the program stands in or one above), for a file, for a folder
  // that exists without `overwrite` or `resume`, and for one that holds
  // anything its marker does not list, links and places where something is
  // mounted included. A folder in it that has a marker of its own is let alone.
  // A quarantine.jsonl alone is no result: its folder counts as empty.
  // kIo when another run holds the lock.
  static Result<ResultFolder> Open(FolderRequest request);
  // Returns true iff this process has opened `folder`. Thread-safe.
  static bool IsOpenHere(const std::string& folder);
  ResultFolder(ResultFolder&& other) noexcept;
  ResultFolder& operator=(ResultFolder&&) = delete;
  ~ResultFolder();

  // kUsage when `input`, a file or a folder, is in this folder, is it, or is an
  // entry of it by another way (hard link, bind mount). "-" is the file that
  // standard input reads. What does not exist cannot be harmed. Costs one lstat
  // and one stat a file of the same folder. `is_told`: the files here tell of
  // it, so that from Begin or Stage on they are made without what it denies
  // its group and others to read.
  Status Protect(const std::string& input, bool is_told = true);

  // For who builds aside and replaces at the end: makes the empty folder `tree`
  // in this one, and lists it. Begin then leaves it alone; it is to be among
  // the trees told to Begin.
  Status Stage(const std::string& tree);

  // Unless it resumes, removes what the marker lists. Then lists `files` (each
  // with NAME.part) and `trees` (folders with all that is in them; "." is the
  // folder itself) as what twinset makes here.
  Status Begin(const std::vector<std::string>& files,
               const std::vector<std::string>& trees = {});
  // Begins a folder that others may read from, with `holds` as in FolderMarker.
  Status Begin(const std::vector<std::string>& files,
               const std::vector<std::string>& trees, const std::string& holds);
  // The same for lists too long to hold: Begin({}), Add for each, Sync.
  Status Add(const std::string& file);
  Status Sync() { return marker_.Sync(); }

  // Removes what is listed, the marker and, if nothing else is there, the
  // folder.
  Status Remove();

  const std::string& path() const { return path_; }  // canonical
  // Made by an earlier run of any command.
  bool is_old() const { return marker_.state() == FolderMarker::State::kOurs; }

 private:
  ResultFolder(FolderRequest request, std::string path, FolderMarker marker)
      : request_(std::move(request)),
        path_(std::move(path)),
        marker_(std::move(marker)) {}
  Status ReadMarker();
  Status CheckEntries();
  Status RemoveListed();
  // Returns true iff the folders in `name` are real ones without a marker of
  // their own.
  bool IsReachable(const std::string& name) const;
  bool HoldsIdentity(const FileIdentity& identity) const;
  bool IsListed(const std::string& name) const;
  // Returns true iff `path`, an existing folder, is this folder or in it.
  bool Holds(const std::string& path);
  void Abandon();
  Status NarrowBelow() const;

  FolderRequest request_;
  std::string path_;
  FolderMarker marker_;
  FileIdentity identity_ = {};
  std::vector<std::string> made_;  // folders made for it, outermost first
  bool is_open_ = true;
  mode_t mode_ = kResultMode;     // of files that are made here
  std::vector<uint64_t> listed_;  // hashes of the files' names, ascending
  std::set<std::string> trees_, folders_;  // folders_: those of listed files
  std::string staged_;
  std::vector<uint64_t> inside_;  // hashes of what is here, ascending
  struct Folder {
    std::string path;
    bool is_held;
  };
  std::vector<Folder> above_;  // what Holds was asked last, and those above it
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_STORE_RESULT_FOLDER_H_
