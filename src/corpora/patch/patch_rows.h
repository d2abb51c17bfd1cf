// What a finished run says of its documents, in input order, as work files.
#ifndef TWINSET_SRC_CORPORA_PATCH_PATCH_ROWS_H_
#define TWINSET_SRC_CORPORA_PATCH_PATCH_ROWS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/hash.h"
#include "read/input_list.h"
#include "store/run_file.h"
#include "twinset/error.h"

namespace twinset {

// A row of clusters.
struct ClusteredPlace {
  uint64_t source = 0, ordinal = 0;
  Hash128Value cluster;  // of its name
  uint64_t size = 0, is_representative = 0;
  double similarity = 1, contained = 1;
};

// A record that the text stage refused.
struct RefusedPlace {
  uint64_t source = 0, ordinal = 0;
};

// Copies the rows of clusters and of quarantine in the folder `run` to these
// files. kIo when a row names another input, kCorrupt.
Status CopyClusters(const std::string& run, const InputList& inputs,
                    const std::string& path);
Status CopyRefused(const std::string& run, const InputList& inputs,
                   const std::string& path);

// Reads what one of these files says of places that come in order.
template <typename Place>
class PlaceReader {
 public:
  static Result<PlaceReader> Open(const std::string& path) {
    TWINSET_ASSIGN(auto run, RunReader<Place>::Open(path, 0));
    PlaceReader reader(std::move(run));
    TWINSET_ASSIGN(reader.more_, reader.run_.Next(&reader.place_));
    return reader;
  }
  // Returns true iff the next one is this place; it is then in *place and
  // passed.
  Result<bool> Take(uint64_t source, uint64_t ordinal, Place* place) {
    if (!more_ || place_.source != source || place_.ordinal != ordinal)
      return false;
    *place = place_;
    TWINSET_ASSIGN(more_, run_.Next(&place_));
    return true;
  }
  bool AtEnd() const { return !more_; }

 private:
  explicit PlaceReader(RunReader<Place> run) : run_(std::move(run)) {}
  RunReader<Place> run_;
  Place place_ = {};
  bool more_ = false;
};

// keep.txt or drop.txt: names of documents in input order.
class IdList {
 public:
  static Result<IdList> Open(const std::string& path);
  // Returns true iff the next name is that of a document of this id: the id, or
  // the id and a number, which *name then is (else it is empty). Passes it
  // then.
  Result<bool> Take(std::string_view id, std::string* name);
  Result<bool> AtEnd();

 private:
  explicit IdList(File file) : file_(std::move(file)) {}
  Status Fill(size_t bytes);
  File file_;
  std::string buffer_;
  size_t at_ = 0;
  bool ended_ = false;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_PATCH_PATCH_ROWS_H_
