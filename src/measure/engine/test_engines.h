// For tests only: engines that fail in the ways that real ones do, and
// documents to fill engines with.
#ifndef TWINSET_SRC_MEASURE_ENGINE_TEST_ENGINES_H_
#define TWINSET_SRC_MEASURE_ENGINE_TEST_ENGINES_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "engine/memory_engine.h"

namespace twinset {

// Stands between a test and an engine that outlives it.
class FakeEngine : public Engine {
 public:
  explicit FakeEngine(Engine* inner) : inner_(inner) {}
  EngineInfo Info() const override { return inner_->Info(); }
  Result<EngineAnswer> Query(const EngineQuery& query) override {
    ++queries;
    return inner_->Query(query);
  }
  Result<EnginePage> Fetch(const std::string& url) override {
    ++fetches;
    return inner_->Fetch(url);
  }
  uint64_t queries = 0, fetches = 0;

 protected:
  Engine* inner_;
};

// Unavailable `failures` times before each answer.
class FlakyEngine : public FakeEngine {
 public:
  FlakyEngine(Engine* inner, int failures)
      : FakeEngine(inner), failures_(failures) {}
  Result<EngineAnswer> Query(const EngineQuery& query) override {
    ++queries;
    if (failed_ < failures_) {
      ++failed_;
      return Fail(ErrorCode::kUnavailable, "try again later");
    }
    failed_ = 0;
    return inner_->Query(query);
  }

 private:
  int failures_, failed_ = 0;
};

// Answers nothing at all.
class DownEngine : public FakeEngine {
 public:
  using FakeEngine::FakeEngine;
  Result<EngineAnswer> Query(const EngineQuery&) override {
    ++queries;
    return Fail(ErrorCode::kUnavailable, "connection refused");
  }
  Result<EnginePage> Fetch(const std::string&) override {
    ++fetches;
    return Fail(ErrorCode::kUnavailable, "connection refused");
  }
};

// Claims more hits than there are, and adds pages that do not match.
class LyingEngine : public FakeEngine {
 public:
  LyingEngine(Engine* inner, uint64_t factor, std::vector<std::string> added)
      : FakeEngine(inner), factor_(factor), added_(std::move(added)) {}
  Result<EngineAnswer> Query(const EngineQuery& query) override {
    ++queries;
    TWINSET_ASSIGN(EngineAnswer answer, inner_->Query(query));
    answer.hits *= factor_;
    answer.urls.insert(answer.urls.begin(), added_.begin(), added_.end());
    if (answer.urls.size() > query.limit) answer.urls.resize(query.limit);
    return answer;
  }

 private:
  uint64_t factor_;
  std::vector<std::string> added_;
};

// Each result stands `times` times in a row.
class RepeatingEngine : public FakeEngine {
 public:
  RepeatingEngine(Engine* inner, int times)
      : FakeEngine(inner), times_(times) {}
  Result<EngineAnswer> Query(const EngineQuery& query) override {
    ++queries;
    TWINSET_ASSIGN(const EngineAnswer answer, inner_->Query(query));
    EngineAnswer repeated = answer;
    repeated.urls.clear();
    for (const std::string& url : answer.urls) {
      for (int i = 0; i < times_ && repeated.urls.size() < query.limit; ++i)
        repeated.urls.push_back(url);
    }
    return repeated;
  }

 private:
  int times_;
};

// Results that are no addresses, pages that are no text, absurd counts, more
// results than were asked for.
class GarbageEngine : public FakeEngine {
 public:
  using FakeEngine::FakeEngine;
  Result<EngineAnswer> Query(const EngineQuery& query) override {
    ++queries;
    EngineAnswer answer;
    answer.hits = UINT64_MAX;
    answer.urls = {"", "http://", std::string("a\0b", 3), "\xff\xfe",
                   std::string(100000, 'x')};
    while (answer.urls.size() <= query.limit && answer.urls.size() < 1000)
      answer.urls.push_back("javascript:void(0)");
    return answer;
  }
  Result<EnginePage> Fetch(const std::string& url) override {
    ++fetches;
    EnginePage page;
    page.url = url;
    page.text = std::string("\x00\xff\xc3", 3);
    page.fields = {{"spam", "{not json"}};
    return page;
  }
};

// `count` documents of words "w0" to "w<words-1>", the lower the more frequent,
// `least` to `most` of them each, at http://h<i % hosts>/<i>.
inline std::vector<EngineDocument> RandomDocuments(
    uint64_t seed, uint64_t count, uint64_t words, uint64_t least = 1,
    uint64_t most = 30, uint64_t hosts = 7) {
  SplitMix64 random(seed);
  std::vector<EngineDocument> documents(count);
  for (uint64_t i = 0; i < count; ++i) {
    EngineDocument& document = documents[i];
    document.page.url =
        "http://h" + std::to_string(i % hosts) + "/" + std::to_string(i);
    const uint64_t length = least + random.Below(most - least + 1);
    for (uint64_t j = 0; j < length; ++j) {
      // The lesser of two draws: low numbers are frequent, high ones rare.
      const uint64_t word = std::min(random.Below(words), random.Below(words));
      document.tokens.push_back("w" + std::to_string(word));
      if (j > 0) document.page.text += ' ';
      document.page.text += document.tokens.back();
    }
    document.page.title = "Page " + std::to_string(i);
    document.page.language = "en";
  }
  return documents;
}

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_ENGINE_TEST_ENGINES_H_
