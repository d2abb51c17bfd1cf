#include "pipeline/method_rows.h"

#include <algorithm>

#include "base/bytes.h"
#include "pipeline/measures.h"

namespace twinset {

namespace {

constexpr char kModelName[] = "method";
constexpr uint32_t kModelVersion = 1;
constexpr char kFeatureHashes[] =
    "spec|md5|md5-low|sha1-32|sha1-64|xxh3|xxh3-32|rabin|rabin-mixed|binary|"
    "decimal";

// The views of a method: what is verified, then what is sketched, each once.
struct RowViews {
  std::vector<FeatureView> all;
  std::vector<size_t> of_sketcher;
};

Result<RowViews> ViewsOf(const MethodRow& row, const MethodOptions& options) {
  RowViews views;
  views.all.push_back(MeasureView(options));
  if (!row.sketch_views) return views;
  TWINSET_ASSIGN(const auto sketched, row.sketch_views(options));
  for (const FeatureView& view : sketched) {
    const auto found = std::find(views.all.begin(), views.all.end(), view);
    views.of_sketcher.push_back(static_cast<size_t>(found - views.all.begin()));
    if (found == views.all.end()) views.all.push_back(view);
  }
  return views;
}

// A model is two parts: what the measure learnt, and what the row learnt.
std::string EncodeModel(const std::string& measure, const std::string& row) {
  std::string bytes;
  AppendLE(&bytes, uint64_t{measure.size()});
  return bytes + measure + row;
}

Status DecodeModel(const CorpusModel& model, std::string* measure,
                   std::string* row) {
  ByteReader reader(model.bytes);
  const auto size = reader.Read<uint64_t>();
  if (model.name != kModelName || model.version != kModelVersion ||
      !reader.ok() || size > model.bytes.size() - 8) {
    return Fail(ErrorCode::kCorrupt, "the model of the method is damaged");
  }
  *measure = model.bytes.substr(8, size);
  *row = model.bytes.substr(8 + size);
  return {};
}

bool RowLearns(const MethodRow& row, const MethodOptions& options) {
  return row.learns && row.learns(options);
}

Result<CorpusModel> Learn(const MethodRow& row, const MethodOptions& options,
                          const PrepareContext& context) {
  std::string measure, own;
  if (MeasureLearns(options)) {
    TWINSET_ASSIGN(measure, LearnMeasure(options, context));
  }
  if (RowLearns(row, options)) {
    TWINSET_ASSIGN(const RowViews views, ViewsOf(row, options));
    PrepareContext of_row = context;
    of_row.pass = [&](const std::function<Status(DocumentViews)>& body) {
      std::vector<std::string_view> sketched(views.of_sketcher.size());
      return context.pass([&](DocumentViews all) {
        for (size_t i = 0; i < sketched.size(); ++i)
          sketched[i] = all[views.of_sketcher[i]];
        return body(sketched);
      });
    };
    TWINSET_ASSIGN(own, row.prepare(options, of_row));
  }
  return CorpusModel{kModelName, kModelVersion, EncodeModel(measure, own)};
}

Result<MethodParts> Make(const MethodRow& row, const MethodOptions& options,
                         const CorpusModel* model) {
  if (!(options.threshold > 0 && options.threshold <= 1)) {
    return Fail(ErrorCode::kUsage, "--threshold must be above 0 and at most 1");
  }
  std::string measure, own;
  if (model != nullptr) TWINSET_TRY(DecodeModel(*model, &measure, &own));
  const bool row_model = model != nullptr && RowLearns(row, options);
  TWINSET_ASSIGN(MethodParts parts,
                 row.make(options, row_model ? &own : nullptr));
  TWINSET_ASSIGN(const RowViews views, ViewsOf(row, options));
  parts.sketch_views = views.of_sketcher;
  TWINSET_ASSIGN(
      parts.verifier,
      MeasureVerifier(options, model != nullptr && MeasureLearns(options)
                                   ? &measure
                                   : nullptr));
  // Sketches see resemblance: only of what they are made of, and only for it,
  // does the threshold say how many pairs they find.
  FeatureView compared = views.all[0];
  compared.secret = false;
  const bool sees_measure =
      options.measure == "jaccard" &&
      std::all_of(views.of_sketcher.begin(), views.of_sketcher.end(),
                  [&](size_t view) {
                    return view == 0 || views.all[view] == compared;
                  });
  if (!sees_measure && !parts.complete) parts.expected_recall.reset();
  if (parts.complete) parts.expected_recall = 1.0;
  return parts;
}

}  // namespace

Method MakeMethod(MethodRow row) {
  Method method;
  method.info = row.info;
  method.steps = row.steps;
  method.law = row.law;
  method.views =
      [row](const MethodOptions& options) -> Result<std::vector<FeatureView>> {
    TWINSET_ASSIGN(RowViews views, ViewsOf(row, options));
    return std::move(views.all);
  };
  method.learns = [row](const MethodOptions& options) {
    return MeasureLearns(options) || RowLearns(row, options);
  };
  method.prepare = [row](const MethodOptions& options,
                         const PrepareContext& context) {
    return Learn(row, options, context);
  };
  method.make = [row](const MethodOptions& options, const CorpusModel* model) {
    return Make(row, options, model);
  };
  return method;
}

Result<std::string> RowModel(const CorpusModel& model) {
  std::string measure, row;
  TWINSET_TRY(DecodeModel(model, &measure, &row));
  return row;
}

FeatureView SketchedFeatures(const MethodOptions& options, FeatureForm form) {
  return {form, options.sketch_shingle, options.feature_hash};
}

MethodParameter ThresholdParameter() {
  return {"threshold", "0.8", "(0, 1]",
          "smallest similarity of a reported pair"};
}

MethodParameter MeasureParameter() {
  return {"measure", "jaccard",
          "jaccard|containment|dice|cosine|s3|cosine-tf|cosine-tf-idf|edit|"
          "hamming",
          "what similarity means"};
}

MethodParameter SeedParameter() {
  return {"seed", "1", "any", "of the hash functions"};
}

MethodParameter FeatureHashParameter() {
  return {"feature-hash", "spec", kFeatureHashes,
          "how a feature becomes a number"};
}

std::vector<MethodParameter> SketchParameters() {
  return {{"sketch-shingle", "as shingle", "as shingle",
           "what the sketch is made of"},
          FeatureHashParameter()};
}

std::vector<MethodParameter> WithMore(
    std::vector<MethodParameter> first,
    const std::vector<MethodParameter>& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

MethodParameter BucketLimitParameter() {
  return {"bucket-limit", "4096", ">= 0",
          "members a bucket may have before leaders stand in"};
}

}  // namespace twinset
