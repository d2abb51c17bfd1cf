// Programs beside this one that read tables, and objects in buckets and on web
// servers (docs/formats/tables.md).
#ifndef TWINSET_SRC_STAGES_READ_TABLE_HELPERS_H_
#define TWINSET_SRC_STAGES_READ_TABLE_HELPERS_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/process/child_process.h"
#include "read/byte_source.h"
#include "read/input_list.h"
#include "twinset/error.h"
#include "twinset/json.h"

namespace twinset {

// A conversation with one of them. Not thread-safe. An error of the
// conversation ends it: the program is killed.
class TableHelper {
 public:
  // kIo when the program is not there, kUnsupported when it lacks pyarrow.
  static Result<std::unique_ptr<TableHelper>> Start(
      const std::vector<std::string>& networks);

  // A request and its reply; with `body` also what follows that. An error that
  // the helper reports is returned as it is.
  Result<Json> Ask(Json request, const std::atomic<bool>* stop,
                   std::string* body = nullptr);
  // The two halves of Ask. One request waits at a time.
  Status Send(Json request, const std::atomic<bool>* stop);
  Result<Json> Receive(std::string* body = nullptr);
  // It may be asked something else.
  bool in_step() const { return child_.running() && !is_waiting_; }

 private:
  Error Drop(Error error);
  ChildProcess child_;
  std::string path_;  // of the last request that names one
  uint64_t id_ = 0;
  bool is_waiting_ = false;
};

// Helpers that are idle, to be used again: starting one takes a fifth of a
// second. Thread-safe.
class TableHelpers {
 public:
  // `networks`: what may be asked although it is not of the public internet.
  explicit TableHelpers(std::vector<std::string> networks)
      : networks_(std::move(networks)) {}

  // kUnavailable when there is none to be had, which is no fault of what it
  // would read.
  Result<std::unique_ptr<TableHelper>> Take();
  // Keeps it if it may be asked again.
  void GiveBack(std::unique_ptr<TableHelper> helper);

 private:
  const std::vector<std::string> networks_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<TableHelper>> idle_;
};

// A helper of `input`, given back when this goes.
class HeldHelper {
 public:
  static Result<HeldHelper> Take(const std::shared_ptr<TableHelpers>& helpers);
  HeldHelper(HeldHelper&& other) noexcept = default;
  ~HeldHelper();
  TableHelper* operator->() const { return helper_.get(); }

 private:
  HeldHelper(std::shared_ptr<TableHelpers> helpers,
             std::unique_ptr<TableHelper> helper)
      : helpers_(std::move(helpers)), helper_(std::move(helper)) {}
  std::shared_ptr<TableHelpers> helpers_;
  std::unique_ptr<TableHelper> helper_;
};

struct RemoteFile {
  std::string path;
  FileState state;  // the inode is a hash of the entity tag
};
// The object of this name, or all below it, by path bytes.
Result<std::vector<RemoteFile>> ListRemote(
    const std::string& address, const std::shared_ptr<TableHelpers>& helpers,
    const std::atomic<bool>* stop);
Result<FileState> StateOfRemote(const std::string& address,
                                const std::shared_ptr<TableHelpers>& helpers);

// An error that is no damage of what is read: whoever goes on behind damage
// ends there, as a lost store or helper has more to give.
inline bool EndsReading(const Error& error) {
  return error.code == ErrorCode::kInterrupted ||
         error.code == ErrorCode::kUnavailable ||
         error.code == ErrorCode::kMemory;
}

// kUnavailable of a run that reads or writes `path`: names it (empty: it is
// named already), and says that --resume goes on.
Error WithWayOn(Error error, const std::string& path);

// Writes to `to` a table with the rows of `input` that the file `rows` names: a
// line of JSON for each, in order, {"row":N}, with "twinset", the values of the
// columns that `annotation` adds: those of "clusters" or "leaks"; empty: none.
// Schema, metadata, codecs and, as far as memory allows, groups of rows are
// those of the input. Rows are left out whose other columns are damaged;
// warnings say which, and which types could not be kept.
struct WrittenTable {
  uint64_t left_out = 0;
  std::vector<std::string> warnings;
};
Result<WrittenTable> WriteTable(const InputFile& input, const std::string& rows,
                                std::string_view annotation,
                                const std::string& to,
                                const std::atomic<bool>* stop);

// kIo unless a reply tells of the object that was listed; nothing is asked of
// files of this machine.
Status CheckStateOf(const Json& reply, const InputFile& input);

// The bytes of an object, which can be sought. Read is kIo when it is another
// than was listed.
Result<std::unique_ptr<ByteSource>> OpenRemoteSource(
    const InputFile& input, const std::atomic<bool>* stop);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_TABLE_HELPERS_H_
