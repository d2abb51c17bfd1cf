#include "twinset/session.h"

#include <algorithm>
#include <utility>

#include "base/machine.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "candidate/bands.h"
#include "collection/session_rows.h"
#include "collection/sketch_parameters.h"
#include "documents/document_options.h"
#include "explain/sketch_maker.h"
#include "methods/measures.h"
#include "pipeline/read/ingest.h"
#include "pipeline/run/run_key.h"

namespace twinset {

struct Session::Parts {
  Parts(const SessionOptions& o, TextSketcher sketches, Plan secret,
        uint64_t session_number)
      : options(o),
        sketcher(std::move(sketches)),
        maker(sketcher),
        verified(std::move(secret)),
        number(session_number),
        threads(o.threads > 0 ? o.threads : UsableThreads()) {}

  // Calls append(text, scratch, values) for each text and gives take(chunk) the
  // rows in the order of the batch.
  template <typename Value, typename Append, typename Take>
  Status ForEachRow(const TextBatch& batch, const Append& append,
                    const Take& take) const;
  // What is compared of a text, for exact similarities.
  std::string VerifiedView(std::string_view text, IngestScratch* scratch) const;
  Result<const Sketcher*> Find(size_t which) const;

  // What appends to the values of a text, for ForEachRow.
  auto AppendSketch(size_t which) const {
    return [this, which](std::string_view text, SketchMaker::Scratch* scratch,
                         std::vector<uint32_t>* values) {
      maker.Make(text, which, scratch);
      const twinset::Sketch& sketch = scratch->sketches[which];
      values->insert(values->end(), sketch.begin(), sketch.end());
    };
  }
  auto AppendKeys() const {
    return [this](std::string_view text, SketchMaker::Scratch* scratch,
                  std::vector<uint64_t>* values) {
      if (maker.Make(text, std::nullopt, scratch))
        sketcher.parts().generator->Keys(scratch->sketches, 0, values);
    };
  }
  auto AppendShingles() const {
    return [this](std::string_view text, SketchMaker::Scratch* scratch,
                  std::vector<uint64_t>* values) {
      twinset::Features* const made = &scratch->ingest.shingles;
      shingles->Extract(text, &scratch->ingest.features, made);
      values->insert(values->end(), made->shingles.begin(),
                     made->shingles.end());
    };
  }
  Status CheckKeys() const {
    if (sketcher.parts().generator != nullptr) return {};
    return Fail(ErrorCode::kUsage,
                "method " + sketcher.method().info.name + " goes by no keys");
  }

  template <typename Value, typename Append>
  Result<RowMatrix<Value>> Matrix(const TextBatch& batch,
                                  const Append& append) const {
    TWINSET_TRY(batch.Check());
    IntoMatrix<Value> rows(batch.size());
    TWINSET_TRY(ForEachRow<Value>(
        batch, append, [&](const Chunk<Value>& chunk) { rows.Take(chunk); }));
    return std::move(rows.matrix);
  }
  template <typename Value, typename Append>
  Result<uint64_t> Fill(const TextBatch& batch, std::span<Value> values,
                        std::span<uint64_t> offsets,
                        const Append& append) const {
    TWINSET_TRY(batch.Check());
    IntoSpans<Value> rows(values, offsets);
    TWINSET_TRY(rows.Begin(batch));
    TWINSET_TRY(ForEachRow<Value>(
        batch, append, [&](const Chunk<Value>& chunk) { rows.Take(chunk); }));
    return rows.End();
  }

  const SessionOptions options;
  const TextSketcher sketcher;  // under published hashes
  const SketchMaker maker;
  std::vector<SketchParameters> parameters;  // of each sketcher
  const Plan verified;                       // views under a secret
  const uint64_t number;  // no other session has it, but by chance
  const int threads;
  std::unique_ptr<FeatureExtractor> shingles;
  mutable ScratchPool pool;
};

template <typename Value, typename Append, typename Take>
Status Session::Parts::ForEachRow(const TextBatch& batch, const Append& append,
                                  const Take& take) const {
  size_t next = 0;
  Status status;
  const auto source = [&]() -> PipelineItem {
    if (next == batch.size()) return nullptr;
    status = CheckStop(options.stop);
    if (!status) return nullptr;
    auto chunk = std::make_shared<Chunk<Value>>();
    chunk->begin = next;
    next = chunk->end = std::min(batch.size(), next + kChunkTexts);
    return chunk;
  };
  const auto transform = [&](void* item) {
    auto* const chunk = static_cast<Chunk<Value>*>(item);
    auto scratch = pool.Take();
    for (size_t i = chunk->begin; i < chunk->end; ++i) {
      append(batch[i], scratch.get(), &chunk->values);
      chunk->ends.push_back(chunk->values.size());
    }
    pool.Give(std::move(scratch));
  };
  const auto sink = [&](void* item) {
    take(*static_cast<const Chunk<Value>*>(item));
    return true;
  };
  // A batch of one chunk needs no other thread.
  const size_t chunks = (batch.size() + kChunkTexts - 1) / kChunkTexts;
  const int workers =
      static_cast<int>(std::min<size_t>(static_cast<size_t>(threads), chunks));
  OrderedPipeline(std::max(1, workers), 4 * static_cast<size_t>(threads),
                  source, transform, sink);
  return status;
}

std::string Session::Parts::VerifiedView(std::string_view text,
                                         IngestScratch* scratch) const {
  if (verified.features.form == FeatureForm::kPayload) return std::string(text);
  return MakeView(verified, 0, text, scratch);
}

Result<const Sketcher*> Session::Parts::Find(size_t which) const {
  const auto& all = sketcher.parts().sketchers;
  if (which < all.size()) return all[which].get();
  return Fail(ErrorCode::kUsage, "method " + sketcher.method().info.name +
                                     " has " + std::to_string(all.size()) +
                                     " sketchers, there is no " +
                                     std::to_string(which + 1) + ".");
}

Session::Session(std::unique_ptr<const Parts> parts)
    : parts_(std::move(parts)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Result<Session> Session::Make(const SessionOptions& options) try {
  TWINSET_ASSIGN(const Method* method, FindSketchMethod(options.method.name));
  TWINSET_TRY(CheckParameters(method->info, options.method));
  if (MeasureLearns(options.method)) {
    return Fail(ErrorCode::kUnsupported,
                "measure " + std::string(ChoiceName(options.method.measure)) +
                    " learns from the documents that it compares",
                "", "run Dedup or Match over them");
  }
  TWINSET_TRY(CheckStop(options.stop));
  TWINSET_ASSIGN(TextSketcher sketcher,
                 TextSketcher::Create(*method, options.features, options.method,
                                      options.corpus,
                                      {options.on_progress, options.stop}));
  Plan verified;
  verified.options.features = options.features;
  verified.options.method = options.method;
  verified.features.method = method;
  if (options.key_bytes) {
    TWINSET_ASSIGN(verified.features.key, KeyOfBytes(*options.key_bytes));
  }
  TWINSET_TRY(MakeViews(verified.options, &verified.features));
  TWINSET_ASSIGN(const HashKey number, DrawHashKey());
  auto parts = std::make_unique<Parts>(options, std::move(sketcher),
                                       std::move(verified), number.low);
  TWINSET_ASSIGN(parts->shingles, MakeExtractor(options.features));
  TWINSET_ASSIGN(parts->parameters,
                 ParametersOfSketches(parts->sketcher, options.features));
  return Session(std::move(parts));
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<SketchMatrix> Session::Sketch(const TextBatch& batch, size_t which) const
    try {
  TWINSET_TRY(parts_->Find(which));
  return parts_->Matrix<uint32_t>(batch, parts_->AppendSketch(which));
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<uint64_t> Session::Sketch(const TextBatch& batch,
                                 std::span<uint32_t> values,
                                 std::span<uint64_t> offsets,
                                 size_t which) const try {
  TWINSET_TRY(parts_->Find(which));
  return parts_->Fill(batch, values, offsets, parts_->AppendSketch(which));
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<KeyMatrix> Session::Keys(const TextBatch& batch) const try {
  TWINSET_TRY(parts_->CheckKeys());
  return parts_->Matrix<uint64_t>(batch, parts_->AppendKeys());
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<uint64_t> Session::Keys(const TextBatch& batch,
                               std::span<uint64_t> values,
                               std::span<uint64_t> offsets) const try {
  TWINSET_TRY(parts_->CheckKeys());
  return parts_->Fill(batch, values, offsets, parts_->AppendKeys());
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<KeyMatrix> Session::Shingles(const TextBatch& batch) const try {
  return parts_->Matrix<uint64_t>(batch, parts_->AppendShingles());
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<uint64_t> Session::Shingles(const TextBatch& batch,
                                   std::span<uint64_t> values,
                                   std::span<uint64_t> offsets) const try {
  return parts_->Fill(batch, values, offsets, parts_->AppendShingles());
} catch (const std::bad_alloc&) {
  return NoMemory();
}

std::vector<uint64_t> Session::Shingles(std::string_view text) const {
  FeatureScratch scratch;
  twinset::Features features;
  parts_->shingles->Extract(text, &scratch, &features);
  return std::move(features.shingles);
}

uint64_t Session::SketchLength(size_t which) const {
  const auto sketcher = parts_->Find(which);
  if (!sketcher || (*sketcher)->layout().values == 0) return 0;
  // What it makes of 8 bytes: its features, or one shingle.
  alignas(8) constexpr char kOne[8] = {1};
  twinset::Sketch sketch;
  (*sketcher)->Compute({kOne, sizeof kOne}, &sketch);
  return sketch.size();
}

Result<std::vector<uint32_t>> Session::SketchHashes(
    std::span<const uint64_t> hashes, size_t which) const try {
  TWINSET_ASSIGN(const Sketcher* sketcher, parts_->Find(which));
  const TextSketcher& of = parts_->sketcher;
  if (of.plan().features.views[of.ViewOf(which)].form !=
      FeatureForm::kShingles) {
    return Fail(ErrorCode::kUsage, "method " + of.method().info.name +
                                       " makes sketches of more than a set of "
                                       "shingles");
  }
  std::vector<uint64_t> set(hashes.begin(), hashes.end());
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  twinset::Sketch sketch;
  if (!set.empty()) {
    sketcher->Compute({reinterpret_cast<const char*>(set.data()),
                       set.size() * sizeof(uint64_t)},
                      &sketch);
  }
  return std::vector<uint32_t>(sketch.begin(), sketch.end());
} catch (const std::bad_alloc&) {
  return NoMemory();
}

double Session::Estimate(std::span<const uint32_t> a,
                         std::span<const uint32_t> b, size_t which) const {
  const auto sketcher = parts_->Find(which);
  return sketcher && !a.empty() && !b.empty() ? (*sketcher)->Estimate(a, b) : 0;
}

SketchParameters Session::Parameters(size_t which) const {
  const auto& all = parts_->parameters;
  return which < all.size() ? all[which] : SketchParameters();
}

Result<double> Session::Estimate(const SketchSet& a, size_t i,
                                 const SketchSet& b, size_t j) const try {
  TWINSET_TRY(CheckComparable(a.parameters, b.parameters));
  const auto& all = parts_->parameters;
  const auto own = std::find(all.begin(), all.end(), a.parameters);
  if (own == all.end()) {
    TWINSET_TRY(parts_->Find(0));
    return tl::unexpected(CheckComparable(a.parameters, all[0]).error());
  }
  if (i >= a.sketches.size() || j >= b.sketches.size())
    return Fail(ErrorCode::kUsage, "a set has no sketch of that number");
  return Estimate(a.sketches[i], b.sketches[j],
                  static_cast<size_t>(own - all.begin()));
} catch (const std::bad_alloc&) {
  return NoMemory();
}

double Session::Similarity(std::string_view a, std::string_view b) const {
  auto scratch = parts_->pool.Take();
  const std::string of_a = parts_->VerifiedView(a, &scratch->ingest),
                    of_b = parts_->VerifiedView(b, &scratch->ingest);
  parts_->pool.Give(std::move(scratch));
  if (of_a.empty() || of_b.empty()) return 0;
  return parts_->sketcher.parts().verifier->CompareFully(of_a, of_b).score;
}

uint64_t TextFeatures::bytes() const {
  return (words_.capacity() + begins_.capacity() + sizes_.capacity()) *
         sizeof(uint64_t);
}

std::string_view TextFeatures::At(size_t i) const {
  return {reinterpret_cast<const char*>(words_.data() + begins_[i]), sizes_[i]};
}

Result<TextFeatures> Session::Features(const TextBatch& batch) const try {
  TWINSET_TRY(batch.Check());
  TextFeatures features;
  features.session_ = parts_->number;
  const auto append = [this](std::string_view text,
                             SketchMaker::Scratch* scratch,
                             std::vector<uint64_t>* values) {
    const std::string view = parts_->VerifiedView(text, &scratch->ingest);
    // Its size, and then its bytes in whole words.
    values->push_back(view.size());
    const size_t begin = values->size();
    values->resize(begin + (view.size() + 7) / 8);
    view.copy(reinterpret_cast<char*>(values->data() + begin), view.size());
  };
  TWINSET_TRY(parts_->ForEachRow<uint64_t>(
      batch, append, [&](const Chunk<uint64_t>& chunk) {
        size_t begin = 0;
        for (const size_t end : chunk.ends) {
          features.sizes_.push_back(chunk.values[begin]);
          features.begins_.push_back(features.words_.size());
          features.words_.insert(
              features.words_.end(),
              chunk.values.begin() + static_cast<ptrdiff_t>(begin + 1),
              chunk.values.begin() + static_cast<ptrdiff_t>(end));
          begin = end;
        }
      }));
  return features;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<double> Session::Similarity(TextFeatures::Row a,
                                   TextFeatures::Row b) const try {
  for (const TextFeatures::Row& row : {a, b}) {
    if (row.of == nullptr || row.row >= row.of->size() ||
        row.of->session_ != parts_->number) {
      return Fail(ErrorCode::kUsage,
                  "the features are of another session, or of no text");
    }
  }
  const std::string_view of_a = a.of->At(a.row), of_b = b.of->At(b.row);
  if (of_a.empty() || of_b.empty()) return 0.0;
  return parts_->sketcher.parts().verifier->CompareFully(of_a, of_b).score;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<Explanation> Session::Explain(std::string_view a,
                                     std::string_view b) const try {
  return ExplainTexts(a, b, parts_->options.features, parts_->options.method);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
