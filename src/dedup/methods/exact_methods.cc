// Rows of the registry: copies (docs/methods/exact.md,
// docs/methods/rabin-mod-prime.md).
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "methods/method_rows.h"
#include "methods/steps.h"
#include "options/parameters.h"
#include "sketch/rabin.h"
#include "sketch/rabin_prime.h"
#include "sketch/text_profile.h"

namespace twinset {

namespace {

FeatureForm FormOf(CopyLevel level) {
  switch (level) {
    case CopyLevel::kBytes:
      return FeatureForm::kPayload;
    case CopyLevel::kText:
      return FeatureForm::kText;
    case CopyLevel::kTokens:
      break;
  }
  return FeatureForm::kTokens;
}

Result<std::vector<FeatureView>> ExactViews(const MethodOptions& options) {
  return std::vector<FeatureView>{
      {FormOf(options.level), "", FeatureHash::kSpec}};
}

// Equal fingerprints, then equal bytes.
MethodParts MakeCopies(std::unique_ptr<Sketcher> fingerprint) {
  MethodParts parts;
  parts.sketchers.push_back(std::move(fingerprint));
  parts.generator = MakeWholeSketchKeys();
  parts.verifier = MakeBytesVerifier();
  parts.expected_recall = 1.0;
  return parts;
}

// What draws the polynomial; empty: the spec fixes it.
std::optional<uint64_t> PolynomialSeed(const MethodOptions& options) {
  if (options.polynomial == RabinModulus::kFixed) return std::nullopt;
  return options.seed;
}

std::string PolynomialText(const MethodOptions& options) {
  const auto seed = PolynomialSeed(options);
  return ToText(seed ? SeededPolynomial(*seed) : kRabinPolynomial) +
         (seed ? ", drawn with the seed" : "");
}

Method CopiesRow() {
  Method method;
  method.law = CandidateLaw::kCopies;
  method.info.generator = "equal fingerprints";
  method.info.verifier = "equal bytes";
  AddReads(&method.info, {"level", "bucket-limit"});
  method.info.why =
      "Copies only: one changed byte, word or number makes another "
      "fingerprint. Identical text is found wholly, anything else not at all.";
  method.info.incremental = true;
  method.info.complete = true;
  method.views = ExactViews;
  return method;
}

Method ExactRow() {
  Method method = CopiesRow();
  method.info.name = "exact";
  method.info.summary = "copies: equal Rabin fingerprints, then equal bytes";
  method.info.source =
      "Rabin 1981; Broder 1993; Heydon and Najork 1999 (content-seen test)";
  method.info.sketches = {"rabin"};
  AddReads(&method.info, {"polynomial", "seed"});
  method.steps.before = [](const StepInput& input, const StepSketches& sketches,
                           StepText* text) {
    return CopySteps(
        "The value is the Rabin fingerprint: the bits behind a leading one, as "
        "a polynomial modulo " +
        PolynomialText(sketches.options) + ".")(input, sketches, text);
  };
  method.fingerprint = [](const MethodOptions& options) -> Fingerprint {
    const auto seed = PolynomialSeed(options);
    if (!seed) return {};
    const auto rabin = std::make_shared<const RabinFingerprint>(
        *RabinFingerprint::Create(SeededPolynomial(*seed)));
    return [rabin](std::string_view bytes) {
      return Hash128Value{rabin->Of(bytes), bytes.size()};
    };
  };
  method.make = [](const MethodOptions& options, const CorpusModel*) {
    return MakeCopies(MakeRabinSketcher(PolynomialSeed(options)));
  };
  return method;
}

Method RabinModPrimeRow() {
  Method method = CopiesRow();
  method.info.name = "rabin-mod-prime";
  method.info.summary =
      "copies: equal remainders of a random prime, then equal bytes";
  method.info.source = "Rabin 1981";
  method.info.sketches = {"rabin-mod-prime"};
  AddReads(&method.info, {"seed"});
  method.steps.before = CopySteps(
      "The value is the number that the bytes are, modulo a prime of 68 bits "
      "that is drawn with the seed.");
  method.steps.instead = AddRabinSteps;
  method.fingerprint = [](const MethodOptions& options) -> Fingerprint {
    return [rabin = SeededRabinPrime(options.seed)](std::string_view bytes) {
      const Uint128 value = rabin.Of(bytes);
      return Hash128Value{static_cast<uint64_t>(value),
                          static_cast<uint64_t>(value >> 64)};
    };
  };
  method.make = [](const MethodOptions& options, const CorpusModel*) {
    return MakeCopies(MakeRabinPrimeSketcher(options.seed));
  };
  return method;
}

MethodRow TextProfileRow() {
  MethodRow row;
  row.info.name = "text-profile";
  row.info.summary = "documents with the same frequent tokens";
  row.info.source = "Bialecki 2006 (Nutch, TextProfileSignature)";
  row.info.sketches = {"text-profile"};
  row.steps.before = AddProfileSteps;
  row.info.generator = "equal signatures";
  row.info.verifier = "measure";
  AddReads(&row.info, {"threshold", "measure", "bucket-limit"});
  row.info.incremental = true;
  row.sketch_views =
      [](const MethodOptions&) -> Result<std::vector<FeatureView>> {
    return std::vector<FeatureView>{
        {FeatureForm::kTokens, "", FeatureHash::kSpec}};
  };
  row.make = [](const MethodOptions&,
                const std::string*) -> Result<MethodParts> {
    MethodParts parts;
    parts.sketchers.push_back(MakeTextProfileSketcher());
    parts.generator = MakeWholeSketchKeys();
    return parts;
  };
  return row;
}

}  // namespace

std::vector<Method> ExactMethods() {
  std::vector<Method> methods;
  methods.push_back(ExactRow());
  methods.push_back(RabinModPrimeRow());
  methods.push_back(MakeMethod(TextProfileRow()));
  return methods;
}

}  // namespace twinset
