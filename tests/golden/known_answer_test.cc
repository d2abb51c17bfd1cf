// The known-answer corpus of the spec: if a byte changes here, kSpec must rise
// and docs/spec/ must say why.
#include <filesystem>

#include "base/bytes.h"
#include "support/dedup_fixture.h"
#include "twinset/inspect.h"
#include "twinset/version.h"

namespace twinset::testing {
namespace {

// Many scripts, joiners, marks, digits, casing, and near-copies of each.
const char* const kTexts[] = {
    "Don't panic: the 3,141.59 e.g. examples of O\xE2\x80\x99Reilly, naïve "
    "CAFÉ_society and ﬁne ligatures ½ are normalised the same way every time",
    "Найкраще — ворог доброго; это проверка разбиения текста на слова и "
    "повторов в нескольких строках подряд",
    "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。",
    "ภาษาไทยไม่มีช่องว่างระหว่างคำ จึงต้องนับทีละตัวอักษร",
    "هذا نص عربي قصير لاختبار تقسيم الكلمات والتشكيل فيها مرة واحدة",
    "हिन्दी में मात्राएँ शब्द के बीच आती हैं और शब्द को नहीं तोड़तीं",
    "short one",
    ""};

std::string Corpus() {
  std::string lines = SyntheticCorpus(1, 150).Jsonl();
  int number = 0;
  for (const char* text : kTexts) {
    for (const char* tail : {"", "!", " tail"}) {
      Json row;
      row["id"] = "s" + std::to_string(number++);
      row["text"] = std::string(text) + tail;
      row["date"] = "2020-01-0" + std::to_string(number % 9 + 1);
      lines += row.dump() + "\n";
    }
  }
  return lines + "{broken\n{\"id\":\"none\"}\n";
}

TEST(KnownAnswerTest, EveryPromisedByte) {
  static_assert(kSpec == 1, "new spec: record new answers");
  TemporaryFolder folder;
  Write(folder / "in.jsonl", Corpus());
  std::string all;
  const auto run = [&](const std::string& name,
                       const std::function<void(DedupOptions*)>& set) {
    DedupOptions options = OptionsFor(folder / "in.jsonl", folder / name);
    set(&options);
    MustDedup(options);
    uint64_t digest = 0;
    for (const auto& [file, bytes] : PromisedBytes(options.out)) {
      // Counts by source: of these the summary's are promised.
      if (file != "summary.json" && file != "sources.jsonl")
        digest = Hash64(file + "\n" + bytes, digest);
    }
    all += name + " " + ToHex(digest) + "\n";
  };
  run("default", [](DedupOptions*) {});
  run("components", [](DedupOptions* o) {
    o->cluster = ClusterRule::kComponents;
    o->method.threshold = 0.5;
  });
  run("char", [](DedupOptions* o) { o->features.shingle = "char:9+word:2"; });
  run("segments",
      [](DedupOptions* o) { o->features.shingle = "sentence+chunk:5-20"; });
  run("exact", [](DedupOptions* o) {
    o->method.name = "exact";
    o->method.level = CopyLevel::kTokens;
  });
  run("oldest", [](DedupOptions* o) { o->keep = {"oldest", "shortest"}; });
  EXPECT_EQ(all,
            "default e63e1e9860cbd9c0\n"
            "components c3ad9033939f7b9c\n"
            "char 2698e18357d19948\n"
            "segments 472e25c217d8e285\n"
            "exact 525828c3d82f32c8\n"
            "oldest 6cc5d3bdcb88af14\n");
}

// The text rules: every golden page, and what only the rules of encodings and
// tree construction decide, as each --content gives it.
TEST(KnownAnswerTest, TextOfPages) {
  TemporaryFolder folder;
  std::filesystem::copy(std::string(TWINSET_SOURCE_DIR) + "/tests/golden/pages",
                        folder / "pages");
  Write(
      folder / "pages/~tree.html",
      "<title>T</title><table>before<tr><td>a<td>b<div hidden>x</table><b>c"
      "<p>d</b>e<pre>\n f\n  g</pre><svg><text>x</text></svg>&NotEqualTilde;"
      "&#128;<noscript>x</noscript><dialog>x</dialog><math><mi>h</mi></math>");
  Write(folder / "pages/~sjis.html",
        "<meta charset=sjis><p>\x93\xFA\x96\x7B\x8C\xEA<br>\x82\x50\xFF");
  std::string all;
  for (const char* content : {"main", "all", "raw"}) {
    InputOptions input;
    input.inputs = {folder / "pages"};
    FeatureOptions features;
    features.content = *FindChoice<ContentMode>(content);
    uint64_t digest = 0, pages = 0;
    const Status read = ForEachText(
        input, features, {},
        [&](const DocumentText& page) {
          digest = Hash64(page.id + "\n" + page.text, digest);
          ++pages;
          return true;
        },
        [](const RejectedRecord&) {});
    ASSERT_TRUE(read);
    all += std::string(content) + " " + std::to_string(pages) + " " +
           ToHex(digest) + "\n";
  }
  EXPECT_EQ(all,
            "main 15 d53348c08869c994\n"
            "all 15 b3614f4942a81395\n"
            "raw 15 2884aad0529baa18\n");
}

}  // namespace
}  // namespace twinset::testing
