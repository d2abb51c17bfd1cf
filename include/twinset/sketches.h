// Sketches in files, which outlive the program that made them
// (docs/formats/sketches.md).
//
//   twinset::SketchSet set;
//   set.parameters = session->Parameters();
//   set.sketches = *session->Sketch(batch);
//   auto written = twinset::WriteSketches("old.sketches", set);
//   ...
//   const auto old = twinset::ReadSketches("old.sketches");
//   const auto estimate = session->Estimate(*old, 0, set, 0);
#ifndef TWINSET_SKETCHES_H_
#define TWINSET_SKETCHES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "twinset/error.h"

namespace twinset {
inline namespace v1 {

// Values of texts, one text after the other in one block of memory: those of
// text i are values[offsets[i]] to values[offsets[i + 1]].
template <typename Value>
struct RowMatrix {
  std::vector<Value> values;
  std::vector<uint64_t> offsets = {0};

  size_t size() const { return offsets.size() - 1; }
  std::span<const Value> operator[](size_t i) const {
    return std::span(values).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};
// An empty document, and one whose text is null, has an empty sketch; most
// methods give all others the same length.
using SketchMatrix = RowMatrix<uint32_t>;
using KeyMatrix = RowMatrix<uint64_t>;

// All that decides what a sketch is of a text, as name and value: the spec, the
// method, the sketcher, and each parameter that takes part, also those with
// their default. Session::Parameters makes them.
using SketchParameters = std::map<std::string, std::string>;

struct SketchSet {
  SketchParameters parameters;
  std::vector<std::string> ids;  // one a sketch, any bytes; or none
  SketchMatrix sketches;
};

// Unless sketches under `a` and `b` can be compared: kUnsupported, naming the
// first parameter that differs and both values. `where`: what is said to be
// affected.
Status CheckComparable(const SketchParameters& a, const SketchParameters& b,
                       const std::string& where = "");

// Writes a file anew; one that is not finished never has the name `path`.
// kUsage for ids that are not one a sketch, and for what is beyond the limits
// of the format.
Status WriteSketches(const std::string& path, const SketchSet& set);
// kCorrupt for a file that is damaged or none of sketches, kUnsupported for one
// of a later version of the format. Memory: that of the sketches, and 1 MB.
Result<SketchSet> ReadSketches(const std::string& path);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_SKETCHES_H_
