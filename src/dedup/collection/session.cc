#include "twinset/session.h"

#include <utility>

#include "base/stop.h"
#include "candidate/bands.h"
#include "documents/document_options.h"
#include "explain/text_sketcher.h"
#include "methods/measures.h"
#include "pipeline/read/ingest.h"

namespace twinset {

struct Session::Parts {
  Parts(const SessionOptions& o, TextSketcher sketches, Plan secret)
      : options(o),
        sketcher(std::move(sketches)),
        verified(std::move(secret)) {}

  // Views of a text, as the sketchers read them.
  std::vector<std::string> Views(std::string_view text) const {
    DocumentText document;
    document.text = text;
    document.payload = text;
    return sketcher.Views(document);
  }
  // What is compared of a text, for exact similarities.
  std::string VerifiedView(std::string_view text) const {
    if (verified.features.form == FeatureForm::kPayload)
      return std::string(text);
    IngestScratch scratch;
    return MakeView(verified, 0, text, &scratch);
  }
  Result<const Sketcher*> Find(size_t which) const {
    const auto& all = sketcher.parts().sketchers;
    if (which < all.size()) return all[which].get();
    return Fail(ErrorCode::kUsage, "method " + sketcher.method().info.name +
                                       " has " + std::to_string(all.size()) +
                                       " sketchers, there is no " +
                                       std::to_string(which + 1) + ".");
  }

  const SessionOptions options;
  const TextSketcher sketcher;  // under published hashes
  const Plan verified;          // views under a secret
  std::unique_ptr<FeatureExtractor> shingles;
};

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
  TWINSET_ASSIGN(TextSketcher sketcher,
                 TextSketcher::Create(*method, options.features, options.method,
                                      options.corpus));
  Plan verified;
  verified.options.features = options.features;
  verified.options.method = options.method;
  verified.features.method = method;
  TWINSET_TRY(MakeViews(verified.options, &verified.features));
  auto parts = std::make_unique<Parts>(options, std::move(sketcher),
                                       std::move(verified));
  TWINSET_ASSIGN(parts->shingles, MakeExtractor(options.features));
  return Session(std::move(parts));
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<SketchMatrix> Session::Sketch(const TextBatch& batch, size_t which) const
    try {
  TWINSET_TRY(parts_->Find(which));
  SketchMatrix matrix;
  matrix.offsets.reserve(batch.size() + 1);
  for (size_t i = 0; i < batch.size(); ++i) {
    const auto sketches = parts_->sketcher.Sketches(parts_->Views(batch[i]));
    matrix.values.insert(matrix.values.end(), sketches[which].begin(),
                         sketches[which].end());
    matrix.offsets.push_back(matrix.values.size());
  }
  return matrix;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<KeyMatrix> Session::Keys(const TextBatch& batch) const try {
  const MethodParts& method = parts_->sketcher.parts();
  if (method.generator == nullptr) {
    return Fail(
        ErrorCode::kUsage,
        "method " + parts_->sketcher.method().info.name + " goes by no keys");
  }
  KeyMatrix matrix;
  matrix.offsets.reserve(batch.size() + 1);
  for (size_t i = 0; i < batch.size(); ++i) {
    const auto views = parts_->Views(batch[i]);
    if (!views[0].empty())
      method.generator->Keys(parts_->sketcher.Sketches(views), 0,
                             &matrix.values);
    matrix.offsets.push_back(matrix.values.size());
  }
  return matrix;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

std::vector<uint64_t> Session::Shingles(std::string_view text) const {
  FeatureScratch scratch;
  Features features;
  parts_->shingles->Extract(text, &scratch, &features);
  return std::move(features.shingles);
}

double Session::Estimate(std::span<const uint32_t> a,
                         std::span<const uint32_t> b, size_t which) const {
  const auto sketcher = parts_->Find(which);
  return sketcher && !a.empty() && !b.empty() ? (*sketcher)->Estimate(a, b) : 0;
}

double Session::Similarity(std::string_view a, std::string_view b) const {
  const std::string of_a = parts_->VerifiedView(a),
                    of_b = parts_->VerifiedView(b);
  if (of_a.empty() || of_b.empty()) return 0;
  return parts_->sketcher.parts().verifier->CompareFully(of_a, of_b).score;
}

Result<Explanation> Session::Explain(std::string_view a,
                                     std::string_view b) const try {
  return ExplainTexts(a, b, parts_->options.features, parts_->options.method);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
