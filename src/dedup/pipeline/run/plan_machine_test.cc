#include "pipeline/run/plan_machine.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/test_dir.h"

namespace twinset {
namespace {

PlanOptions Options() {
  PlanOptions options;
  options.out = "out";
  options.resources.memory_bytes = 256 << 20;
  return options;
}

TEST(PlanMachine, WorkFilesStandInTheResultFolderOrInTmp) {
  const TestDir folder;
  PlanOptions options = Options();
  const auto beside = MakeMachine(options);
  ASSERT_TRUE(beside);
  EXPECT_EQ(beside->WorkPath("a.run"), "out/.work/a.run");
  options.resources.tmp = folder.path();
  const auto in_tmp = MakeMachine(options);
  ASSERT_TRUE(in_tmp);
  EXPECT_TRUE(std::filesystem::path(in_tmp->work).parent_path() ==
              std::filesystem::canonical(folder.path()))
      << in_tmp->work;
  // Runs into two folders do not share one.
  options.out = "other";
  EXPECT_NE(MakeMachine(options)->work, in_tmp->work);
}

TEST(PlanMachine, ThreadsFitTheMemory) {
  PlanOptions options = Options();
  options.resources.threads = 3;
  EXPECT_EQ(MakeMachine(options)->threads, 3);
  options.resources.threads = 0;
  EXPECT_GE(MakeMachine(options)->threads, 1);
}

TEST(PlanMachine, AMemoryThatHoldsNoDocumentIsRefused) {
  PlanOptions options = Options();
  options.input.max_document_bytes = 1 << 30;
  const auto made = MakeMachine(options);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kUsage);
  EXPECT_NE(made.error().ToString().find(
                "--memory is too small for --max-document 1073741824"),
            std::string::npos);
}

TEST(PlanMachine, ATargetOfKernelsIsHeldWhileThePlanLives) {
  PlanOptions options = Options();
  options.resources.simd = "no-such-target";
  const auto unknown = MakeMachine(options);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace twinset
