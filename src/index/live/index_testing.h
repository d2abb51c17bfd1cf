// For tests only: texts with near-duplicates, and an index as its definition
// has it, which compares everything with everything.
#ifndef TWINSET_SRC_INDEX_LIVE_INDEX_TESTING_H_
#define TWINSET_SRC_INDEX_LIVE_INDEX_TESTING_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "twinset/index.h"
#include "twinset/session.h"

namespace twinset {

// Texts of a few families, so that many are similar and some are equal.
class TextMaker {
 public:
  explicit TextMaker(uint64_t seed, size_t families = 12)
      : random_(seed), families_(families) {}

  std::string Next() {
    if (random_() % 40 == 0) return "";
    auto words = Family(random_() % families_);
    for (uint64_t changes = random_() % 4; changes > 0; --changes)
      words[random_() % words.size()] = Word();
    std::string text;
    for (const std::string& word : words) text += word + " ";
    return text;
  }
  std::mt19937_64& random() { return random_; }

 private:
  std::string Word() { return "w" + std::to_string(random_() % 5000); }
  std::vector<std::string> Family(uint64_t number) {
    std::mt19937_64 words(number * 77 + 1);
    std::vector<std::string> text;
    for (size_t i = 40 + words() % 30; i > 0; --i)
      text.push_back("w" + std::to_string(words() % 5000));
    return text;
  }
  std::mt19937_64 random_;
  const size_t families_;
};

inline IndexInput InputOf(const std::string& id, const std::string& text,
                          const std::string& tag = "",
                          const std::string& date = "2026-01-02") {
  IndexInput input;
  input.document.id = id;
  input.document.payload = text;
  input.document.provenance.date = date;
  if (!id.empty()) input.document.provenance.url = "http://" + id + "/";
  input.tag = tag;
  return input;
}
inline Document DocumentOf(const std::string& text) {
  return InputOf("", text).document;
}

// What an index must answer, by comparing with every document.
class ModelIndex {
 public:
  struct Stored {
    std::string id, name, text, tag;
    std::set<uint64_t> keys;
    size_t kept_for = 0;
    bool is_there = true, has_id = false;
    uint64_t same_id = 1;
  };
  struct Said {
    std::string id;
    bool is_new = false, is_repeated = false;
    std::string kept;
    std::set<std::string> replaced;
    double similarity = 1;
    uint64_t copies = 1;
  };

  explicit ModelIndex(const MethodOptions& method = {}) {
    SessionOptions options;
    options.method = method;
    session_.emplace(*Session::Make(options));
    threshold_ = options.method.threshold;
  }

  Said Add(const std::string& id, const std::string& text,
           const std::string& tag, bool replaces = false) {
    Stored added;
    added.id = id.empty() ? std::to_string(documents_.size()) : id;
    added.has_id = !id.empty();
    added.text = text;
    added.tag = tag;
    added.keys = KeysOf(text);
    Said said;
    for (size_t i = documents_.size(); i > 0; --i) {
      const Stored& other = documents_[i - 1];
      if (!other.is_there || other.id != added.id) continue;
      added.same_id = std::max(added.same_id, other.same_id + 1);
      if (id.empty() || other.text != text) continue;
      said.id = other.name;
      said.is_repeated = true;
      TakeKept(added, Best(added), i - 1, &said);
      return said;
    }
    if (replaces && !id.empty()) {
      added.same_id = 1;
      for (Stored& other : documents_) {
        if (!other.is_there || other.id != added.id) continue;
        if (other.has_id) {
          other.is_there = false;
          said.replaced.insert(other.name);
        } else {
          added.same_id = std::max(added.same_id, other.same_id + 1);
        }
      }
    }
    added.name = added.same_id == 1
                     ? added.id
                     : added.id + "#" + std::to_string(added.same_id);
    const size_t best = Best(added), number = documents_.size();
    added.kept_for = best == kNone ? number : best;
    documents_.push_back(added);
    said.id = added.name;
    said.is_new = best == kNone;
    TakeKept(added, best, number, &said);
    return said;
  }

  // Name and similarity of all documents at the threshold.
  std::map<std::string, double> Query(const std::string& text,
                                      const IndexQuery& query = {}) const {
    const auto has = [](const auto& tags, const std::string& tag) {
      return std::find(tags.begin(), tags.end(), tag) != tags.end();
    };
    Stored asked;
    asked.text = text;
    asked.keys = KeysOf(text);
    std::map<std::string, double> found;
    for (size_t i = 0; i < documents_.size(); ++i) {
      const Stored& other = documents_[i];
      if (!other.is_there || (query.kept_only && other.kept_for != i) ||
          (!query.within_tags.empty() && !has(query.within_tags, other.tag)) ||
          has(query.without_tags, other.tag))
        continue;
      const double similarity = Similarity(asked, other);
      if (similarity >= threshold_) found[other.name] = similarity;
    }
    return found;
  }

  // Names of what is removed, and of what had been dropped for it.
  std::set<std::pair<std::string, std::string>> Remove(
      const std::function<bool(const Stored&)>& which) {
    std::set<std::pair<std::string, std::string>> told;
    std::vector<size_t> removed;
    for (size_t i = 0; i < documents_.size(); ++i) {
      if (!documents_[i].is_there || !which(documents_[i])) continue;
      removed.push_back(i);
      documents_[i].is_there = false;
    }
    for (const size_t i : removed) {
      told.insert({documents_[i].name, ""});
      for (size_t j = 0; j < documents_.size(); ++j)
        if (j != i && documents_[j].is_there && documents_[j].kept_for == i)
          told.insert({documents_[i].name, documents_[j].name});
    }
    return told;
  }

  std::vector<Stored> There() const {
    std::vector<Stored> there;
    for (const Stored& stored : documents_)
      if (stored.is_there) there.push_back(stored);
    return there;
  }
  uint64_t Kept() const {
    uint64_t kept = 0;
    for (size_t i = 0; i < documents_.size(); ++i)
      kept += documents_[i].is_there && documents_[i].kept_for == i;
    return kept;
  }
  const std::vector<Stored>& documents() const { return documents_; }

 private:
  static constexpr size_t kNone = ~size_t{0};

  std::set<uint64_t> KeysOf(const std::string& text) const {
    const std::vector<uint64_t> offsets = {0, text.size()};
    const auto keys = session_->Keys({text, offsets});
    return {keys->values.begin(), keys->values.end()};
  }
  double Similarity(const Stored& a, const Stored& b) const {
    if (a.keys.empty() || b.keys.empty()) return 0;
    const bool meets =
        std::any_of(a.keys.begin(), a.keys.end(),
                    [&](uint64_t key) { return b.keys.contains(key); });
    return meets ? session_->Similarity(a.text, b.text) : 0;
  }
  size_t Best(const Stored& added) const {
    size_t best = kNone;
    double most = 0;
    for (size_t i = 0; i < documents_.size(); ++i) {
      const Stored& other = documents_[i];
      if (!other.is_there || other.kept_for != i) continue;
      const double similarity = Similarity(added, other);
      if (similarity < threshold_ || similarity <= most) continue;
      most = similarity;
      best = i;
    }
    return best;
  }
  void TakeKept(const Stored& added, size_t best, size_t own,
                Said* said) const {
    const Stored& kept = documents_[best == kNone ? own : best];
    said->kept = kept.name;
    said->similarity = best == kNone ? 1 : Similarity(added, kept);
    said->copies = 0;
    for (const Stored& other : documents_)
      said->copies +=
          other.is_there && (&other == &kept || Similarity(kept, other) == 1);
  }

  std::optional<Session> session_;
  double threshold_ = 0.8;
  std::vector<Stored> documents_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_INDEX_LIVE_INDEX_TESTING_H_
