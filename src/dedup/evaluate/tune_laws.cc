#include "evaluate/tune_laws.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "base/json_text.h"
#include "candidate/laws.h"
#include "core/fingerprint.h"
#include "options/parameters.h"
#include "sketch/collision_laws.h"
#include "sketch/rabin_prime.h"

namespace twinset {

namespace {

constexpr int kMostBits = 1024;  // that are ever needed
constexpr int kLeastBits = 5;    // from here on the law of primes holds
constexpr double kLeastCollisions = 1e-30, kMostCollisions = 1e30;
constexpr double kTenth = 0.1;
constexpr int kMostTerms = 64;
constexpr int kShownTerms = 8;

// The laws of one kind of fingerprint, of texts of up to `bits_of_text` bits.
struct Kind {
  const char* name;
  bool is_bound;
  // The probability that two given texts collide.
  std::function<double(double bits_of_text, int bits)> pair;
  // The length of a fingerprint that is drawn from so many values, polynomials
  // or primes.
  std::function<double(double choices)> length;
};

const std::array<Kind, 3>& Kinds() {
  static const std::array<Kind, 3> kinds = {
      {{"uniform", false,
        [](double, int bits) { return std::ldexp(1.0, -bits); },
        [](double choices) { return std::log2(choices); }},
       {"polynomial", true,
        [](double text, int bits) { return std::ldexp(text, -bits); },
        [](double choices) { return std::log2(choices); }},
       {"prime", true,
        [](double text, int bits) { return text / PrimesBelow(bits); },
        PrimeLength}}};
  return kinds;
}

TuneFingerprint Law(const Kind& kind, const CollisionQuestion& asked,
                    int bits) {
  const auto documents = static_cast<double>(asked.documents);
  const double pairs = documents * (documents - 1) / 2;
  const double text = 8 * static_cast<double>(asked.document_bytes);
  TuneFingerprint law;
  law.kind = kind.name;
  law.is_bound = kind.is_bound;
  law.choices =
      std::max(3.0, pairs * (kind.is_bound ? text : 1) / asked.tolerated);
  law.length = kind.length(law.choices);
  law.least_bits = kLeastBits;
  while (law.least_bits < kMostBits &&
         pairs * kind.pair(text, law.least_bits) > asked.tolerated) {
    ++law.least_bits;
  }
  law.bits = bits;
  law.fixed_pair = std::min(1.0, kind.pair(text, bits));
  law.expected = pairs * kind.pair(text, bits);
  law.probability =
      kind.is_bound ? std::min(1.0, law.expected) : AnyCollision(law.expected);
  law.documents = DocumentsFor(asked.tolerated, kind.pair(text, bits));
  return law;
}

bool WasGiven(const MethodOptions& method, std::string_view parameter) {
  return std::find(method.given.begin(), method.given.end(), parameter) !=
         method.given.end();
}

}  // namespace

Status CheckQuestions(const TuneOptions& options, CandidateLaw law) {
  const TuneOptions defaults;
  const CollisionQuestion &asked = options.collisions,
                          &usual = defaults.collisions;
  const char* flag = nullptr;
  if (law != CandidateLaw::kCopies) {
    flag = asked.documents != usual.documents             ? "--documents"
           : asked.document_bytes != usual.document_bytes ? "--document-bytes"
           : asked.tolerated != usual.tolerated           ? "--collisions"
                                                          : nullptr;
  } else if (options.recall != defaults.recall) {
    flag = "--recall";
  }
  if (law != CandidateLaw::kLexicons &&
      options.differing_terms != defaults.differing_terms) {
    flag = "--differing-terms";
  }
  if (flag == nullptr) return {};
  return Fail(ErrorCode::kUsage, std::string(flag) +
                                     " is no question of the law of method " +
                                     options.method.name);
}

Status TuneCopies(const TuneOptions& options, TuneResult* result) {
  const CollisionQuestion& asked = options.collisions;
  if (asked.documents < 2 || asked.document_bytes < 1 ||
      !(asked.tolerated >= kLeastCollisions &&
        asked.tolerated <= kMostCollisions)) {
    return Fail(ErrorCode::kUsage,
                "fingerprints are sized for --documents from 2 on, of "
                "--document-bytes from 1 on, with --collisions from 1e-30 to "
                "1e30");
  }
  TWINSET_ASSIGN(const Method* method, FindSketchMethod(options.method.name));
  TWINSET_ASSIGN(const MethodParts parts,
                 method->make(options.method, nullptr));
  const MethodOptions defaults;
  const bool asks =
      WasGiven(options.method, "bits") || options.method.bits != defaults.bits;
  const int bits =
      asks ? options.method.bits : parts.sketchers[0]->layout().value_bits;
  if (bits < kLeastBits || bits > kMaxFingerprintBits) {
    return Fail(
        ErrorCode::kUsage,
        "--bits must be 5 to " + std::to_string(kMaxFingerprintBits) + " here");
  }
  for (const Kind& kind : Kinds())
    result->fingerprints.push_back(Law(kind, asked, bits));
  result->tenth = BirthdayDocuments(bits, kTenth);
  result->keys_per_document = 1;
  return {};
}

Status TuneLexicons(const TuneOptions& options, TuneResult* result) {
  const MethodOptions& method = options.method;
  const int terms = options.differing_terms;
  if (terms < 1 || terms > kMostTerms) {
    return Fail(ErrorCode::kUsage, "--differing-terms must be 1 to 64");
  }
  constexpr int kMostLexicons = 256;
  const int agree = std::max(1, method.agree);
  const auto recall = [&](int lexicons, int differing) {
    return LexiconRecall(method.lexicon_drop, lexicons, differing, agree);
  };
  const MethodOptions defaults;
  if (WasGiven(method, "lexicons") || method.lexicons != defaults.lexicons) {
    result->lexicons = method.lexicons;
  } else {
    while (recall(result->lexicons, terms) < options.recall) {
      if (++result->lexicons > kMostLexicons) {
        return Fail(ErrorCode::kUsage,
                    "no " + std::to_string(kMostLexicons) +
                        " lexica find texts that differ in " +
                        std::to_string(terms) + " terms with this recall",
                    "", "raise --lexicon-drop or lower --recall");
      }
    }
  }
  std::string drop;
  AppendDouble(&drop, method.lexicon_drop);
  result->flags = "--lexicons " + std::to_string(result->lexicons) +
                  " --lexicon-drop " + drop;
  if (agree > 1) result->flags += " --agree " + std::to_string(agree);
  result->expected_recall = recall(result->lexicons, terms);
  result->keys_per_document = static_cast<uint64_t>(result->lexicons) + 1;
  for (int n = 1; n <= std::max(kShownTerms, terms); ++n)
    result->by_terms.push_back(
        {static_cast<uint64_t>(n), recall(result->lexicons, n)});
  return {};
}

}  // namespace twinset
