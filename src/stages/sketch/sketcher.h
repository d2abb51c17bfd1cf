// Shingles to a short fingerprint: the face of this folder.
#ifndef TWINSET_SRC_STAGES_SKETCH_SKETCHER_H_
#define TWINSET_SRC_STAGES_SKETCH_SKETCHER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/sketch_layout.h"
#include "core/values.h"
#include "twinset/error.h"

namespace twinset {

// Immutable; safe to share between threads. Subclasses are made by the
// functions below, with all their parameters (and a CorpusModel where they need
// one) fixed.
class Sketcher {
 public:
  virtual ~Sketcher() = default;
  virtual std::string name() const = 0;
  // `features`: the stored features of a document, as the method's feature form
  // says: ascending little-endian 64-bit shingle hashes, 8-byte aligned, or raw
  // bytes. Not empty.
  virtual void Compute(std::string_view features, Sketch* sketch) const = 0;
  // How its sketches are laid out and compared.
  virtual SketchLayout layout() const = 0;
  // What its values are remainders by, where that is drawn with the seed:
  // values by others are not comparable. Empty: nothing.
  virtual std::string DrawnModulus() const { return {}; }
  // True: of hashes in any order, each any number of times, it makes the sketch
  // of their set.
  virtual bool IgnoresRepeats() const { return false; }
  // False: its sketches only tell candidates, which have a value in common;
  // what Estimate says is no similarity.
  virtual bool EstimatesSimilarity() const { return true; }
  // Estimated similarity of the documents behind two sketches of this sketcher,
  // in [0, 1]. Unless said otherwise the share that is equal (SketchAgreement).
  virtual double Estimate(SketchView a, SketchView b) const;
  // The standard error of that estimate; empty where no law gives it.
  virtual std::optional<double> StandardError(SketchView a, SketchView b) const;
  // The written form: one hex string, the values in order (WrittenValues).
  std::string Written(SketchView sketch) const;
};

// sqrt(share (1 - share) / n): of a share of n independent draws, n > 0.
double ShareStandardError(double share, uint64_t n);

// Features stored as 64-bit hashes, viewed as such. `bytes` is 8-byte aligned.
std::span<const uint64_t> AsHashes(std::string_view bytes);

// Classic MinHash (Broder 1997): h_i(x) = high 32 bits of (a_i x + b_i mod
// 2^64), a_i odd; constants by SplitMix64 from the seed, a_0, b_0, a_1, b_1,
// ... kUsage unless permutations is a positive multiple of 8, at most 4096.
Result<std::unique_ptr<Sketcher>> MakeMinHashSketcher(int permutations,
                                                      uint64_t seed);

// Rabin fingerprint over GF(2) of raw bytes (Rabin 1981; Broder 1993), 64 bits,
// modulo the polynomial of the spec, or SeededPolynomial(*seed)
// (sketch/rabin.h).
std::unique_ptr<Sketcher> MakeRabinSketcher(
    std::optional<uint64_t> seed = std::nullopt);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_SKETCH_SKETCHER_H_
