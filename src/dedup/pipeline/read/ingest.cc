#include "pipeline/read/ingest.h"

#include <algorithm>
#include <iterator>

#include "base/bytes.h"
#include "base/free_string.h"
#include "base/keyed_hash.h"
#include "documents/document_text.h"
#include "net/url.h"
#include "pipeline/read/judged_text.h"
#include "pipeline/read/passage_store.h"
#include "pipeline/read/stored_sketches.h"
#include "pipeline/read/token_store.h"
#include "pipeline/read/unit_store.h"
#include "pipeline/read/view_store.h"
#include "sketch/rabin.h"
#include "text/page/language.h"
#include "text/tokens/given_weights.h"

namespace twinset {

namespace {

// Does `canonical`, written whole or relative to the page, name the page?
bool NamesItself(std::string_view canonical, std::string_view url) {
  if (canonical.empty() || url.empty()) return false;
  if (canonical == url) return true;
  const auto target = ResolveUrl(url, canonical);
  return target && *target == NormaliseUrl(url);
}

Canonical CanonicalOf(std::string_view canonical, std::string_view url) {
  if (canonical.empty()) return Canonical::kNone;
  return NamesItself(canonical, url) ? Canonical::kSelf : Canonical::kOther;
}

void RemoveIgnored(const std::vector<uint64_t>& ignored,
                   std::vector<uint64_t>* shingles) {
  if (ignored.empty()) return;
  std::erase_if(*shingles, [&](uint64_t hash) {
    return std::binary_search(ignored.begin(), ignored.end(), hash);
  });
}

constexpr const char* kOtherLanguage = "language";  // why it is skipped

constexpr const char* kOtherKind = "page-kind";

// The language of a document, for methods that compare payloads. It is
// kUnknownLanguage where the document has no text.
std::string LanguageOfPayload(const Plan& plan, const Document& document) {
  const auto clean = ExtractText(document, plan.features.text);
  if (!clean) return std::string(kUnknownLanguage);
  return IdentifyLanguage(clean->text, clean->language).code;
}

}  // namespace

void ExtractHashes(const FeatureExtractor& extractor, FeatureForm form,
                   std::string_view text, IngestScratch* scratch) {
  if (form == FeatureForm::kShingles) {
    extractor.Extract(text, &scratch->features, &scratch->shingles);
    return;
  }
  extractor.Sequence(text, &scratch->features, &scratch->shingles);
  if (form == FeatureForm::kBag) {
    std::sort(scratch->shingles.shingles.begin(),
              scratch->shingles.shingles.end());
  }
}

namespace {

std::string_view BytesOf(const std::vector<uint64_t>& hashes) {
  return {reinterpret_cast<const char*>(hashes.data()),
          hashes.size() * sizeof(uint64_t)};
}

// Texts up to this many bytes are hashed under the secret and for their
// sketches in one pass; longer ones in two, which need no more memory than one.
constexpr size_t kOnePassBytes = 64 << 10;
// The shingles of texts beyond this are stored where they were made.
constexpr size_t kLargeBytes = 1 << 20;

// Appends each feature of a text of given features with its weight.
void AppendWeighted(const FeatureExtractor& extractor, std::string_view text,
                    IngestScratch* scratch, std::string* bytes) {
  extractor.Sequence(text, &scratch->features, &scratch->shingles);
  GivenWeights weights(text);
  for (const uint64_t feature : scratch->shingles.shingles) {
    AppendLE<uint64_t>(bytes, feature);
    AppendLE<uint64_t>(bytes, weights.Next());
  }
}

// Appends a view that holds no hashes. Passages are no first view: the tokens
// of the text have been counted.
void AppendView(const Plan& plan, size_t view, std::string_view text,
                IngestScratch* scratch, std::string* bytes) {
  const FeatureForm form = plan.features.views[view].form;
  if (form == FeatureForm::kText) {
    bytes->append(text);
  } else if (form == FeatureForm::kWeighted) {
    AppendWeighted(*plan.features.extractors[view], text, scratch, bytes);
  } else if (form == FeatureForm::kPassages) {
    AppendPassages(plan, text, scratch->cuts, scratch->shingles.token_count,
                   bytes);
  } else {
    std::string joined;
    JoinTokens(text, plan.options.features.tokens, &scratch->features, &joined,
               plan.features.token_filter.get());
    bytes->append(joined);
  }
}

// Makes the views of one text, one after the other.
class ViewMaking {
 public:
  ViewMaking(const Plan& plan, const IgnoredShingles& ignored,
             std::string_view text, IngestScratch* scratch)
      : plan_(plan),
        ignored_(ignored),
        text_(text),
        scratch_(scratch),
        together_(plan.features.views_share_pass &&
                  text.size() <= kOnePassBytes) {}

  // Appends the bytes of view `i`.
  void Append(size_t i, std::string* bytes) {
    if (IsHashed(plan_.features.views[i].form)) {
      bytes->append(Make(i));
    } else {
      AppendView(plan_, i, text_, scratch_, bytes);
    }
  }

  // The bytes of view `i`, good until the next call; 0 comes first.
  std::string_view Make(size_t i) {
    if (!IsHashed(plan_.features.views[i].form)) {
      stored_ = MakeView(plan_, i, text_, scratch_);
      return stored_;
    }
    Features* features =
        together_ && i == 1 ? &scratch_->open : &scratch_->shingles;
    if (together_ && i == 0) {
      plan_.features.extractors[0]->ExtractBoth(
          text_, IsSet(0), IsSet(1) && !plan_.features.sketches_ignore_repeats,
          &scratch_->features, features, &scratch_->open);
    } else if (!together_ || i != 1) {
      ExtractHashes(*plan_.features.extractors[i], plan_.features.views[i].form,
                    text_, scratch_);
    }
    std::vector<uint64_t>& hashes = features->shingles;
    if (together_ && i < 2 && plan_.features.views[i].form == FeatureForm::kBag)
      std::sort(hashes.begin(), hashes.end());
    if (!ignored_.empty()) RemoveIgnored(ignored_[i], &hashes);
    return BytesOf(hashes);
  }

 private:
  bool IsSet(size_t i) const {
    return plan_.features.views[i].form == FeatureForm::kShingles;
  }
  const Plan& plan_;
  const IgnoredShingles& ignored_;
  const std::string_view text_;
  IngestScratch* const scratch_;
  const bool together_;
  std::string stored_;
};

// Fills the views or the sketches of them, feature count and token count from
// the clean text.
void ExtractFeatures(const Plan& plan, const IgnoredShingles& ignored,
                     std::string_view text, IngestScratch* scratch,
                     Ingested* result) {
  result->info.code_points = CountCodePoints(text);
  ViewMaking making(plan, ignored, text, scratch);
  const std::string_view features = making.Make(0);
  const bool hashed = IsHashed(plan.features.form);
  const size_t bytes = features.size();
  result->info.feature_count = hashed ? bytes / sizeof(uint64_t) : bytes;
  result->token_count = hashed ? scratch->shingles.token_count : 0;
  result->info.tokens = result->token_count;
  if (hashed && text.size() > kLargeBytes) {
    result->hashes = std::move(scratch->shingles.shingles);
  } else {
    result->features = features;
  }
  if (plan.features.views.size() == 1 ||
      (plan.features.sketching && bytes == 0))
    return;
  if (plan.features.sketching) {
    std::vector<Sketch>& sketches = scratch->sketches;
    sketches.resize(plan.features.sketching->sketchers.size());
    for (size_t i = 1; i < plan.features.views.size(); ++i) {
      const std::string_view view = making.Make(i);
      for (size_t j = 0; j < sketches.size(); ++j) {
        if (plan.features.sketching->sketch_views[j] == i)
          plan.features.sketching->sketchers[j]->Compute(view, &sketches[j]);
      }
    }
    if (!plan.features.late) return EncodeSketches(sketches, &result->views);
    std::vector<uint64_t> keys;
    plan.features.sketching->generator->Keys(sketches, result->info.within.low,
                                             &keys);
    result->views = BytesOf(keys);
    return;
  }
  ViewWriter writer(plan.features.views.size() - 1, &result->views);
  for (size_t i = 1; i < plan.features.views.size(); ++i) {
    making.Append(i, &result->views);
    writer.End();
  }
}

uint64_t PresentFields(const Document& document) {
  const auto bit = [](const std::string& value, size_t place) {
    return uint64_t{!value.empty()} << place;
  };
  uint64_t present = bit(document.id, field_bit::kId) |
                     bit(document.provenance.url, field_bit::kUrl) |
                     bit(document.provenance.date, field_bit::kDate);
  for (size_t i = 0;
       i < document.fields.size() && field_bit::kField + i < field_bit::kCount;
       ++i)
    present |= bit(document.fields[i].second, field_bit::kField + i);
  return present;
}

void StoreUnits(const Plan& plan, ContentKind kind, const CleanText& clean,
                IngestScratch* scratch, Ingested* result) {
  const TokenRule tokens = plan.options.features.tokens;
  const UnitCounts counts =
      plan.options.unit == UnitKind::kSubstring
          ? EncodeTokens(tokens, clean, &scratch->units, &result->features)
          : EncodeUnits(UnitRuleOf(plan.options, tokens, kind), clean,
                        &scratch->units, &result->features);
  result->info.feature_count = counts.units;
  result->info.code_points = counts.code_points;
  result->token_count = counts.tokens;
}

// `clean`: the text of `document`, whose payload is still there if it is HTML.
void StoreJudged(const Plan& plan, const Document& document,
                 const CleanText& clean, Ingested* result) {
  const auto other = OtherTextOf(document, plan.features.text);
  result->judged =
      EncodeJudged({clean.text, other ? std::optional<std::string_view>(*other)
                                      : std::nullopt},
                   clean.layout);
}

// Stores a document whose bytes are compared: one without text is judged as
// empty.
void StoreJudgedPayload(const Plan& plan, const Document& document,
                        Ingested* result) {
  TextOptions options = plan.features.text;
  options.want_layout = true;
  const auto clean = ExtractText(document, options);
  StoreJudged(plan, document, clean ? *clean : CleanText(), result);
}

// Returns true iff the template stage has to see the document first.
bool WaitsForSite(const Plan& plan, const Document& document) {
  return plan.features.drops_template() && document.kind == ContentKind::kHtml;
}

void FinishInfo(const Plan& plan, std::string_view features,
                DocumentInfo* info) {
  info->empty = info->feature_count == 0;
  if (!info->empty) info->fingerprint = FingerprintOf(plan, features);
}

}  // namespace

void TakeText(const Plan& plan, const IgnoredShingles& ignored,
              std::string text, IngestScratch* scratch, Ingested* result) {
  ExtractFeatures(plan, ignored, text, scratch, result);
  if (plan.checks_texts()) result->text = std::move(text);
  FinishInfo(plan, result->FeatureBytes(), &result->info);
}

std::string FeaturesOf(const Plan& plan, const IgnoredShingles& ignored,
                       std::string_view text, IngestScratch* scratch) {
  if (!IsHashed(plan.features.form)) return MakeView(plan, 0, text, scratch);
  ExtractHashes(*plan.features.extractors[0], plan.features.form, text,
                scratch);
  if (!ignored.empty()) RemoveIgnored(ignored[0], &scratch->shingles.shingles);
  return EncodeHashes(scratch->shingles.shingles);
}

std::string MakeView(const Plan& plan, size_t view, std::string_view text,
                     IngestScratch* scratch) {
  std::string stored;
  const FeatureForm form = plan.features.views[view].form;
  if (IsHashed(form)) {
    ExtractHashes(*plan.features.extractors[view], form, text, scratch);
    return EncodeHashes(scratch->shingles.shingles);
  }
  AppendView(plan, view, text, scratch, &stored);
  return stored;
}

namespace {

// The bytes of hashes that a byte of text has at worst: of each kind of
// shingle one for every character, or for every other.
uint64_t HashBytesAByte(const Plan& plan) {
  uint64_t most = sizeof(uint64_t) / 2;
  for (const auto& extractor : plan.features.extractors) {
    uint64_t bytes = 0;
    if (extractor == nullptr) continue;
    for (const ShingleKind& kind : extractor->kinds()) {
      const bool of_chars = kind.unit == ShingleKind::kChar;
      bytes += sizeof(uint64_t) / (of_chars ? 1 : 2);
    }
    most = std::max(most, bytes);
  }
  return most;
}

}  // namespace

uint64_t IngestCost(const Plan& plan, uint64_t payload_bytes) {
  const uint64_t hashes = HashBytesAByte(plan);
  // A view beyond the first, and one that keeps repeats. Of given features
  // three numbers more.
  const uint64_t stored_views =
      plan.features.sketching ? 1 : plan.features.views.size();
  const uint64_t views =
      stored_views - 1 + (plan.features.form != FeatureForm::kShingles);
  const uint64_t more =
      plan.checks_texts() + plan.options.kinds +
      3 * uint64_t{!plan.options.input.features_field.empty()};
  return (1 << 10) + plan.features.sketch_bytes +
         (3 + hashes + (hashes + 1) * views + 5 * more) * payload_bytes;
}

uint64_t ParserCost(const Document& document) {
  if (document.kind != ContentKind::kHtml) return 64 << 10;
  return MarkupCost(document);
}

std::string EncodeHashes(const std::vector<uint64_t>& hashes) {
  return std::string(BytesOf(hashes));
}

Hash128Value FeatureFingerprint(FeatureForm form, std::string_view features) {
  if (IsHashed(form) || form == FeatureForm::kUnits) return Hash128(features);
  static const RabinFingerprint rabin =
      *RabinFingerprint::Create(kRabinPolynomial);
  return {rabin.Of(features), features.size()};
}

Hash128Value FingerprintOf(const Plan& plan, std::string_view features) {
  const FeatureForm form = plan.features.form;
  Hash128Value fingerprint = plan.features.fingerprint
                                 ? plan.features.fingerprint(features)
                                 : FeatureFingerprint(form, features);
  // Texts of one Rabin fingerprint are easy to make. They must not be taken for
  // one large group of copies, of which not all pairs are compared.
  if (!IsHashed(form) && form != FeatureForm::kUnits)
    fingerprint.high ^= EqualityHash(plan.features.key).Short(features);
  return fingerprint;
}

std::string ScopeValue(const ScopeField& scope, const Document& document,
                       const std::string& source, const std::string& language) {
  switch (scope.kind) {
    case ScopeField::kNone:
      return "";
    case ScopeField::kSource:
      return source;
    case ScopeField::kHost:
      return UrlHost(NormaliseUrl(document.provenance.url));
    case ScopeField::kUrl:
      return document.provenance.url;
    case ScopeField::kLanguage:
      return language;
    case ScopeField::kSide:
      return "";  // known by the number of the input (document_info.h)
    case ScopeField::kField:
      return scope.field < document.fields.size()
                 ? document.fields[scope.field].second
                 : "";
  }
  return "";
}

Hash128Value ScopeOf(const Plan& plan, const ScopeField& scope,
                     const Document& document, const std::string& source,
                     const std::string& language) {
  if (scope.kind == ScopeField::kNone) return kNoScope;
  if (scope.kind == ScopeField::kSide)
    return ScopeOfSide(
        document.provenance.source >= plan.inputs.first_side ? 1 : 0);
  return EqualityHash(plan.features.key)
      .Long(ScopeValue(scope, document, source, language));
}

std::string DefaultId(const std::string& source, uint64_t ordinal) {
  return source + ":" + std::to_string(ordinal);
}

Ingested Ingest(const Plan& plan, const IgnoredShingles& ignored,
                Document* document, IngestScratch* scratch) {
  Ingested result;
  DocumentInfo& info = result.info;
  result.payload_bytes = info.payload_bytes = document->payload.size();
  info.payload_hash = PayloadHash(*document);
  result.present = PresentFields(*document);
  info.truncated = document->truncated;
  const std::string& source =
      scratch->sources.Of(plan.inputs.files, document->provenance.source);
  std::string language;
  if (plan.features.form == FeatureForm::kPayload) {
    if (plan.scope.needs_language())
      language = LanguageOfPayload(plan, *document);
    if (!LanguageInRanges(language, plan.scope.languages)) {
      result.skip_reason = kOtherLanguage;
      return result;
    }
    if (!plan.scope.page_kinds.empty()) {
      const auto clean = ExtractText(*document, plan.features.text);
      result.page_kind = clean ? clean->page.kind : PageKind::kNone;
    }
    if (!IsKindAsked(plan.scope.page_kinds, result.page_kind)) {
      result.skip_reason = kOtherKind;
      return result;
    }
    info.code_points = document->kind == ContentKind::kBytes
                           ? document->payload.size()
                           : CountCodePoints(document->payload);
    info.feature_count = document->payload.size();
    if (plan.options.kinds) StoreJudgedPayload(plan, *document, &result);
    result.features = std::move(document->payload);
    FinishInfo(plan, result.features, &info);
    info.within = ScopeOf(plan, plan.scope.within, *document, source, language);
  } else {
    TextOptions text = plan.features.text;
    text.want_parts = WaitsForSite(plan, *document);
    text.want_layout = plan.options.kinds;
    auto clean = ExtractText(document, text);
    if (!clean) {
      result.quarantine_reason = "no-text";
      result.quarantine_detail = clean.error().message;
      return result;
    }
    if (plan.scope.needs_language())
      language = IdentifyLanguage(clean->text, clean->language).code;
    if (!LanguageInRanges(language, plan.scope.languages)) {
      result.skip_reason = kOtherLanguage;
      return result;
    }
    result.page_kind = clean->page.kind;
    result.unsure = clean->page.unsure;
    if (!IsKindAsked(plan.scope.page_kinds, result.page_kind)) {
      result.skip_reason = kOtherKind;
      return result;
    }
    info.within = ScopeOf(plan, plan.scope.within, *document, source, language);
    if (plan.options.kinds) StoreJudged(plan, *document, *clean, &result);
    FreeString(&document->payload);
    info.canonical = CanonicalOf(clean->canonical, document->provenance.url);
    result.used_fallback = clean->used_fallback;
    result.malformed = clean->malformed;
    result.malformed_xml = clean->malformed_xml;
    if (plan.features.form == FeatureForm::kUnits) {
      StoreUnits(plan, document->kind, *clean, scratch, &result);
      FinishInfo(plan, result.features, &info);
    } else {
      if (text.want_parts) {
        const PageSite site =
            SiteOf(plan, *document,
                   scratch->sources.FileOf(plan.inputs.files,
                                           document->provenance.source),
                   language);
        if (!site.key.empty()) EncodePage(plan, site, *clean, &result.page);
      }
      if (result.page.empty())
        TakeText(plan, ignored, std::move(clean->text), scratch, &result);
    }
  }
  info.across = ScopeOf(plan, plan.scope.across, *document, source, language);
  if (plan.scope.window_seconds != 0)
    info.seconds = ParseDate(document->provenance.date);
  info.id = document->id.empty()
                ? DefaultId(source, document->provenance.ordinal)
                : std::move(document->id);
  info.provenance = std::move(document->provenance);
  for (auto& [name, value] : document->fields)
    info.fields.push_back(std::move(value));
  return result;
}

}  // namespace twinset
