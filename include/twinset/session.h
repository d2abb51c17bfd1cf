// Makes features and sketches of single texts, without files, as a run with the
// same options makes them.
//
//   twinset::SessionOptions options;
//   options.method.permutations = 64;
//   const auto session = twinset::Session::Make(options);
//   const auto sketches = session->Sketch(batch);
//   const double estimate =
//       session->Estimate((*sketches)[0], (*sketches)[1]);
#ifndef TWINSET_SESSION_H_
#define TWINSET_SESSION_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/collection.h"
#include "twinset/error.h"
#include "twinset/explain.h"
#include "twinset/options.h"

namespace twinset {
inline namespace v1 {

// The sketches of documents, one after the other in one block of memory: the
// sketch of document i is values[offsets[i]] to values[offsets[i + 1]]. An
// empty document has an empty sketch; most methods give all others the same
// length.
struct SketchMatrix {
  std::vector<uint32_t> values;
  std::vector<uint64_t> offsets = {0};

  size_t size() const { return offsets.size() - 1; }
  std::span<const uint32_t> operator[](size_t i) const {
    return std::span(values).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

// 64-bit values of documents, laid out the same way.
struct KeyMatrix {
  std::vector<uint64_t> values;
  std::vector<uint64_t> offsets = {0};

  size_t size() const { return offsets.size() - 1; }
  std::span<const uint64_t> operator[](size_t i) const {
    return std::span(values).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

struct SessionOptions {
  FeatureOptions features;
  MethodOptions method;
  // The corpus that a learning method learns from. It is read only while the
  // session is made. A learning method without a corpus is kUnsupported.
  InputOptions corpus;
};

// Immutable: any number of threads may use one session together. It holds no
// files and no state of the process. Making one that learns reads its corpus.
class Session {
 public:
  // kUsage for options that make no sense together.
  static Result<Session> Make(const SessionOptions& options = {});
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  // Sketches in the order of the batch. `which` is the number of the sketcher;
  // most methods have one. kUsage when the method has no such sketcher, or none
  // at all.
  Result<SketchMatrix> Sketch(const TextBatch& batch, size_t which = 0) const;
  // The keys by which documents become candidates: two documents that share a
  // key are a candidate pair. kUsage for methods that use no keys.
  Result<KeyMatrix> Keys(const TextBatch& batch) const;
  // The shingles of a text under the published hash: ascending, distinct. They
  // are for use outside twinset; verification hashes under a secret.
  std::vector<uint64_t> Shingles(std::string_view text) const;
  // Estimated similarity of the documents behind two sketches, in [0, 1].
  double Estimate(std::span<const uint32_t> a, std::span<const uint32_t> b,
                  size_t which = 0) const;
  // The exact similarity of two texts under the measure of the method; 0 when
  // one has no features. The session hashes features under a secret that it
  // drew, so that nobody can forge texts that only seem alike.
  double Similarity(std::string_view a, std::string_view b) const;
  // Everything about the pair (twinset/inspect.h).
  Result<Explanation> Explain(std::string_view a, std::string_view b) const;

 private:
  struct Parts;
  explicit Session(std::unique_ptr<const Parts> parts);
  std::unique_ptr<const Parts> parts_;
};

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_SESSION_H_
