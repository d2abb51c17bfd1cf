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

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/batch.h"
#include "twinset/error.h"
#include "twinset/explain.h"
#include "twinset/options.h"
#include "twinset/sketches.h"

namespace twinset {
inline namespace v1 {

struct SessionOptions {
  FeatureOptions features;
  // A session makes sketches, so the method that an empty name means is the
  // standard one of sketches, minhash. Dedup, which compares, means `complete`,
  // whose only sketches are the prefixes of its join: they estimate nothing.
  // For single texts in place of a collection name the method.
  MethodOptions method;
  // The corpus that a learning method learns from. It is read only while the
  // session is made. A learning method without a corpus is kUnsupported.
  InputOptions corpus;
  // How many each call over a batch uses; 0: all. Results are the same on any
  // number. With 1 a call works in the caller.
  int threads = 1;
  // The secret under which features are hashed for exact similarities, as in
  // ResourceOptions; empty: drawn. Nothing that a session returns tells of it.
  std::optional<SecretBytes> key_bytes;
  // How far the learning is. Called by the thread that calls Make.
  ProgressSink on_progress;
  // Set: Make, and calls over batches that are running, end with kInterrupted
  // within some hundred texts. Must live as long as the session.
  const std::atomic<bool>* stop = nullptr;
};

class Session;

// What is compared of texts, for exact similarities: immutable, made once for
// any number of comparisons, and good without the session and its texts. It is
// made under the secret of its session: only that one compares it.
class TextFeatures {
 public:
  // What belongs to one text; good as long as the features live.
  struct Row {
    const TextFeatures* of = nullptr;
    size_t row = 0;
  };

  size_t size() const { return sizes_.size(); }
  Row operator[](size_t i) const { return {this, i}; }
  // Bytes that it takes.
  uint64_t bytes() const;

 private:
  friend class Session;
  std::string_view At(size_t i) const;

  std::vector<uint64_t> words_;   // each text begins with a word
  std::vector<uint64_t> begins_;  // in words
  std::vector<uint64_t> sizes_;   // in bytes
  uint64_t session_ = 0;
};

// Immutable: any number of threads may use one session together. It holds no
// files; it keeps the buffers of its calls and uses them again. Making one that
// learns reads its corpus. Calls over a batch fail with kUsage for a batch that
// cannot be read, with kInterrupted and with kMemory.
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
  // The shingles of texts under the published hash: ascending, distinct. They
  // are for use outside twinset; verification hashes under a secret.
  Result<KeyMatrix> Shingles(const TextBatch& batch) const;
  std::vector<uint64_t> Shingles(std::string_view text) const;

  // The same into memory of the caller, laid out as a RowMatrix: `offsets` has
  // one place more than the batch has rows. Returns how many values there are.
  // kUsage, with that number, where `values` has fewer places; what was written
  // then means nothing.
  Result<uint64_t> Sketch(const TextBatch& batch, std::span<uint32_t> values,
                          std::span<uint64_t> offsets, size_t which = 0) const;
  Result<uint64_t> Keys(const TextBatch& batch, std::span<uint64_t> values,
                        std::span<uint64_t> offsets) const;
  Result<uint64_t> Shingles(const TextBatch& batch, std::span<uint64_t> values,
                            std::span<uint64_t> offsets) const;
  // The length of the sketches of all documents that are not empty; 0 where it
  // depends on the document, or there is no such sketcher.
  uint64_t SketchLength(size_t which = 0) const;
  // The sketch of a text with these shingles, in any order and any number of
  // times; of none, an empty one. kUsage where the sketcher reads no set of
  // shingles.
  Result<std::vector<uint32_t>> SketchHashes(std::span<const uint64_t> hashes,
                                             size_t which = 0) const;

  // Estimated similarity of the documents behind two sketches, in [0, 1].
  double Estimate(std::span<const uint32_t> a, std::span<const uint32_t> b,
                  size_t which = 0) const;
  // What decides the sketches of this session, for files of them
  // (twinset/sketches.h).
  SketchParameters Parameters(size_t which = 0) const;
  // The same of sketches number i and j of two sets. kUnsupported, naming both
  // values, where a parameter of the sets or of the session differs.
  Result<double> Estimate(const SketchSet& a, size_t i, const SketchSet& b,
                          size_t j) const;
  // The exact similarity of two texts under the measure of the method; 0 when
  // one has no features. The session hashes features under a secret, so that
  // nobody can forge texts that only seem alike.
  double Similarity(std::string_view a, std::string_view b) const;
  // The same of texts whose features are made once.
  Result<TextFeatures> Features(const TextBatch& batch) const;
  // kUsage for features of another session.
  Result<double> Similarity(TextFeatures::Row a, TextFeatures::Row b) const;
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
