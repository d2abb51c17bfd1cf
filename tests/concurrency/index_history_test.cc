// What threads see of an index is one order of their calls, in which each call
// stands between its begin and its end (linearizability; Herlihy and Wing
// 1990). Found by search, one class of equal documents after the other (Wing
// and Gong 1993): an order of each is an order of all.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/test_dir.h"
#include "live/index_testing.h"

namespace twinset {
namespace {

// A call about the documents of one text, and what was said.
struct Call {
  enum Kind { kAdd, kCheck, kRemove } kind = kCheck;
  uint64_t begin = 0, end = 0;
  std::string id;        // kAdd, kRemove
  bool is_done = false;  // kAdd: it is new; kRemove: it was there
  std::string kept;      // kAdd, kCheck: by its id; empty: none
  uint64_t copies = 0;   // of it
};

// The documents of one text, as docs/methods/index.md defines them.
struct ClassModel {
  std::set<std::string> there;
  std::string kept;

  // Makes the call; returns true iff it says what was said.
  bool Agrees(const Call& call) {
    switch (call.kind) {
      case Call::kAdd: {
        const bool is_new = kept.empty();
        there.insert(call.id);
        if (is_new) kept = call.id;
        return call.is_done == is_new && call.kept == kept &&
               call.copies == there.size();
      }
      case Call::kCheck:
        return call.kept == kept &&
               call.copies == (kept.empty() ? 0 : there.size());
      case Call::kRemove: {
        const bool was_there = there.erase(call.id) > 0;
        if (kept == call.id) kept.clear();
        return call.is_done == was_there;
      }
    }
    return false;
  }
  auto operator<=>(const ClassModel&) const = default;
};

// Searches for an order of up to 64 calls. A state that led nowhere once is not
// tried again.
class OrderSearch {
 public:
  explicit OrderSearch(const std::vector<Call>& calls) : calls_(calls) {}

  bool Exists() { return From(0, {}); }

 private:
  bool From(uint64_t done, const ClassModel& model) {
    if (done == (calls_.size() == 64 ? ~uint64_t{0}
                                     : (uint64_t{1} << calls_.size()) - 1))
      return true;
    if (!tried_.emplace(done, model).second) return false;
    uint64_t first_end = UINT64_MAX;
    for (size_t i = 0; i < calls_.size(); ++i)
      if (!(done >> i & 1)) first_end = std::min(first_end, calls_[i].end);
    for (size_t i = 0; i < calls_.size(); ++i) {
      // Behind a call that has ended nothing that began later comes first.
      if (done >> i & 1 || calls_[i].begin > first_end) continue;
      ClassModel next = model;
      if (next.Agrees(calls_[i]) && From(done | uint64_t{1} << i, next))
        return true;
    }
    return false;
  }

  const std::vector<Call>& calls_;
  std::set<std::pair<uint64_t, ClassModel>> tried_;
};

// Makes calls and writes down when each began and ended.
class History {
 public:
  History(Index* index, const std::vector<std::string>& texts)
      : index_(index), texts_(texts), calls_(texts.size()) {}

  void Add(size_t text, const std::string& id) {
    Call call = Begin(Call::kAdd, id);
    std::vector<IndexInput> batch;
    batch.push_back(InputOf(id, texts_[text]));
    const auto said = index_->CheckAndAdd(std::move(batch));
    call.end = ++clock_;
    ASSERT_TRUE(said) << said.error().ToString();
    call.is_done = said->front().is_new;
    call.kept = said->front().kept.id;
    call.copies = said->front().kept.copies;
    Keep(text, std::move(call));
  }
  void Check(size_t text) {
    Call call = Begin(Call::kCheck, "");
    const auto found = index_->Check(DocumentOf(texts_[text]));
    call.end = ++clock_;
    ASSERT_TRUE(found) << found.error().ToString();
    if (!found->matches.empty()) {
      call.kept = found->matches.front().id;
      call.copies = found->matches.front().copies;
    }
    Keep(text, std::move(call));
  }
  void Remove(size_t text, const std::string& id) {
    Call call = Begin(Call::kRemove, id);
    const auto removed = index_->Remove(id);
    call.end = ++clock_;
    ASSERT_TRUE(removed) << removed.error().ToString();
    call.is_done = *removed == 1;
    Keep(text, std::move(call));
  }
  const std::vector<std::vector<Call>>& calls() const { return calls_; }

 private:
  Call Begin(Call::Kind kind, const std::string& id) {
    Call call;
    call.kind = kind;
    call.begin = ++clock_;
    call.id = id;
    return call;
  }
  void Keep(size_t text, Call call) {
    const std::lock_guard lock(mutex_);
    calls_[text].push_back(std::move(call));
  }

  Index* const index_;
  const std::vector<std::string>& texts_;
  std::atomic<uint64_t> clock_{0};
  std::mutex mutex_;
  std::vector<std::vector<Call>> calls_;  // of each text
};

// So far apart that nothing is similar that is not equal.
std::vector<std::string> DistinctTexts(size_t count) {
  std::vector<std::string> texts(count);
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < 30; ++j)
      texts[i] += "t" + std::to_string(i) + "w" + std::to_string(j) + " ";
  return texts;
}

TEST(IndexHistoryTest, TheCallsOfEightWritersAndEightReadersHaveOneOrder) {
  constexpr size_t kThreads = 8, kTexts = TWINSET_SLOW_BUILD ? 10 : 40;
  const TestDir dir;
  ASSERT_TRUE(Index::Create(dir / "index"));
  IndexOpenOptions options;
  options.run_postings = 300;  // so that runs are sealed and merged meanwhile
  options.threads = 2;
  auto index = *Index::Open(dir / "index", options);
  const auto texts = DistinctTexts(kTexts);
  History history(index.get(), texts);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < kTexts; ++i) {
        const std::string id =
            "p" + std::to_string(t) + "." + std::to_string(i);
        history.Add(i, id);
        if ((i + t) % 3 == 0) history.Remove(i, id);
        if ((i + t) % 4 == 1)
          history.Remove(i, "p" + std::to_string((t + 1) % kThreads) + "." +
                                std::to_string(i));
      }
    });
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < kTexts; ++i)
        history.Check(t % 2 == 0 ? i : kTexts - 1 - i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < kTexts; ++i) {
    ASSERT_LE(history.calls()[i].size(), 64u);
    ASSERT_GE(history.calls()[i].size(), 2 * kThreads);
    EXPECT_TRUE(OrderSearch(history.calls()[i]).Exists()) << "text " << i;
  }
  EXPECT_TRUE(index->Verify()->empty());
}

// A search that finds an order for everything would show nothing.
TEST(IndexHistoryTest, WhatNoOrderExplainsIsSeen) {
  const Call first{Call::kAdd, 1, 2, "a", true, "a", 1};
  const Call second{Call::kAdd, 3, 4, "b", false, "a", 2};
  EXPECT_TRUE(OrderSearch({first, second}).Exists());
  EXPECT_TRUE(OrderSearch({second, first}).Exists());
  Call both_new = second;
  both_new.is_done = true;
  both_new.kept = "b";
  EXPECT_FALSE(OrderSearch({first, both_new}).Exists());
  // A reader that misses what was acknowledged before it asked.
  const Call stale{Call::kCheck, 5, 6, "", false, "a", 1};
  EXPECT_FALSE(OrderSearch({first, second, stale}).Exists());
  Call beside = stale;
  beside.begin = 2;
  EXPECT_TRUE(OrderSearch({first, second, beside}).Exists());
  // A removal that is taken back.
  const Call gone{Call::kRemove, 7, 8, "a", true, "", 0};
  const Call again{Call::kCheck, 9, 10, "", false, "a", 2};
  EXPECT_FALSE(OrderSearch({first, second, gone, again}).Exists());
}

}  // namespace
}  // namespace twinset
