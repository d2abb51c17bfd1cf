#include "transfer/addresses.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/ascii.h"
#include "base/file.h"
#include "base/keyed_hash.h"
#include "core/field_list.h"
#include "documents/page_text.h"
#include "documents/text_stage.h"
#include "estimate/bootstrap.h"
#include "net/public_suffix.h"
#include "net/url_rules.h"
#include "transfer/collection_pass.h"
#include "transfer/study_numbers.h"
#include "twinset/corpora/urls.h"

namespace twinset {
namespace {

const std::vector<UrlRule>& AllRules() {
  static const std::vector<UrlRule> rules = [] {
    std::vector<UrlRule> all;
    for (const auto& choice : kChoices<UrlRule>) all.push_back(choice.value);
    return all;
  }();
  return rules;
}

std::optional<uint64_t> AddressHash(const std::string& address) {
  if (!WhyNoAddress(address).empty()) return {};
  std::string key = address;
  ApplyUrlRules(AllRules(), &key);
  return EqualityHash::OfProcess().Short(key);
}

// The shingles of one document under each content, in a work file.
struct StoredPage {
  uint64_t offset = 0;
  uint32_t number = 0;  // place in names_
};
using ShingleSets = std::vector<std::vector<uint64_t>>;  // by content

// How alike documents of one address are, by group.
class SimilaritySums {
 public:
  void Add(const std::string& top_level, double similarity) {
    values_[top_level].push_back(static_cast<float>(similarity));
  }
  StudySimilarities Numbers(double threshold) const {
    std::vector<float> all;
    StudySimilarities numbers;
    std::vector<const std::pair<const std::string, std::vector<float>>*> order;
    for (const auto& group : values_) {
      all.insert(all.end(), group.second.begin(), group.second.end());
      order.push_back(&group);
    }
    std::stable_sort(order.begin(), order.end(), [](auto* x, auto* y) {
      return x->second.size() > y->second.size();
    });
    for (const auto* group : order)
      numbers.by_top_level.push_back(
          {Of(group->second, threshold), group->first});
    static_cast<StudySimilarity&>(numbers) = Of(std::move(all), threshold);
    return numbers;
  }

 private:
  static StudySimilarity Of(std::vector<float> values, double threshold) {
    std::sort(values.begin(), values.end());
    const std::vector<double> sorted(values.begin(), values.end());
    const auto near = static_cast<uint64_t>(
        std::count_if(sorted.begin(), sorted.end(), [&](double value) {
          return static_cast<float>(value) >= static_cast<float>(threshold);
        }));
    StudySimilarity alike;
    alike.pairs = sorted.size();
    alike.near_duplicates = ShareOfStudy(near, sorted.size());
    if (sorted.empty()) return alike;
    alike.mean = Number(FindMoments(sorted).mean);
    alike.median = Number(SortedQuantile(sorted, .5));
    return alike;
  }
  std::map<std::string, std::vector<float>> values_;
};

class SameAddresses {
 public:
  static Result<SameAddresses> Make(const AddressInput& input) {
    SameAddresses same(input);
    FeatureOptions features;
    features.tokens = input.plan->tokens;
    features.shingle = input.plan->measure;
    features.content = ContentMode::kAll;
    TWINSET_ASSIGN(TextReader reader, TextReader::Make(features));
    same.reader_.emplace(std::move(reader));
    TextDetails details;
    details.other = true;
    TWINSET_ASSIGN(TextStage stage,
                   TextStage::Make(input.plan->a, features, details));
    same.stage_.emplace(std::move(stage));
    return same;
  }

  // Addresses alone.
  Status ReadB() {
    TWINSET_ASSIGN(OutputFile list,
                   OutputFile::Create(input_.work + "/b.urls"));
    TWINSET_TRY(ForEachCollectionDocument(
        input_.plan->b, input_.stop,
        [&](const CollectionDocument& one) -> Status {
          const std::string& url = one.record.document.provenance.url;
          const auto hash = AddressHash(url);
          ++all_b_;
          if (!hash) return {};
          of_b_.push_back(*hash);
          ++listed_b_;
          TWINSET_TRY(CheckMemory());
          return list.Write(ListLine(url, one.name));
        }));
    TWINSET_TRY(list.Commit());
    std::sort(of_b_.begin(), of_b_.end());
    of_b_.erase(std::unique(of_b_.begin(), of_b_.end()), of_b_.end());
    return {};
  }

  // Keeps the shingles of what has an address of B.
  Status ReadA() {
    TWINSET_ASSIGN(OutputFile list,
                   OutputFile::Create(input_.work + "/a.urls"));
    TWINSET_ASSIGN(OutputFile stored,
                   OutputFile::Create(input_.work + "/a.shingles"));
    TWINSET_TRY(ForEachCollectionDocument(
        input_.plan->a, input_.stop,
        [&](const CollectionDocument& one) -> Status {
          const std::string& url = one.record.document.provenance.url;
          const auto hash = AddressHash(url);
          ++all_a_;
          if (!hash) return {};
          ++listed_a_;
          TWINSET_TRY(list.Write(ListLine(url, one.name)));
          if (!std::binary_search(of_b_.begin(), of_b_.end(), *hash)) return {};
          const auto [place, is_new] = pages_.emplace(
              *hash, StoredPage{stored.written_bytes(),
                                static_cast<uint32_t>(names_.size())});
          if (!is_new) return {};
          names_.push_back(one.name);
          TWINSET_TRY(CheckMemory());
          return Store(SetsOf(one), &stored);
        }));
    TWINSET_TRY(stored.Commit());
    return list.Commit();
  }

  Status Compare() {
    TWINSET_ASSIGN(OutputFile rows, OutputFile::Create(input_.rows));
    TWINSET_ASSIGN(const File stored,
                   File::OpenRead(input_.work + "/a.shingles"));
    const auto& contents = input_.plan->content;
    all_.resize(contents.size());
    judged_.resize(contents.size());
    TWINSET_TRY(ForEachCollectionDocument(
        input_.plan->b, input_.stop,
        [&](const CollectionDocument& one) -> Status {
          const std::string& url = one.record.document.provenance.url;
          const auto hash = AddressHash(url);
          const auto page = hash ? pages_.find(*hash) : pages_.end();
          if (page == pages_.end()) return {};
          const std::string& name = names_[page->second.number];
          TWINSET_ASSIGN(const ShingleSets sets,
                         Load(stored, page->second.offset));
          const ShingleSets other = SetsOf(one);
          const bool judged = input_.judged->Find(name).has_value();
          const std::string host =
              ToLowerAscii(HostIn(url, FindUrlPlaces(url)));
          const std::string top_level(TopLevelOf(host));
          SameAddressRow row = {name, one.name, judged, {}};
          for (size_t i = 0; i < contents.size(); ++i) {
            const double similarity = ResemblanceOfShingles(sets[i], other[i]);
            all_[i].Add(top_level, similarity);
            if (judged) judged_[i].Add(top_level, similarity);
            row.similarities.emplace_back(contents[i], similarity);
          }
          pages_.erase(page);  // the first document of B
          return rows.Write(FieldsToJson(row).dump() + "\n");
        }));
    return rows.Commit();
  }

  bool has_addresses() const { return listed_a_ > 0 && listed_b_ > 0; }
  // Documents of A and of B that have none.
  StudyAddresses::Without WithoutAddress() const {
    return {ShareOfStudy(all_a_ - listed_a_, all_a_),
            ShareOfStudy(all_b_ - listed_b_, all_b_)};
  }
  void Warn(std::vector<std::string>* warnings) const {
    const auto warn = [&](const char* side, uint64_t listed, uint64_t all) {
      if (listed < all)
        warnings->push_back(std::to_string(all - listed) + " of " +
                            std::to_string(all) + " documents of " + side +
                            " have no address and take no part in what is "
                            "said of addresses");
    };
    warn("A", listed_a_, all_a_);
    warn("B", listed_b_, all_b_);
  }
  StudyAddresses Numbers() const {
    StudyAddresses numbers;
    numbers.without_address = WithoutAddress();
    numbers.judged = ByContent(judged_);
    numbers.all = ByContent(all_);
    return numbers;
  }

 private:
  std::vector<StudyOf<StudySimilarities>> ByContent(
      const std::vector<SimilaritySums>& sums) const {
    std::vector<StudyOf<StudySimilarities>> rows;
    for (size_t i = 0; i < sums.size(); ++i)
      rows.push_back(
          {input_.plan->content[i], sums[i].Numbers(input_.plan->threshold)});
    return rows;
  }
  explicit SameAddresses(const AddressInput& input) : input_(input) {}

  // Ids with white space stay out of the list: its lines have columns. Line
  // ends in an address say nothing (WHATWG URL) and would be two addresses.
  static std::string ListLine(std::string url, const std::string& id) {
    std::erase_if(url, [](char c) { return c == '\n' || c == '\r'; });
    const bool plain = id.find_first_of(" \t\r\n") == id.npos;
    return plain ? url + "\t" + id + "\n" : url + "\n";
  }

  Status CheckMemory() const {
    const uint64_t bytes =
        of_b_.size() * sizeof(uint64_t) + names_.size() * 120;
    if (bytes <= input_.memory_bytes / 4) return {};
    return Fail(ErrorCode::kMemory,
                "the addresses do not fit into a quarter of the memory", {},
                "give more --memory");
  }

  ShingleSets SetsOf(const CollectionDocument& one) const {
    DocumentText text;
    RejectedRecord rejected;
    ShingleSets sets(input_.plan->content.size());
    if (!stage_->Show(one.record, one.source, &text, &rejected)) return sets;
    for (size_t i = 0; i < sets.size(); ++i) {
      const bool main = input_.plan->content[i] == ContentMode::kMain;
      sets[i] = reader_->Shingles(main && text.has_other ? text.other_text
                                                         : text.text);
    }
    return sets;
  }

  static Status Store(const ShingleSets& sets, OutputFile* file) {
    std::string bytes;
    const auto append = [&](uint64_t number) {
      bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
    };
    for (const auto& set : sets) {
      append(set.size());
      bytes.append(reinterpret_cast<const char*>(set.data()),
                   set.size() * sizeof(uint64_t));
    }
    return file->Write(bytes);
  }
  Result<ShingleSets> Load(const File& file, uint64_t offset) const {
    ShingleSets sets(input_.plan->content.size());
    for (auto& set : sets) {
      uint64_t size = 0;
      TWINSET_TRY(
          file.ReadAt(offset, reinterpret_cast<char*>(&size), sizeof(size)));
      set.resize(size);
      offset += sizeof(size);
      TWINSET_TRY(file.ReadAt(offset, reinterpret_cast<char*>(set.data()),
                              size * sizeof(uint64_t)));
      offset += size * sizeof(uint64_t);
    }
    return sets;
  }

  AddressInput input_;
  std::optional<TextReader> reader_;
  std::optional<TextStage> stage_;
  uint64_t listed_a_ = 0, listed_b_ = 0, all_a_ = 0, all_b_ = 0;
  std::vector<uint64_t> of_b_;  // hashes, ascending
  std::unordered_map<uint64_t, StoredPage> pages_;
  std::vector<std::string> names_;            // of A
  std::vector<SimilaritySums> all_, judged_;  // by content
};

StudyOverlap OverlapOf(const UrlCounts& counts) {
  return {ShareOfStudy(counts.a_raw, counts.a),
          ShareOfStudy(counts.a_found, counts.a),
          ShareOfStudy(counts.b_found, counts.b),
          ShareOfStudy(counts.judged_a_raw, counts.judged_a),
          ShareOfStudy(counts.judged_a_found, counts.judged_a)};
}

StudyAddressOverlap OverlapNumbers(const UrlsResult& result) {
  StudyAddressOverlap numbers;
  static_cast<StudyOverlap&>(numbers) = OverlapOf(result.lines.counts);
  numbers.common = {result.raw.common, result.found.common};
  for (const UrlRuleOverlap& rule : result.rules)
    numbers.rules.push_back({rule.rule, rule.alone.common, rule.so_far.common});
  for (const UrlGroup& group : result.top_levels)
    numbers.by_top_level.push_back({OverlapOf(group.counts), group.name});
  numbers.public_suffixes = result.suffixes.date;
  numbers.warnings = result.warnings;
  return numbers;
}

}  // namespace

Result<StudyAddresses> CompareAddresses(const AddressInput& input) {
  TWINSET_ASSIGN(SameAddresses same, SameAddresses::Make(input));
  TWINSET_TRY(same.ReadB());
  TWINSET_TRY(same.ReadA());
  TWINSET_TRY(same.Compare());
  same.Warn(input.warnings);
  StudyAddresses numbers = same.Numbers();
  if (!same.has_addresses()) return numbers;
  UrlsOptions urls;
  urls.a = input.work + "/a.urls";
  urls.b = input.work + "/b.urls";
  urls.resources.memory_bytes = input.memory_bytes;
  urls.resources.tmp = input.work;
  urls.stop = input.stop;
  urls.may_be_strangers = true;  // no judged address is an answer
  const std::string judged = input.work + "/judged.qrels";
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(judged));
  for (uint32_t i = 0; i < input.judged->size(); ++i)
    TWINSET_TRY(file.Write("1 0 " + (*input.judged)[i] + " 1\n"));
  TWINSET_TRY(file.Commit());
  urls.qrels = {judged};
  TWINSET_ASSIGN(const UrlsResult overlap, CompareUrls(urls));
  numbers.overlap = OverlapNumbers(overlap);
  return numbers;
}

}  // namespace twinset
