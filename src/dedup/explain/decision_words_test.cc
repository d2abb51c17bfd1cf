// What is said of a decision: whole sentences that name both documents.
#include "explain/decision_words.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace twinset {
namespace {

DocumentDecision Decided(Fate fate, std::string other = "",
                         uint64_t cluster = 0, uint64_t pairs = 0) {
  DocumentDecision decision;
  decision.id = "d";
  decision.fate = fate;
  decision.other = std::move(other);
  decision.similarity = 0.9384;
  decision.cluster_size = cluster;
  decision.pairs = pairs;
  return decision;
}

PlanOptions RunBy(const std::string& method = "minhash",
                  Action action = Action::kDrop) {
  PlanOptions run;
  run.method.name = method;
  run.method.threshold = 0.8;
  run.action = action;
  return run;
}

const Json kComplete = {{"expected_recall", {{"complete", true}}}},
           kNoRecall = Json::object();

std::string Said(const DocumentDecision& decision,
                 const DecisionFacts& facts = {},
                 const PlanOptions& run = RunBy(),
                 const Json& summary = kComplete) {
  return SentenceOf(decision, facts, summary, run);
}

TEST(DecisionWords, OfAKeptDocumentWhatItStandsFor) {
  DecisionFacts best;
  best.is_representative = true;
  EXPECT_EQ(Said(Decided(Fate::kKept, "e", 2), best),
            "'d' was kept: it stays for 1 other document, 'e', 0.938 alike.");
  EXPECT_EQ(
      Said(Decided(Fate::kKept, "e", 1500), best),
      "'d' was kept: it stays for 1,499 other documents, the most similar "
      "of which is 'e', 0.938 alike.");
  EXPECT_EQ(Said(Decided(Fate::kKept, "e", 3), {},
                 RunBy("minhash", Action::kAnnotate)),
            "'d' was kept, as --action annotate drops nothing: it is in the "
            "cluster of 'e', 0.938 alike.");
  EXPECT_EQ(Said(Decided(Fate::kKept, "", 1, 1)),
            "'d' was kept: 1 document is at least 0.8 alike to it, and joined "
            "others that they are more like.");
  PlanOptions strict = RunBy();
  strict.max_loss = 0.05;
  EXPECT_EQ(Said(Decided(Fate::kKept, "", 1, 1), {}, strict),
            "'d' was kept: 1 document is at least 0.8 alike to it, and joined "
            "others that they are more like, or --max-loss 0.05 lets neither "
            "go for the other.");
  DecisionFacts empty;
  empty.is_empty = true;
  EXPECT_EQ(Said(Decided(Fate::kKept), empty),
            "'d' was kept: it has no text that could be compared.");
}

// That nothing is alike is said as surely as the method knows it.
TEST(DecisionWords, OfADocumentAloneHowSureThatIs) {
  const DocumentDecision alone = Decided(Fate::kKept);
  const std::string first =
      "'d' was kept: no other document of the run is at least 0.8 alike to it";
  EXPECT_EQ(Said(alone), first + ".");
  EXPECT_EQ(Said(alone, {}, RunBy(), kNoRecall),
            first + " that the method proposed for comparison.");
  EXPECT_EQ(Said(alone, {}, RunBy(),
                 Json{{"expected_recall", {{"at_threshold", 0.991}}}}),
            first +
                " among those that the method compared (it finds about "
                "99.1 % of the pairs at the threshold).");
  EXPECT_EQ(Said(alone, {}, RunBy("exact")),
            "'d' was kept: no other document of the run is equal to it.");
}

TEST(DecisionWords, OfADroppedDocumentWhatStaysForIt) {
  DocumentDecision dropped = Decided(Fate::kDropped, "e", 2);
  const std::string first = "'d' was dropped: it and 'e', which stays, are ";
  EXPECT_EQ(Said(dropped), first + "0.938 alike.");
  dropped.contained = 1;
  EXPECT_EQ(Said(dropped),
            first + "0.938 alike. All of its shingles are in that document.");
  dropped.contained = 0.99999;
  EXPECT_EQ(Said(dropped).find("All"), std::string::npos);
  EXPECT_EQ(Said(dropped).find(" 100 %"), std::string::npos) << Said(dropped);
  dropped.contained.reset();
  for (const auto& [level, words] :
       std::vector<std::pair<std::string, std::string>>{
           {"bytes", "the same bytes"},
           {"text", "the same text"},
           {"tokens", "the same words"}}) {
    DecisionFacts facts;
    facts.level = level;
    EXPECT_EQ(Said(dropped, facts), first + words + ".");
  }
  EXPECT_EQ(Said(dropped, {}, RunBy("minhash", Action::kDropAll)),
            "'d' was dropped: it is in a cluster of 2 documents, and --action "
            "drop-all keeps none that has a copy.");
  dropped.other.clear();
  EXPECT_EQ(Said(dropped), "'d' was dropped.");
}

TEST(DecisionWords, OfAMatchTheSecondSide) {
  DecisionFacts match;
  match.is_match = true;
  EXPECT_EQ(Said(Decided(Fate::kDropped, "e"), match),
            "'d' was dropped: it and 'e' of the second side are 0.938 alike.");
  EXPECT_EQ(
      Said(Decided(Fate::kKept), match),
      "'d' was kept: no document of the second side is at least 0.8 alike "
      "to it.");
  EXPECT_EQ(
      Said(Decided(Fate::kKept, "e"), match, RunBy("minhash", Action::kReport)),
      "'d' was kept, as --action report drops nothing: 'e' of the second "
      "side and it are 0.938 alike.");
  DecisionFacts unmatched = match;
  unmatched.is_unmatched = true;
  PlanOptions strict = RunBy();
  strict.max_loss = 0.05;
  EXPECT_EQ(Said(Decided(Fate::kKept, "e", 0, 1), unmatched, strict),
            "'d' was kept: 1 document of the second side is at least 0.8 alike "
            "to it, but lacks more of its shingles than --max-loss 0.05 "
            "allows.");
  EXPECT_EQ(Said(Decided(Fate::kKept, "e", 0, 2), unmatched, strict),
            "'d' was kept: 2 documents of the second side are at least 0.8 "
            "alike to it, but each lacks more of its shingles than --max-loss "
            "0.05 allows.");
  EXPECT_EQ(
      Said(Decided(Fate::kCompared, "", 0, 2), match),
      "'d' is of the second side, of which nothing is dropped: 2 documents "
      "of the first are at least 0.8 alike to it.");
  EXPECT_EQ(
      Said(Decided(Fate::kCompared, "", 0, 1), match),
      "'d' is of the second side, of which nothing is dropped: 1 document "
      "of the first is at least 0.8 alike to it.");
}

TEST(DecisionWords, OfWhatIsNoDocumentWhy) {
  DecisionFacts facts;
  facts.reason = "no-text-field";
  EXPECT_EQ(Said(Decided(Fate::kQuarantined), facts),
            "'d' could not be used: no-text-field.");
  facts.detail = "no field \"text\"";
  EXPECT_EQ(Said(Decided(Fate::kQuarantined), facts),
            "'d' could not be used: no-text-field, no field \"text\".");
  EXPECT_NE(Said(Decided(Fate::kRevisit)).find("'d' is a revisit record"),
            std::string::npos);
}

// Whatever the run was, its rule is told in whole sentences of which each is
// told once.
TEST(DecisionWords, TheRuleOfARunIsToldInSentences) {
  std::set<std::string> rules;
  for (const char* method : {"minhash", "exact"}) {
    for (const auto& action : kChoices<Action>) {
      for (const ClusterRule rule :
           {ClusterRule::kStar, ClusterRule::kComponents}) {
        for (const bool verify : {false, true}) {
          for (const int kind : {0, 1, 2, 3}) {
            const bool is_match = kind % 2 == 1, is_strict = kind > 1;
            PlanOptions run = RunBy(method, action.value);
            run.max_loss = is_strict ? 0.05 : 1;
            run.cluster = rule;
            run.method.verify = verify;
            run.keep = {"newest", "longest"};
            run.prefer = {"a"};
            const Json summary = {
                {"documents", is_match ? Json{{"a", 1}} : Json::object()}};
            const std::string text = RuleOfRun(summary, run);
            SCOPED_TRACE(text);
            EXPECT_EQ(text.find("Two documents are a pair when they "), 0u);
            EXPECT_EQ(text.back(), '.');
            EXPECT_EQ(text.find("  "), text.npos);
            const bool drops = action.value == Action::kDrop ||
                               (action.value == Action::kDropAll && !is_match);
            EXPECT_EQ(text.find("Nothing is dropped.") == text.npos, drops);
            EXPECT_EQ(text.find("estimates") == text.npos, verify);
            const bool decides = is_match ? drops : rule == ClusterRule::kStar;
            EXPECT_EQ(
                text.find("shingles than --max-loss 0.05 allows") != text.npos,
                is_strict && decides);
            EXPECT_EQ(text.find("--prefer a and then --keep newest, longest") ==
                          text.npos,
                      is_match);
            rules.insert(text);
          }
        }
      }
    }
  }
  EXPECT_GT(rules.size(), 30u);
}

TEST(DecisionWords, TextsThatAreNotThereSayWhatHelps) {
  EXPECT_EQ(NoTexts({}),
            "The inputs do not hold both documents any more. --in INPUT says "
            "where they are now.");
  EXPECT_EQ(NoTexts({ErrorCode::kIo, "cannot open", "in.jsonl", ""}),
            "The inputs could not be read again: in.jsonl: cannot open. --in "
            "INPUT says where they are now.");
  EXPECT_EQ(NoTexts({ErrorCode::kUsage, "is not asked", "s3://a/b", "name it"}),
            "The inputs could not be read again: s3://a/b: is not asked (name "
            "it).");
  EXPECT_NE(PartCompared(0.12345).find("as a whole they are 0.123 alike."),
            std::string::npos);
}

}  // namespace
}  // namespace twinset
