// Training documents that have an item, or may have.
#ifndef TWINSET_SRC_CORPORA_LEAK_WANTED_DOCUMENTS_H_
#define TWINSET_SRC_CORPORA_LEAK_WANTED_DOCUMENTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "documents/id_numbering.h"

namespace twinset {

// An item in a document.
struct Holding {
  size_t item = 0;
  double similarity = 0;
};

// A document by its name, with the items that stand in it.
using Wanted = std::pair<const std::string, std::vector<Holding>>;

// The documents by the names that runs give them: an id that comes again has a
// number. So a pass over the training data asks of each document whether its id
// is one of these, and then, once for each such document, in order, for its
// name. Not thread-safe.
class WantedDocuments {
 public:
  Wanted* Want(const std::string& name);
  void Hold(Wanted* document, Holding holding);
  // Some name has a number, and an id may look like that: Own is to be told of
  // every document of which MayOwn is true, before the first pass.
  bool any_numbered() const { return any_numbered_; }
  bool MayOwn(const std::string& id) const;
  void Own(const std::string& id);
  // Leaves out those that hold nothing.
  void EraseIdle();

  // One pass.
  class Pass {
   public:
    explicit Pass(WantedDocuments* all) : all_(*all), names_(all->owned_) {}
    bool MayBe(const std::string& id) const { return all_.ids_.contains(id); }
    // The name of the next document, of this id, of which MayBe is true; null
    // when it is not wanted.
    Wanted* Next(const std::string& id);

   private:
    WantedDocuments& all_;
    IdNumbering names_;
  };

  uint64_t size() const { return wanted_.size(); }
  uint64_t bytes() const { return bytes_; }

 private:
  std::unordered_map<std::string, std::vector<Holding>> wanted_;
  // Their names, with and without their numbers.
  std::unordered_set<std::string> ids_;
  IdNumbering owned_;  // of ids_ alone
  bool any_numbered_ = false;
  uint64_t bytes_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_LEAK_WANTED_DOCUMENTS_H_
