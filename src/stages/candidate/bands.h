// Band keys of sketches, and the choice of bands and rows (Indyk and Motwani
// 1998).
// See docs/methods/bands.md.
#ifndef TWINSET_SRC_STAGES_CANDIDATE_BANDS_H_
#define TWINSET_SRC_STAGES_CANDIDATE_BANDS_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/sketch_layout.h"
#include "core/values.h"
#include "twinset/error.h"
#include "twinset/methods.h"

namespace twinset {

// Sketches to keys: two documents that share a key are candidates. The one
// interface behind every generator that works by equal keys (bands, whole
// sketches, blocks). Immutable; thread-safe.
class KeyGenerator {
 public:
  virtual ~KeyGenerator() = default;
  // Appends the keys of a document with these sketches (one for each sketcher
  // of the method). `scope` salts every key: documents of different scopes
  // never share one but by chance.
  virtual void Keys(std::span<const Sketch> sketches, uint64_t scope,
                    std::vector<uint64_t>* keys) const = 0;
  // Returns an error unless it can read sketches of these layouts, those of a
  // method (CheckLayout).
  virtual Status Check(std::span<const SketchLayout> layouts) const = 0;
};

// `bands` keys, each of `rows` consecutive values of the first sketch, salted
// by the band's number. kUsage unless bands * rows <= values.
Result<std::unique_ptr<KeyGenerator>> MakeBandKeys(int bands, int rows,
                                                   int values);
// One key a sketch: the whole of it, salted by the sketch's number.
std::unique_ptr<KeyGenerator> MakeWholeSketchKeys();

// Pr[at least one of `bands` bands of `rows` values agrees] at similarity s: 1
// - (1 - s^rows)^bands, by multiplication alone, so that every machine computes
// the same double.
double BandRecall(double similarity, int bands, int rows);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_BANDS_H_
