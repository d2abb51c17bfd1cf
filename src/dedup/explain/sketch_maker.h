// The sketches of one text after another, with memory that is used again.
#ifndef TWINSET_SRC_DEDUP_EXPLAIN_SKETCH_MAKER_H_
#define TWINSET_SRC_DEDUP_EXPLAIN_SKETCH_MAKER_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explain/text_sketcher.h"
#include "pipeline/read/ingest.h"

namespace twinset {

// Makes what TextSketcher makes of a text: each view only where a sketcher
// reads it, equal ones once, and in no order where none is asked for.
// Immutable.
class SketchMaker {
 public:
  // Buffers of one thread.
  struct Scratch {
    IngestScratch ingest;
    std::vector<std::vector<uint64_t>> hashes;  // of hashed views
    std::vector<std::string> stored;            // of others
    std::vector<bool> is_made;                  // by view
    std::vector<Sketch> sketches;               // what was made
    // What the buffers take that grow with a text.
    size_t bytes() const;
  };

  // `sketcher` outlives it.
  explicit SketchMaker(const TextSketcher& sketcher);

  // Fills scratch->sketches: with a sketch for each sketcher, or for number
  // `which` alone. Returns false for an empty document, whose are empty.
  bool Make(std::string_view text, std::optional<size_t> which,
            Scratch* scratch) const;

 private:
  std::string_view View(size_t view, std::string_view text,
                        Scratch* scratch) const;
  // Has the document nothing to compare, as view 0 says?
  bool IsEmpty(size_t read, std::string_view text, Scratch* scratch) const;

  const TextSketcher& sketcher_;
  std::vector<size_t> same_;       // by view: the first one that equals it
  std::vector<bool> any_order_;    // by view: its readers take any order
  std::vector<bool> tells_empty_;  // by view: it is empty where view 0 is
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EXPLAIN_SKETCH_MAKER_H_
