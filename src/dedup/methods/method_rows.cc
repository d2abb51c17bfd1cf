#include "methods/method_rows.h"

#include <algorithm>

#include "base/bytes.h"
#include "methods/measures.h"
#include "options/parameters.h"

namespace twinset {

namespace {

constexpr char kModelName[] = "method";
constexpr uint32_t kModelVersion = 1;

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
  std::string measure, own;
  if (model != nullptr) TWINSET_TRY(DecodeModel(*model, &measure, &own));
  FeatureIdf idf;
  if (model != nullptr && MeasureLearns(options)) {
    TWINSET_ASSIGN(idf, MeasureIdf(measure));
  }
  const std::string* const of_row =
      model != nullptr && RowLearns(row, options) ? &own : nullptr;
  TWINSET_ASSIGN(MethodParts parts, row.make_weighted
                                        ? row.make_weighted(options, idf)
                                        : row.make(options, of_row));
  TWINSET_ASSIGN(const RowViews views, ViewsOf(row, options));
  parts.sketch_views = views.of_sketcher;
  TWINSET_ASSIGN(parts.verifier, MeasureVerifier(options, idf));
  if (!row.info.symmetric)
    parts.verifier = MakeContainmentVerifier(options.threshold);
  // Sketches see resemblance: only of what they are made of, and only for it,
  // does the threshold say how many pairs they find.
  FeatureView compared = views.all[0];
  compared.secret = false;
  const bool sees_measure =
      options.measure == Measure::kJaccard &&
      std::all_of(views.of_sketcher.begin(), views.of_sketcher.end(),
                  [&](size_t view) {
                    return view == 0 || views.all[view] == compared;
                  });
  if (!sees_measure && !parts.complete) parts.expected_recall.reset();
  if (parts.complete) parts.expected_recall = 1.0;
  return parts;
}

// The row with what it has for pairs with a first and a second document.
MethodRow DirectedRow(const MethodRow& row) {
  MethodRow directed = row;
  directed.make = row.make_directed;
  directed.make_directed = nullptr;
  directed.info.verifier = "containment";
  directed.info.symmetric = false;
  return directed;
}

// Generator and filter read sketches as words: other words than they expect
// would be other candidates, or none, and nothing else would show it.
Status CheckParts(const MethodParts& parts) {
  std::vector<SketchLayout> layouts;
  for (const auto& sketcher : parts.sketchers)
    layouts.push_back(sketcher->layout());
  if (parts.generator != nullptr) TWINSET_TRY(parts.generator->Check(layouts));
  return parts.filter == nullptr ? Status() : parts.filter->Check(layouts);
}

}  // namespace

Method MakeMethod(const MethodRow& row) {
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
  if (row.make_directed) {
    method.directed =
        std::make_shared<const Method>(Guarded(MakeMethod(DirectedRow(row))));
  }
  return method;
}

Method Guarded(Method method) {
  const MethodInfo info = method.info;
  const auto views = std::move(method.views);
  method.views =
      [=](const MethodOptions& options) -> Result<std::vector<FeatureView>> {
    TWINSET_TRY(CheckRanges(info, options));
    return views(OnlyRead(info, options));
  };
  const auto make = std::move(method.make);
  method.make = [=](const MethodOptions& options,
                    const CorpusModel* model) -> Result<MethodParts> {
    TWINSET_TRY(CheckRanges(info, options));
    TWINSET_ASSIGN(MethodParts parts, make(OnlyRead(info, options), model));
    TWINSET_TRY(CheckParts(parts));
    return parts;
  };
  if (method.fingerprint) {
    const auto fingerprint = std::move(method.fingerprint);
    method.fingerprint = [=](const MethodOptions& options) {
      return fingerprint(OnlyRead(info, options));
    };
  }
  if (method.learns) {
    const auto learns = std::move(method.learns);
    method.learns = [=](const MethodOptions& options) {
      return learns(OnlyRead(info, options));
    };
  }
  if (method.prepare) {
    const auto prepare = std::move(method.prepare);
    method.prepare = [=](const MethodOptions& options,
                         const PrepareContext& context) {
      return prepare(OnlyRead(info, options), context);
    };
  }
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

}  // namespace twinset
