// explain --steps of SimHash: votes, fingerprints, look-up tables and what is
// found in them (docs/examples/simhash-votes.md, hamming-tables.md).
#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "base/bytes.h"
#include "candidate/tables.h"
#include "methods/steps.h"
#include "report/step_drawings.h"
#include "sketch/simhash.h"
#include "verify/edit.h"

namespace twinset {

namespace {

constexpr size_t kShortBits = 16;   // written in binary, voted bit by bit
constexpr size_t kMostColumns = 8;  // features side by side

// A feature of a document and how often it counts.
struct Weighed {
  uint64_t feature = 0, weight = 0;
};

// In the order of the text.
std::vector<Weighed> FeaturesOf(const StepInput& input,
                                const StepDocument& document) {
  std::vector<Weighed> features;
  std::map<uint64_t, size_t> places;
  for (const StepDocument::Window& window : document.windows) {
    const auto [place, is_new] = places.emplace(window.hash, features.size());
    if (is_new) features.push_back({window.hash, 0});
    Weighed& feature = features[place->second];
    if (is_new || input.method.weights != FeatureWeights::kSet)
      ++feature.weight;
  }
  return features;
}

bool BitAt(const Sketch& sketch, int bits, int place) {
  const size_t bit = FingerprintBit(bits, place);
  return sketch[bit / 32] >> (bit % 32) & 1;
}

std::string Written(const Sketch& sketch, int bits) {
  if (static_cast<size_t>(bits) > kShortBits)
    return "`" + FingerprintToHex(sketch, bits) + "`";
  std::string text;
  for (int place = 0; place < bits; ++place)
    text += BitAt(sketch, bits, place) ? '1' : '0';
  return "`" + text + "`";
}

uint64_t Distance(const Sketch& a, const Sketch& b) {
  uint64_t distance = 0;
  for (size_t i = 0; i < a.size(); ++i) distance += std::popcount(a[i] ^ b[i]);
  return distance;
}

// Signed votes of one feature alone, by place.
std::vector<int64_t> VotesOf(const SimHash& simhash,
                             const std::vector<Weighed>& features) {
  std::vector<uint64_t> occurrences;
  for (const Weighed& feature : features)
    occurrences.insert(occurrences.end(), feature.weight, feature.feature);
  const std::vector<int64_t> by_bit = simhash.Votes(occurrences);
  std::vector<int64_t> by_place;
  by_place.reserve(by_bit.size());
  for (int place = 0; place < simhash.bits(); ++place)
    by_place.push_back(by_bit[FingerprintBit(simhash.bits(), place)]);
  return by_place;
}

std::string Signed(int64_t vote) {
  return (vote > 0 ? "+" : "") + std::to_string(vote);
}

std::string Signs(const std::vector<int64_t>& votes) {
  std::string bits;
  for (const int64_t vote : votes) bits += vote > 0 ? '1' : '0';
  return bits;
}

// One row a feature, one column a place.
void AddShortVotes(const StepInput& input, const SimHash& simhash,
                   const std::vector<Weighed>& features, StepText* text) {
  std::vector<std::string> columns = {"feature", ">weight", "bits"};
  for (int place = 1; place <= simhash.bits(); ++place)
    columns.push_back(">" + std::to_string(place));
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](std::vector<std::string> row,
                       const std::vector<int64_t>& votes) {
    for (const int64_t vote : votes) row.push_back(Signed(vote));
    rows.push_back(std::move(row));
  };
  const size_t shown = std::min<size_t>(features.size(), input.steps.most_rows);
  for (size_t i = 0; i < shown; ++i) {
    const auto votes = VotesOf(simhash, {features[i]});
    add({Label(input, features[i].feature), std::to_string(features[i].weight),
         "`" + Signs(votes) + "`"},
        votes);
  }
  if (shown < features.size())
    rows.push_back({std::to_string(features.size() - shown) + " more"});
  const auto sums = VotesOf(simhash, features);
  add({"**V**", "", "**`" + Signs(sums) + "`**"}, sums);
  text->Table(columns, rows, /*whole=*/true);
}

// One row a place; of many features only the sums.
void AddLongVotes(const StepInput& input, const SimHash& simhash,
                  const std::vector<Weighed>& features, StepText* text) {
  const bool each = features.size() <= kMostColumns;
  std::vector<std::string> columns = {">bit"};
  std::vector<std::vector<int64_t>> votes;
  std::vector<int64_t> up(simhash.bits()), down(simhash.bits());
  for (const Weighed& feature : features) {
    auto own = VotesOf(simhash, {feature});
    for (size_t place = 0; place < own.size(); ++place)
      (own[place] > 0 ? up : down)[place] += own[place];
    if (!each) continue;
    columns.push_back(">" + Label(input, feature.feature));
    votes.push_back(std::move(own));
  }
  if (!each) {
    columns.insert(columns.end(), {">votes for 1", ">votes for 0"});
    votes = {up, down};
  }
  columns.insert(columns.end(), {">V", ">bit is"});
  std::vector<std::vector<std::string>> rows;
  for (int place = 0; place < simhash.bits(); ++place) {
    std::vector<std::string> row = {std::to_string(place + 1)};
    for (const auto& column : votes) row.push_back(Signed(column[place]));
    const int64_t sum = up[place] + down[place];
    row.push_back(Signed(sum));
    row.push_back(sum > 0 ? "1" : "0");
    rows.push_back(std::move(row));
  }
  text->Table(columns, rows, /*whole=*/true);
}

void AddVotes(const StepInput& input, const SimHash& simhash,
              const StepDocument& document, StepText* text) {
  const std::vector<Weighed> features = FeaturesOf(input, document);
  text->Heading("Votes of " + Plain(document.name));
  text->Paragraph(
      "A feature gives its weight to each bit that is 1 in its hash and takes "
      "it from the others; a bit is 1 where the sum V is above 0.");
  if (static_cast<size_t>(simhash.bits()) <= kShortBits) {
    AddShortVotes(input, simhash, features, text);
    return;
  }
  std::vector<std::vector<std::string>> rows;
  for (const Weighed& feature : features) {
    if (rows.size() == text->most_rows()) break;
    rows.push_back({Label(input, feature.feature),
                    std::to_string(feature.weight),
                    "`" + ToHex(feature.feature) + "`"});
  }
  text->Table({"feature", ">weight", "hash"}, rows, /*whole=*/false,
              features.size() - rows.size());
  AddLongVotes(input, simhash, features, text);
}

Result<std::vector<Sketch>> Fingerprints(const StepInput& input,
                                         const SimHash& simhash) {
  std::vector<Sketch> sketches;
  for (const StepDocument& document : input.documents) {
    const size_t digits = document.tokens[0].text.size();
    if (input.is_fingerprints() &&
        digits != static_cast<size_t>(simhash.bits()))
      return Fail(ErrorCode::kUsage,
                  "the document '" + document.name + "' has " +
                      std::to_string(digits) + " bits, --bits is " +
                      std::to_string(simhash.bits()),
                  "", "give --bits the length of the fingerprints");
    std::vector<uint64_t> occurrences;
    for (const Weighed& feature : FeaturesOf(input, document))
      occurrences.insert(occurrences.end(), feature.weight, feature.feature);
    sketches.push_back(simhash.Fingerprint(simhash.Votes(occurrences)));
  }
  return sketches;
}

std::string Places(const PermutedTable& table) {
  std::string text;
  for (const BitRun& run : table.key) {
    text += (text.empty() ? "" : ", ") + std::to_string(run.begin + 1);
    if (run.length > 1) text += "-" + std::to_string(run.begin + run.length);
  }
  return text;
}

// What look-up by tables does with the fingerprints.
class TableSteps {
 public:
  TableSteps(const StepInput& input, TableDesign design,
             const std::vector<Sketch>& sketches, StepText* text)
      : input_(input),
        design_(std::move(design)),
        sketches_(sketches),
        text_(text) {}

  void Add() {
    if (input_.Shows(StepPart::kTables)) AddContents();
    if (!input_.Shows(StepPart::kCandidates)) return;
    if (input_.steps.queries.empty()) {
      AddSelfJoin();
    } else {
      for (size_t q = input_.stored(); q < input_.documents.size(); ++q)
        AddQuery(q);
    }
  }

 private:
  std::string Name(size_t document) const {
    return Plain(input_.documents[document].name);
  }
  // The digits of the key.
  std::string Key(size_t table, size_t document) const {
    std::string digits;
    for (const BitRun& run : design_.tables[table].key)
      for (int place = run.begin; place < run.begin + run.length; ++place)
        digits += BitAt(sketches_[document], design_.bits, place) ? '1' : '0';
    return digits;
  }
  // Long ones in hexadecimal.
  static std::string KeyText(const std::string& digits) {
    if (digits.size() <= kShortBits) return "`" + digits + "`";
    std::string hex;
    for (size_t begin = 0; begin < digits.size();) {
      const size_t end = begin + (digits.size() - begin - 1) % 4 + 1;
      int nibble = 0;
      for (; begin < end; ++begin) nibble = nibble * 2 + (digits[begin] - '0');
      hex += "0123456789abcdef"[nibble];
    }
    return "`" + hex + "`";
  }
  // Stored documents with the key of `document`, itself left out.
  std::vector<size_t> Found(size_t table, size_t document) const {
    std::vector<size_t> found;
    for (size_t d = 0; d < input_.stored(); ++d)
      if (d != document && Key(table, d) == Key(table, document))
        found.push_back(d);
    return found;
  }
  std::string Names(const std::vector<size_t>& documents) const {
    std::string names;
    for (const size_t d : documents)
      names += (names.empty() ? "" : ", ") + Name(d);
    return names.empty() ? "\xE2\x80\x93" : names;
  }

  void AddContents() {
    text_->Heading("Look-up tables");
    text_->Paragraph(
        std::to_string(design_.tables.size()) + " tables for " +
        std::to_string(design_.bits) + " bits and at most " +
        std::to_string(design_.distance) + " that differ (design " +
        Plain(design_.name) +
        "): two such fingerprints have the same key in at least one of them.");
    std::vector<std::vector<std::string>> rows;
    for (size_t t = 0; t < design_.tables.size(); ++t) {
      std::map<std::string, std::vector<size_t>> contents;
      for (size_t d = 0; d < input_.stored(); ++d)
        contents[Key(t, d)].push_back(d);
      std::string cell;
      for (const auto& [key, documents] : contents)
        cell +=
            (cell.empty() ? "" : "; ") + KeyText(key) + ": " + Names(documents);
      rows.push_back({"t" + std::to_string(t + 1), Places(design_.tables[t]),
                      std::move(cell)});
    }
    text_->Table({"table", "bits of the key", "content"}, rows);
    text_->Paragraph(
        "Expected candidates of a look-up among as many random fingerprints: " +
        Decimal(ExpectedCandidates(design_, input_.stored())) + ".");
  }

  void AddQuery(size_t query) {
    text_->Heading("Query " + Name(query) + ": " +
                   Written(sketches_[query], design_.bits));
    std::set<size_t> candidates;
    std::vector<std::vector<std::string>> rows;
    for (size_t t = 0; t < design_.tables.size(); ++t) {
      const std::vector<size_t> found = Found(t, query);
      candidates.insert(found.begin(), found.end());
      rows.push_back(
          {"t" + std::to_string(t + 1), KeyText(Key(t, query)), Names(found)});
    }
    text_->Table({"table", "key", "found"}, rows);
    rows.clear();
    std::vector<size_t> near;
    for (const size_t d : candidates) {
      const uint64_t distance = Distance(sketches_[query], sketches_[d]);
      const bool passes = distance <= static_cast<uint64_t>(design_.distance);
      if (passes) near.push_back(d);
      rows.push_back({Name(d), Written(sketches_[d], design_.bits),
                      std::to_string(distance), passes ? "yes" : "no"});
    }
    text_->Paragraph(
        "Candidates: " +
        Names(std::vector<size_t>(candidates.begin(), candidates.end())) +
        ". Near-duplicates: " + Names(near) + ". " + Check(query, near.size()));
    if (!rows.empty())
      text_->Table({"candidate", "fingerprint", ">bits that differ", "near"},
                   rows);
  }

  // What comparing with every stored fingerprint says.
  std::string Check(size_t query, size_t found) const {
    size_t all = 0;
    for (size_t d = 0; d < input_.stored(); ++d)
      all += Distance(sketches_[query], sketches_[d]) <=
             static_cast<uint64_t>(design_.distance);
    return all == found ? "Comparing with every document finds the same."
                        : "Comparing with every document finds " +
                              std::to_string(all) + ".";
  }

  void AddSelfJoin() {
    text_->Heading("Candidates among the documents");
    std::vector<std::vector<std::string>> rows;
    size_t near = 0, all = 0;
    ForEachStepPair(input_, [&](size_t a, size_t b) {
      const uint64_t distance = Distance(sketches_[a], sketches_[b]);
      const bool passes = distance <= static_cast<uint64_t>(design_.distance);
      all += passes;
      std::string tables;
      for (size_t t = 0; t < design_.tables.size(); ++t) {
        if (Key(t, a) != Key(t, b)) continue;
        tables += (tables.empty() ? "t" : ", t") + std::to_string(t + 1);
      }
      if (tables.empty()) return;
      near += passes;
      rows.push_back({Name(a) + ", " + Name(b), tables,
                      std::to_string(distance), passes ? "yes" : "no"});
    });
    text_->Table({"a, b", "same key in", ">bits that differ", "near"}, rows);
    text_->Paragraph(std::to_string(near) + " of " +
                     std::to_string(rows.size()) +
                     " candidate pairs are near; comparing all pairs finds " +
                     std::to_string(all) + ".");
  }

  const StepInput& input_;
  const TableDesign design_;
  const std::vector<Sketch>& sketches_;
  StepText* text_;
};

void AddFingerprints(const StepInput& input, const SimHash& simhash,
                     const std::vector<Sketch>& sketches, StepText* text) {
  text->Heading("Fingerprints");
  std::vector<std::vector<std::string>> rows;
  for (size_t d = 0; d < sketches.size(); ++d)
    rows.push_back(
        {Plain(input.documents[d].name), Written(sketches[d], simhash.bits())});
  text->Table({"document", "fingerprint"}, rows, /*whole=*/true);
  if (input.is_fingerprints() || input.stored() < 2) return;
  rows.clear();
  ForEachStepPair(input, [&](size_t i, size_t j) {
    const StepDocument &a = input.documents[i], &b = input.documents[j];
    std::vector<uint64_t> of_a, of_b;
    for (const auto& window : a.windows) of_a.push_back(window.hash);
    for (const auto& window : b.windows) of_b.push_back(window.hash);
    const auto bits = static_cast<uint64_t>(simhash.bits());
    const uint64_t distance = Distance(sketches[i], sketches[j]);
    rows.push_back({Plain(a.name) + ", " + Plain(b.name),
                    std::to_string(distance), Ratio(bits - distance, bits),
                    Decimal(CosineOfCounts(of_a, of_b))});
  });
  text->Table({"a, b", ">bits that differ", ">equal bits", ">cosine"}, rows);
}

// How the votes decide the bits; of stored fingerprints, which bits are equal.
void DrawDecisions(const StepInput& input, const SimHash& simhash,
                   const std::vector<Sketch>& sketches, StepText* text) {
  if (!input.is_fingerprints() && input.Shows(StepPart::kVotes)) {
    BitVotes votes{"The votes for each bit", {}};
    for (const StepDocument& document : input.documents)
      votes.documents.emplace_back(
          document.name, VotesOf(simhash, FeaturesOf(input, document)));
    text->Draw(DrawVotes(votes));
  } else if (input.stored() > 1 && input.Shows(StepPart::kFingerprints)) {
    SlotRows slots{"The first two fingerprints, bit by bit",
                   input.documents[0].name,
                   input.documents[1].name,
                   "row",
                   "bit",
                   "",
                   {}};
    for (int place = 0; place < simhash.bits(); ++place) {
      if (static_cast<size_t>(place) % kShortBits == 0)
        slots.rows.push_back({"from " + std::to_string(place + 1), {}});
      slots.rows.back().equal.push_back(
          BitAt(sketches[0], simhash.bits(), place) ==
          BitAt(sketches[1], simhash.bits(), place));
    }
    text->Draw(DrawSlots(slots));
  }
}

}  // namespace

Result<bool> AddSimHashSteps(const StepInput& input, StepText* text) {
  if (!input.is_fingerprints() && input.Shows(StepPart::kFeatures))
    AddShingleSteps(input, text);
  if (input.method.weights == FeatureWeights::kTfIdf) {
    return Fail(ErrorCode::kUsage,
                "weights of a corpus cannot be derived from a few documents",
                "", "use --weights tf or set");
  }
  TWINSET_ASSIGN(TableDesign design,
                 ParseTableDesign(input.method.tables, input.method.bits,
                                  input.method.distance));
  const SimHash simhash(input.method.bits);
  TWINSET_ASSIGN(const auto sketches, Fingerprints(input, simhash));
  DrawDecisions(input, simhash, sketches, text);
  if (!input.is_fingerprints() && input.Shows(StepPart::kVotes)) {
    for (const StepDocument& document : input.documents)
      AddVotes(input, simhash, document, text);
  }
  if (input.Shows(StepPart::kFingerprints))
    AddFingerprints(input, simhash, sketches, text);
  if (input.documents.size() > 1)
    TableSteps(input, std::move(design), sketches, text).Add();
  return true;
}

}  // namespace twinset
