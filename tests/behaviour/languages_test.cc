// Every script is text like any other: tokens, sketches, near-duplicates, and
// the language as field, filter and scope.
#include "support/dedup_fixture.h"
#include "text/page/language.h"
#include "twinset/inspect.h"

namespace twinset::testing {
namespace {

// Two texts of a language: one about a lighthouse, one about bread.
struct Sample {
  const char *code, *light, *bread;
};
constexpr Sample kSamples[] = {
    {"am",
     "ምሽት ላይ የመብራት ቤቱ ጠባቂ በመስኮቱ አጠገብ ተቀምጦ የሚያልፉትን መርከቦች ይቆጥራል፤ ስማቸውንም "
     "በትልቅ መጽሐፍ ይጽፋል።",
     "ዳቦ ለመሥራት ዱቄት፣ ጨው፣ ውሃ እና ትንሽ ትዕግስት ያስፈልጋል፤ ሊጡም ሌሊቱን ሙሉ ያርፋል።"},
    {"ar",
     "في المساء يجلس حارس المنارة قرب النافذة ويعد السفن التي تمر في الخليج، "
     "ثم "
     "يكتب أسماءها في دفتر كبير ويشعل المصباح.",
     "يحتاج الخبز إلى الدقيق والملح والماء وقليل من الصبر، ويترك العجين ليرتاح "
     "ليلة كاملة قبل أن يدخل الفرن الساخن."},
    {"bn",
     "সন্ধ্যায় বাতিঘরের রক্ষক জানালার পাশে বসে উপসাগর দিয়ে যাওয়া জাহাজগুলো গোনেন "
     "এবং একটি বড় খাতায় তাদের নাম লিখে রাখেন।",
     "রুটির জন্য ময়দা, লবণ, জল এবং একটু ধৈর্য লাগে, আর মাখা ময়দা সারা রাত ঢেকে "
     "রাখা হয়।"},
    {"de",
     "Am Abend sitzt der Wärter des Leuchtturms am Fenster, zählt die Schiffe, "
     "die durch die Bucht fahren, und schreibt ihre Namen in ein großes Buch.",
     "Brot braucht Mehl, Salz, Wasser und ein wenig Geduld, und der Teig ruht "
     "eine ganze Nacht unter einem Tuch, bevor er in den heißen Ofen kommt."},
    {"el",
     "Το βράδυ ο φύλακας του φάρου κάθεται δίπλα στο παράθυρο, μετράει τα "
     "πλοία "
     "που περνούν από τον κόλπο και γράφει τα ονόματά τους σε ένα μεγάλο "
     "βιβλίο.",
     "Το ψωμί θέλει αλεύρι, αλάτι, νερό και λίγη υπομονή, και η ζύμη "
     "ξεκουράζεται όλη τη νύχτα."},
    {"en",
     "In the evening the keeper of the lighthouse sits at the window, counts "
     "the ships that pass the bay, and writes their names in a large book.",
     "Bread needs flour, salt, water and a little patience, and the dough "
     "rests "
     "under a cloth for a whole night before it goes into the hot oven."},
    {"gu",
     "સાંજે દીવાદાંડીનો રખેવાળ બારી પાસે બેસીને ખાડીમાંથી પસાર થતાં વહાણો ગણે છે અને "
     "તેમનાં નામ મોટી ચોપડીમાં લખે છે.",
     "રોટલી માટે લોટ, મીઠું, પાણી અને થોડી ધીરજ જોઈએ."},
    {"he",
     "בערב יושב שומר המגדלור ליד החלון וסופר את האוניות שעוברות במפרץ, ואחר כך "
     "הוא כותב את שמותיהן בספר גדול ומדליק את המנורה.",
     "הלחם צריך קמח, מלח, מים וקצת סבלנות, והבצק נח לילה שלם לפני שהוא נכנס "
     "לתנור החם."},
    {"hi",
     "शाम को प्रकाशस्तंभ का रखवाला खिड़की के पास बैठकर खाड़ी से गुजरने वाले जहाजों को "
     "गिनता है और उनके नाम एक बड़ी किताब में लिखता है।",
     "रोटी के लिए आटा, नमक, पानी और थोड़ा धैर्य चाहिए, और आटे को गूंथकर रात भर ढककर "
     "रखा जाता है।"},
    {"hy",
     "Երեկոյան փարոսի պահապանը նստում է պատուհանի մոտ, հաշվում ծովածոցով "
     "անցնող "
     "նավերը և նրանց անունները գրում մեծ գրքում։",
     "Հացին պետք է ալյուր, աղ, ջուր և մի քիչ համբերություն, խմորը հանգստանում "
     "է "
     "ամբողջ գիշեր։"},
    {"ja",
     "夕方になると灯台守は窓のそばに座り、湾を通る船を数えて、その名前を大きな"
     "帳面に"
     "書き留めてから明かりをともす。",
     "パンには小麦粉と塩と水と少しの根気が要り、生地は布をかけて一晩休ませる"
     "。"},
    {"ka",
     "საღამოს შუქურის მცველი ფანჯარასთან ზის, ყურეში გამავალ გემებს ითვლის და "
     "მათ "
     "სახელებს დიდ წიგნში წერს.",
     "პურს ფქვილი, მარილი, წყალი და ცოტა მოთმინება სჭირდება, ცომი მთელი ღამე "
     "ისვენებს."},
    {"km",
     "នៅពេលល្ងាច អ្នកយាមប៉មភ្លើងអង្គុយក្បែរបង្អួច រាប់កប៉ាល់ដែលឆ្លងកាត់ឈូងសមុទ្រ "
     "ហើយសរសេរឈ្មោះវាក្នុងសៀវភៅធំ",
     "នំប៉័ងត្រូវការម្សៅ អំបិល ទឹក និងការអត់ធ្មត់បន្តិចបន្តួច"},
    {"ko",
     "저녁이면 등대지기는 창가에 앉아 만을 지나가는 배를 세고 그 이름을 큰 "
     "공책에 적은 "
     "뒤 등불을 켠다.",
     "빵에는 밀가루와 소금과 물 그리고 약간의 인내가 필요하며 반죽은 밤새 쉬게 "
     "둔다."},
    {"lo",
     "ຕອນແລງຄົນເຝົ້າປະພາຄານນັ່ງຢູ່ແຄມປ່ອງຢ້ຽມນັບເຮືອທີ່ແລ່ນຜ່ານອ່າວ "
     "ແລ້ວຂຽນຊື່ເຮືອໃສ່ປຶ້ມຫົວໃຫຍ່",
     "ເຂົ້າຈີ່ຕ້ອງໃຊ້ແປ້ງ ເກືອ ນ້ຳ ແລະ ຄວາມອົດທົນໜ້ອຍໜຶ່ງ"},
    {"my",
     "ညနေခင်းတွင် မီးပြတိုက်စောင့်သည် ပြတင်းပေါက်နားတွင် ထိုင်၍ ပင်လယ်အော်ကို "
     "ဖြတ်သွားသော သင်္ဘောများကို ရေတွက်သည်",
     "ပေါင်မုန့်အတွက် ဂျုံမှုန့်၊ ဆား၊ ရေနှင့် စိတ်ရှည်မှု အနည်းငယ် လိုအပ်သည်"},
    {"ru",
     "Вечером смотритель маяка сидит у окна, считает корабли, которые проходят "
     "через залив, и записывает их названия в большую книгу.",
     "Хлебу нужны мука, соль, вода и немного терпения, а тесто отдыхает всю "
     "ночь под полотенцем."},
    {"ta",
     "மாலையில் கலங்கரை விளக்கத்தின் காவலர் சன்னல் அருகே அமர்ந்து வளைகுடாவைக் கடக்கும் "
     "கப்பல்களை எண்ணி அவற்றின் பெயர்களைப் பெரிய புத்தகத்தில் எழுதுகிறார்.",
     "ரொட்டி செய்ய மாவு, உப்பு, தண்ணீர் மற்றும் கொஞ்சம் பொறுமை தேவை, பிசைந்த மாவை "
     "இரவு முழுவதும் மூடி வைக்க வேண்டும்."},
    {"te",
     "సాయంత్రం దీపస్తంభం కాపలాదారు కిటికీ దగ్గర కూర్చుని ఓడలను లెక్కించి వాటి "
     "పేర్లను పెద్ద పుస్తకంలో రాస్తాడు.",
     "రొట్టె చేయడానికి పిండి, ఉప్పు, నీరు మరియు కొంచెం ఓపిక కావాలి."},
    {"th",
     "ตอนเย็นคนเฝ้าประภาคารนั่งริมหน้าต่างนับเรือที่แล่นผ่านอ่าว "
     "แล้วจดชื่อเรือลงในสมุดเล่มใหญ่ก่อนจะจุดตะเกียง",
     "ขนมปังต้องใช้แป้ง เกลือ น้ำ และความอดทนเล็กน้อย "
     "พักแป้งไว้ทั้งคืนก่อนนำเข้าเตาอบร้อน"},
    {"zh",
     "傍晚，灯塔看守人坐在窗边，数着经过海湾的船只，把它们的名字写进一本厚厚的"
     "簿子里，"
     "然后点亮了灯。",
     "做面包需要面粉、盐、水和一点耐心，面团要盖上布静置一整夜，再放进烧热的烤"
     "炉。"},
    {"zh-Hant",
     "傍晚，燈塔看守人坐在窗邊，數著經過海灣的船隻，把它們的名字寫進一本厚厚的"
     "簿子裡，"
     "然後點亮了燈。",
     "做麵包需要麵粉、鹽、水和一點耐心，麵團要蓋上布靜置一整夜，再放進燒熱的烤"
     "爐。"},
};

// Texts long enough that one other word leaves eight tenths of the shingles.
struct NearPair {
  const char *code, *text, *word, *other_word;
};
constexpr NearPair kNearPairs[] = {
    {"zh",
     "傍晚，灯塔看守人坐在窗边，数着经过海湾的船只，把它们的名字写进一本厚厚的"
     "簿子里，"
     "然后点亮了灯。夜里雾气遮住了水面，他便听着对岸传来的号角声，海鸥在窄窗下"
     "的岩石上"
     "睡着了。",
     "厚厚", "大大"},
    {"ja",
     "夕方になると灯台守は窓のそばに座り、湾を通る船を数えて、その名前を大きな"
     "帳面に"
     "書き留めてから明かりをともす。夜には霧が水面を覆い、彼は向こう岸から答え"
     "る霧笛に"
     "耳を澄まし、かもめは細い窓の下の岩で眠っている。",
     "大きな", "小さな"},
    {"ru",
     "Вечером смотритель маяка сидит у окна, считает корабли, которые проходят "
     "через залив, и записывает их названия в большую книгу. Ночью туман "
     "закрывает воду, и тогда он слушает далёкий гудок, который отвечает ему с "
     "другого берега, пока чайки спят на камнях под узким окном. Утром он "
     "гасит "
     "лампу, заводит часы и долго смотрит, как рыбаки выводят лодки из "
     "маленькой гавани в открытое море.",
     "большую", "толстую"},
};

std::string Row(const std::string& id, const std::string& text) {
  return Json{{"id", id}, {"text", text}}.dump() + "\n";
}

std::string Changed(const NearPair& pair) {
  std::string text = pair.text;
  const size_t at = text.find(pair.word);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, std::string(pair.word).size(), pair.other_word);
}

using Names = std::vector<std::string>;

class LanguagesTest : public ::testing::Test {
 protected:
  DedupSummary Run(const std::string& input,
                   const std::function<void(DedupOptions*)>& set = {}) {
    Write(folder_ / "in.jsonl", input);
    DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "out");
    options.overwrite = true;
    options.pairs = ListedPairs::kAll;
    if (set) set(&options);
    return MustDedup(options);
  }
  std::set<std::string> Pairs() {
    std::set<std::string> pairs;
    for (const Json& row : ReadRows(folder_ / "out/pairs.jsonl")) {
      pairs.insert(row["a"].get<std::string>() + " " +
                   row["b"].get<std::string>());
    }
    return pairs;
  }
  Json Summary() { return Json::parse(Read(folder_ / "out/summary.json")); }
  TemporaryFolder folder_;
};

TEST_F(LanguagesTest, TextsOfEveryScriptAreIdentified) {
  for (const Sample& sample : kSamples) {
    // Amharic and Tigrinya share a script that the library does not tell apart.
    const std::string code = sample.code;
    const std::string expected = code == "am" ? "und" : code;
    EXPECT_EQ(IdentifyLanguage(sample.light, "").code, expected);
    EXPECT_EQ(IdentifyLanguage(sample.bread, "").code, expected);
  }
}

TEST_F(LanguagesTest, NoScriptCollapsesToNothingOrToOneSignature) {
  std::string input;
  for (const Sample& sample : kSamples) {
    const std::string code = sample.code;
    input += Row(code + "-light", sample.light);
    input += Row(code + "-bread", sample.bread);
    input += Row(code + "-again", sample.light);
  }
  Write(folder_ / "in.jsonl", input);
  InputOptions in;
  in.inputs = {folder_ / "in.jsonl"};
  TextDetails details;
  details.tokens = true;
  size_t documents = 0;
  ASSERT_TRUE(ForEachText(in, {}, details,
                          [&](const DocumentText& document) {
                            ++documents;
                            EXPECT_GE(document.tokens.size(), 8u)
                                << document.id;
                            return true;
                          },
                          {}));
  EXPECT_EQ(documents, 3 * std::size(kSamples));

  std::map<std::string, std::string> sketches;
  ASSERT_TRUE(ForEachSketch(in, {}, {},
                            [&](const SketchRow& row) {
                              EXPECT_FALSE(row.sketch.empty()) << row.id;
                              sketches[row.id] = row.sketch;
                              return true;
                            },
                            {}));
  std::set<std::string> distinct;
  for (const Sample& sample : kSamples) {
    const std::string code = sample.code;
    EXPECT_EQ(sketches[code + "-light"], sketches[code + "-again"]) << code;
    distinct.insert(sketches[code + "-light"]);
    distinct.insert(sketches[code + "-bread"]);
  }
  EXPECT_EQ(distinct.size(), 2 * std::size(kSamples));

  const DedupSummary summary = Run(input);
  EXPECT_EQ(summary.empty, 0u);
  EXPECT_EQ(summary.dropped, std::size(kSamples));
  std::set<std::string> expected;
  for (const Sample& sample : kSamples) {
    expected.insert(std::string(sample.code) + "-light " + sample.code +
                    "-again");
  }
  EXPECT_EQ(Pairs(), expected);
}

TEST_F(LanguagesTest, NearDuplicatesAreFoundInTextsWithoutSpacesToo) {
  std::string input;
  std::set<std::string> expected;
  for (const NearPair& pair : kNearPairs) {
    const std::string code = pair.code;
    input += Row(code + "-1", pair.text);
    input += Row(code + "-2", Changed(pair));
    expected.insert(code + "-1 " + code + "-2");
  }
  for (const Sample& sample : kSamples)
    input += Row(std::string(sample.code) + "-bread", sample.bread);
  Run(input);
  EXPECT_EQ(Pairs(), expected);
  for (const Json& row : ReadRows(folder_ / "out/pairs.jsonl")) {
    EXPECT_GE(row["similarity"].get<double>(), 0.8);
    EXPECT_LT(row["similarity"].get<double>(), 1);
  }
}

TEST_F(LanguagesTest, DocumentsOfOtherLanguagesAreSkippedAndCounted) {
  std::string input;
  for (const Sample& sample : kSamples) input += Row(sample.code, sample.light);
  input += Row("short", "Hello") + "{broken\n";
  const auto keeps = [&](const std::vector<std::string>& languages) {
    const DedupSummary summary =
        Run(input, [&](DedupOptions* o) { o->input.languages = languages; });
    EXPECT_EQ(summary.records, std::size(kSamples) + 2);
    EXPECT_EQ(summary.records,
              summary.documents + summary.skipped + summary.quarantined);
    EXPECT_EQ(summary.quarantined, 1u);
    EXPECT_EQ(Summary()["records"]["skipped"].value("language", 0u),
              summary.skipped);
    return ReadLines(folder_ / "out/keep.txt");
  };
  EXPECT_EQ(keeps({"de", "ru"}), (Names{"de", "ru"}));
  EXPECT_EQ(keeps({"zh"}), (Names{"zh", "zh-Hant"}));
  EXPECT_EQ(keeps({"ZH_hant"}), (Names{"zh-Hant"}));
  EXPECT_EQ(keeps({"und"}), (Names{"am", "short"}));
  EXPECT_EQ(keeps({"fr"}), Names());
  EXPECT_EQ(keeps({}).size(), std::size(kSamples) + 1);
}

TEST_F(LanguagesTest, TheFilterGoesWithMethodsThatComparePayloads) {
  const std::string input = Row("de", kSamples[3].light) +
                            Row("en", kSamples[5].light) +
                            Row("de-2", kSamples[3].light);
  Run(input, [](DedupOptions* o) {
    o->method.name = "exact";
    o->input.languages = {"de"};
  });
  EXPECT_EQ(ReadLines(folder_ / "out/keep.txt"), (Names{"de"}));
  EXPECT_EQ(ReadLines(folder_ / "out/drop.txt"), (Names{"de-2"}));
}

TEST_F(LanguagesTest, WhatIsSkippedIsNotWrittenEither) {
  Run(Row("de", kSamples[3].light) + Row("en", kSamples[5].light),
      [&](DedupOptions* o) {
        o->input.languages = {"en"};
        o->write = folder_ / "written";
      });
  EXPECT_EQ(Read(folder_ / "written/in.jsonl"), Row("en", kSamples[5].light));
  EXPECT_EQ(Summary()["written"]["left_out"], 1);

  Write(folder_ / "de.txt", kSamples[3].light);
  Write(folder_ / "en.txt", kSamples[5].light);
  DedupOptions options = OptionsFor(folder_ / "de.txt", folder_ / "out");
  options.input.inputs.push_back(folder_ / "en.txt");
  options.input.languages = {"en"};
  options.overwrite = true;
  options.write = folder_ / "files";
  MustDedup(options);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "files/de.txt"));
  EXPECT_EQ(Read(folder_ / "files/en.txt"), kSamples[5].light);
}

// What two languages share without words: a table of numbers.
std::string Numbers() {
  std::string numbers;
  for (int i = 0; i < 60; ++i) numbers += " " + std::to_string(i * i + 1000);
  return numbers;
}

TEST_F(LanguagesTest, LanguageIsAScope) {
  std::string german = kSamples[3].light, english = kSamples[5].light;
  const std::string input =
      Row("de", german + Numbers()) + Row("en", english + Numbers()) +
      Row("de-2", std::string(kSamples[3].bread) + Numbers());
  const auto pairs = [&](const char* within, const char* across) {
    Run(input, [&](DedupOptions* o) {
      o->method.threshold = 0.3;
      o->within = within;
      o->across = across;
    });
    return Pairs();
  };
  using Set = std::set<std::string>;
  EXPECT_EQ(pairs("", ""), (Set{"de en", "de de-2", "en de-2"}));
  EXPECT_EQ(pairs("language", ""), (Set{"de de-2"}));
  EXPECT_EQ(pairs("", "language"), (Set{"de en", "en de-2"}));
}

TEST_F(LanguagesTest, AFieldOfTheRowsCalledLanguageIsReachedByItsPrefix) {
  const auto row = [](const char* id, const char* language) {
    return Json{{"id", id}, {"text", kSamples[3].light}, {"language", language}}
               .dump() +
           "\n";
  };
  const std::string input = row("a", "x") + row("b", "y") + row("c", "x");
  Run(input, [](DedupOptions* o) { o->within = "field:language"; });
  EXPECT_EQ(Pairs(), (std::set<std::string>{"a c"}));
  Run(input, [](DedupOptions* o) { o->within = "language"; });
  EXPECT_EQ(Pairs(), (std::set<std::string>{"a b", "a c", "b c"}));
}

TEST_F(LanguagesTest, ParametersOfTheTextStageStandInTheSummary) {
  Run(Row("a", "b"), [](DedupOptions* o) {
    o->features.content = ContentMode::kAll;
    o->input.languages = {"iw"};
  });
  const Json parameters = Summary()["parameters"];
  EXPECT_EQ(parameters["content"], "all");
  EXPECT_FALSE(parameters.contains("parser"));
  EXPECT_EQ(parameters["language"], Json::array({"he"}));
  EXPECT_EQ(parameters["language_data"], LanguageDataVersion());
  Run(Row("a", "b"));
  EXPECT_EQ(Summary()["parameters"]["content"], "main");
  EXPECT_FALSE(Summary()["parameters"].contains("language_data"));
}

TEST_F(LanguagesTest, UnknownNamesAreUsageErrors) {
  Write(folder_ / "in.jsonl", Row("a", "b"));
  const auto code = [&](const std::function<void(DedupOptions*)>& set) {
    DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "out");
    set(&options);
    const auto result = Dedup(options);
    EXPECT_FALSE(result);
    return result ? ErrorCode::kInternal : result.error().code;
  };
  EXPECT_EQ(code([](DedupOptions* o) { o->input.languages = {"german"}; }),
            ErrorCode::kUsage);
}

}  // namespace
}  // namespace twinset::testing
