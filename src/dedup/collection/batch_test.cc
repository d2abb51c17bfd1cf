// Columns in every layout against the same values in vectors, and documents of
// batches against those of a function.
#include "twinset/batch.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "twinset/collection.h"

namespace twinset {
namespace {

using Values = std::vector<std::optional<std::string>>;

// Short ones, which views of Arrow hold in place, and long ones.
Values RandomValues(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  Values values(count);
  for (auto& value : values) {
    if (random() % 5 == 0) continue;
    value.emplace();
    for (uint64_t i = random() % 40; i > 0; --i)
      *value += static_cast<char>('a' + random() % 26);
  }
  return values;
}

// The values of a column in each layout.
struct Layouts {
  explicit Layouts(const Values& values, uint64_t mask_offset)
      : mask((values.size() + mask_offset) / 8 + 1, 0xFF) {
    for (size_t i = 0; i < values.size(); ++i) {
      const std::string text = values[i].value_or("");
      const uint64_t bit = mask_offset + i;
      if (!values[i]) mask[bit / 8] &= static_cast<uint8_t>(~(1 << bit % 8));
      strings.push_back(text);
      ArrowStringView view;
      view.size = static_cast<int32_t>(text.size());
      if (text.size() <= sizeof view.place) {
        text.copy(view.place, text.size());
      } else {
        const uint32_t number = i % 2;
        const auto offset = static_cast<uint32_t>(buffers[number].size());
        text.copy(view.place, 4);
        std::memcpy(view.place + 4, &number, 4);
        std::memcpy(view.place + 8, &offset, 4);
        buffers[number] += text;
      }
      arrow.push_back(view);
      bytes += text;
      wide.push_back(bytes.size());
      narrow.push_back(static_cast<uint32_t>(bytes.size()));
      signed_wide.push_back(static_cast<int64_t>(bytes.size()));
      signed_narrow.push_back(static_cast<int32_t>(bytes.size()));
    }
    views.assign(strings.begin(), strings.end());
    buffer_views.assign(std::begin(buffers), std::end(buffers));
    nulls = {mask, mask_offset};
  }
  std::vector<TextBatch> All() const {
    return {TextBatch(bytes, wide, nulls),
            TextBatch(bytes, narrow, nulls),
            TextBatch(bytes, signed_wide, nulls),
            TextBatch(bytes, signed_narrow, nulls),
            TextBatch(views, nulls),
            TextBatch(strings, nulls),
            TextBatch(arrow, buffer_views, nulls)};
  }

  std::string bytes, buffers[2];
  std::vector<std::string> strings;
  std::vector<std::string_view> views, buffer_views;
  std::vector<uint64_t> wide = {0};
  std::vector<uint32_t> narrow = {0};
  std::vector<int64_t> signed_wide = {0};
  std::vector<int32_t> signed_narrow = {0};
  std::vector<ArrowStringView> arrow;
  std::vector<uint8_t> mask;
  NullMask nulls;
};

TEST(TextBatch, HasTheValuesOfEveryLayout) {
  for (const size_t count : {0, 1, 7, 8, 9, 200}) {
    for (const uint64_t mask_offset : {0, 3, 8}) {
      const Values values = RandomValues(count + mask_offset, count);
      const Layouts layouts(values, mask_offset);
      for (const TextBatch& batch : layouts.All()) {
        ASSERT_TRUE(batch.Check());
        ASSERT_EQ(batch.size(), count);
        for (size_t i = 0; i < count; ++i) {
          EXPECT_EQ(batch.IsNull(i), !values[i].has_value());
          EXPECT_EQ(batch[i], values[i].value_or(""));
        }
      }
    }
  }
  EXPECT_EQ(TextBatch().size(), 0u);
  EXPECT_TRUE(TextBatch().Check());
}

TEST(TextBatch, WhatLeavesItsMemoryIsRefused) {
  const std::string bytes = "some bytes of two texts";
  const auto refused = [](const TextBatch& batch) {
    const Status status = batch.Check();
    return !status && status.error().code == ErrorCode::kUsage;
  };
  EXPECT_FALSE(refused(TextBatch(bytes, std::vector<uint64_t>{0, 4, 23})));
  EXPECT_TRUE(refused(TextBatch(bytes, std::vector<uint64_t>{0, 4, 24})));
  EXPECT_TRUE(refused(TextBatch(bytes, std::vector<uint64_t>{0, 9, 4})));
  EXPECT_TRUE(refused(TextBatch(bytes, std::vector<int64_t>{-1, 4, 9})));
  EXPECT_TRUE(refused(TextBatch(bytes, std::vector<int32_t>{0, 4, -9})));
  EXPECT_TRUE(refused(TextBatch(bytes, std::vector<uint32_t>{30, 40})));
  const std::vector<uint8_t> mask = {0xFF};
  const std::vector<std::string> eight(8), nine(9);
  EXPECT_FALSE(refused(TextBatch(eight, {mask, 0})));
  EXPECT_TRUE(refused(TextBatch(eight, {mask, 1})));
  EXPECT_TRUE(refused(TextBatch(nine, {mask, 0})));
  EXPECT_TRUE(refused(TextBatch(eight, {mask, ~uint64_t{0}})));
  const std::vector<std::string_view> buffers = {bytes};
  const auto view = [&](int32_t size, uint32_t buffer, uint32_t offset) {
    ArrowStringView one;
    one.size = size;
    std::memcpy(one.place + 4, &buffer, 4);
    std::memcpy(one.place + 8, &offset, 4);
    return refused(TextBatch(std::vector{one}, buffers));
  };
  EXPECT_FALSE(view(23, 0, 0));
  EXPECT_TRUE(view(23, 0, 1));
  EXPECT_TRUE(view(24, 0, 0));
  EXPECT_TRUE(view(13, 1, 0));
  EXPECT_TRUE(view(13, ~0u, 0));
  EXPECT_TRUE(view(13, 0, ~0u));
  EXPECT_TRUE(view(-1, 0, 0));
}

// Documents of columns, some of which are null.
struct Table {
  explicit Table(size_t count) {
    std::mt19937_64 random(count);
    for (size_t i = 0; i < count; ++i) {
      std::string text = "a page number " + std::to_string(i / 3) + " with";
      for (int word = 0; word < 40; ++word)
        text += " word" + std::to_string(i / 3 * 50 + word);
      if (i % 3 != 0) text += " " + std::to_string(random());
      texts.push_back(i % 11 == 5 ? std::nullopt
                                  : std::optional<std::string>(text));
      ids.push_back("id " + std::to_string(i * 7));
      urls.push_back("http://host" + std::to_string(random() % 2) +
                     ".example/" + std::to_string(i));
      dates.push_back(
          i % 4 == 0 ? std::nullopt
                     : std::optional<std::string>(
                           "2024-01-" + std::to_string(10 + random() % 20)));
      scores.push_back(i % 5 == 0 ? std::nullopt
                                  : std::optional<std::string>(
                                        std::to_string(random() % 100)));
    }
  }
  Document Row(size_t i) const {
    Document document;
    document.id = *ids[i];
    document.payload = texts[i].value_or("");
    document.has_text = texts[i].has_value();
    document.provenance.url = *urls[i];
    document.provenance.date = dates[i].value_or("");
    document.fields = {{"score", scores[i].value_or("")}};
    return document;
  }
  Values texts, ids, urls, dates, scores;
};

void ExpectSame(const Duplicates& found, const Duplicates& expected) {
  EXPECT_EQ(found.pairs, expected.pairs);
  EXPECT_EQ(found.members, expected.members);
  EXPECT_EQ(found.kept, expected.kept);
  EXPECT_EQ(found.dropped, expected.dropped);
  EXPECT_EQ(found.rejected.size(), expected.rejected.size());
}

TEST(DocumentBatch, GivesWhatASourceOfDocumentsGives) {
  const Table table(90);
  const Layouts texts(table.texts, 2), ids(table.ids, 0), urls(table.urls, 0),
      dates(table.dates, 5), scores(table.scores, 1);
  CollectionOptions options;
  options.resources.memory_bytes = 512 << 20;
  for (const char* rule : {"newest", "max:score", "first"}) {
    options.keep = {rule};
    options.within = std::string(rule) == "first" ? "host" : "";
    size_t next = 0;
    const auto function = FromFunction([&](Document* document) -> Result<bool> {
      if (next == table.ids.size()) return false;
      *document = table.Row(next++);
      return true;
    });
    const auto expected = Dedup(*function, options);
    ASSERT_TRUE(expected) << expected.error().ToString();
    EXPECT_GT(expected->pairs.size(), 10u);
    EXPECT_EQ(expected->rejected.size(), 8u);
    for (size_t layout = 0; layout < texts.All().size(); ++layout) {
      DocumentBatch batch;
      batch.texts = texts.All()[layout];
      batch.ids = ids.All()[(layout + 1) % 7];
      batch.urls = urls.All()[(layout + 2) % 7];
      batch.dates = dates.All()[(layout + 3) % 7];
      batch.fields = {{"unused", {}}, {"score", scores.All()[layout]}};
      const auto source = FromBatch(batch);
      ASSERT_TRUE(source) << source.error().ToString();
      const auto found = Dedup(**source, options);
      ASSERT_TRUE(found) << found.error().ToString();
      ExpectSame(*found, *expected);
    }
  }
}

TEST(DocumentBatch, ColumnsOfOtherLengthsAreRefused) {
  const std::vector<std::string> two(2), three(3);
  DocumentBatch batch;
  batch.texts = TextBatch(three);
  EXPECT_TRUE(batch.Check());
  batch.dates = TextBatch(two);
  const auto source = FromBatch(batch);
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code, ErrorCode::kUsage);
  EXPECT_NE(source.error().message.find("dates"), std::string::npos);
  batch.dates = {};
  batch.fields = {{"price", TextBatch(two)}};
  EXPECT_NE(FromBatch(batch).error().message.find("price"), std::string::npos);
}

// Batches that live only until the next one is asked for.
TEST(DocumentBatch, BatchesFollowEachOther) {
  const auto values = RandomValues(9, 50);
  std::unique_ptr<Layouts> held;
  size_t begin = 0;
  const auto source = FromBatches([&](DocumentBatch* batch) -> Result<bool> {
    EXPECT_EQ(batch->size(), 0u);
    if (begin == values.size()) return false;
    const size_t end = std::min(values.size(), begin + begin % 4 * 5);
    held = std::make_unique<Layouts>(
        Values(values.begin() + static_cast<ptrdiff_t>(begin),
               values.begin() + static_cast<ptrdiff_t>(end)),
        0);
    batch->texts = held->All()[begin % 7];
    begin = end == begin ? begin + 0 : end;
    if (batch->size() == 0) {
      held = std::make_unique<Layouts>(Values{values[begin]}, 0);
      batch->texts = held->All()[6];
      ++begin;
    }
    return true;
  });
  for (const auto& value : values) {
    Document document;
    const auto more = source->Next(&document);
    ASSERT_TRUE(more.has_value() && *more);
    EXPECT_EQ(document.has_text, value.has_value());
    EXPECT_EQ(document.payload, value.value_or(""));
  }
  Document document;
  EXPECT_FALSE(*source->Next(&document));
  const std::vector<uint64_t> offsets = {5, 2};
  const auto wrong = FromBatches([&](DocumentBatch* batch) -> Result<bool> {
    batch->texts = TextBatch("abcdef", offsets);
    return true;
  });
  EXPECT_EQ(wrong->Next(&document).error().code, ErrorCode::kUsage);
}

// Counts what comes by rows and by spans.
struct ByRow : Sink {
  Status OnPair(const Pair& pair) override {
    pairs.push_back(pair);
    return {};
  }
  Status OnMember(const ClusterMember& member) override {
    members.push_back(member);
    return {};
  }
  Status OnDecision(uint64_t document, bool kept) override {
    decisions.push_back({document, kept});
    return {};
  }
  std::vector<Pair> pairs;
  std::vector<ClusterMember> members;
  std::vector<KeepDecision> decisions;
};

struct BySpan : Sink {
  template <typename Row>
  Status Take(std::span<const Row> rows, int stage, std::vector<Row>* all) {
    EXPECT_FALSE(rows.empty());
    EXPECT_GE(stage, last_stage);
    last_stage = stage;
    ++calls;
    all->insert(all->end(), rows.begin(), rows.end());
    return {};
  }
  Status OnPairs(std::span<const Pair> rows) override {
    return Take(rows, 0, &pairs);
  }
  Status OnMembers(std::span<const ClusterMember> rows) override {
    return Take(rows, 1, &members);
  }
  Status OnDecisions(std::span<const KeepDecision> rows) override {
    return Take(rows, 2, &decisions);
  }
  int last_stage = 0;
  size_t calls = 0;
  std::vector<Pair> pairs;
  std::vector<ClusterMember> members;
  std::vector<KeepDecision> decisions;
};

TEST(Sink, SpansHaveTheRowsInTheirOrder) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < 9000; ++i) {
    std::string text;
    for (size_t word = 0; word < 6; ++word)
      text += std::to_string(i / 2 * 6 + word) + " ";
    texts.push_back(std::move(text));
  }
  CollectionOptions options;
  options.resources.memory_bytes = 512 << 20;
  options.pairs = ListedPairs::kAll;
  ByRow rows;
  BySpan spans;
  ASSERT_TRUE(Dedup(*FromTexts(texts), options, rows));
  ASSERT_TRUE(Dedup(*FromTexts(texts), options, spans));
  EXPECT_EQ(spans.pairs, rows.pairs);
  EXPECT_EQ(spans.members, rows.members);
  EXPECT_EQ(spans.decisions, rows.decisions);
  EXPECT_EQ(rows.decisions.size(), texts.size());
  EXPECT_EQ(rows.pairs.size(), texts.size() / 2);
  EXPECT_EQ(spans.calls, 2u + 3u + 3u);
  BySpan match;
  const std::vector<std::string> half(texts.begin(), texts.begin() + 50);
  CollectionMatchOptions of_match;
  of_match.resources = options.resources;
  ASSERT_TRUE(Match(*FromTexts(half), *FromTexts(texts), of_match, match));
  const auto expected = Match(*FromTexts(half), *FromTexts(texts), of_match);
  EXPECT_EQ(match.pairs, expected->pairs);
  EXPECT_TRUE(match.members.empty());
  EXPECT_EQ(match.decisions.size(), half.size());
}

TEST(Sink, TheFirstErrorOfARowEndsASpan) {
  struct Refuses : Sink {
    Status OnDecision(uint64_t, bool) override {
      return ++calls < 3 ? Status() : Fail(ErrorCode::kIo, "full");
    }
    int calls = 0;
  } sink;
  const std::vector<std::string> texts(8, "five words and one more");
  const auto found = Dedup(*FromTexts(texts), {}, sink);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "full");
  EXPECT_EQ(sink.calls, 3);
}

}  // namespace
}  // namespace twinset
