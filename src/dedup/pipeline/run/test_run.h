// For tests only: a run whose stages are called one by one, over work files
// that the test writes.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_TEST_RUN_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_TEST_RUN_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/test_dir.h"
#include "pipeline/run/run.h"

namespace twinset {

class TestRun {
 public:
  // A run of `documents` documents with the options and the plan as these
  // functions leave them.
  explicit TestRun(uint64_t documents,
                   const std::function<void(PlanOptions*)>& change = {},
                   const std::function<void(Plan*)>& change_plan = {})
      : run_(PlanIn(dir_, change, change_plan), JournalIn(dir_)) {
    run_.counts.read.documents = documents;
    auto parts =
        run_.plan.features.method->make(run_.plan.options.method, nullptr);
    EXPECT_TRUE(parts);
    run_.parts = std::move(*parts);
  }

  Run* get() { return &run_; }
  // The next files that are written are those of so many documents.
  void BeginAgain(uint64_t documents) {
    run_.counts.read.documents = documents;
  }
  const std::string& out() const { return run_.plan.options.out; }

  template <typename T>
  void WriteRecords(const std::string& name, const std::vector<T>& records) {
    auto writer = CreateRun<T>(run_, name);
    ASSERT_TRUE(writer);
    for (const T& record : records) ASSERT_TRUE(writer->Append(record));
    ASSERT_TRUE(writer->Finish());
  }
  template <typename T>
  std::vector<T> ReadRecords(const std::string& name) {
    std::vector<T> records;
    EXPECT_TRUE(ForEachRecord<T>(run_, name, [&](const T& record) -> Status {
      records.push_back(record);
      return {};
    }));
    return records;
  }
  void WriteBlobs(const std::string& name,
                  const std::vector<std::string>& blobs) {
    auto writer = CreateBlob(run_, name);
    ASSERT_TRUE(writer);
    for (const std::string& blob : blobs) ASSERT_TRUE(writer->Append(blob));
    ASSERT_TRUE(writer->Finish());
  }
  std::vector<std::string> ReadBlobs(const std::string& name) {
    std::vector<std::string> blobs;
    auto reader = OpenBlob(run_, name);
    EXPECT_TRUE(reader);
    std::string_view blob;
    while (reader && *reader->Next(&blob)) blobs.emplace_back(blob);
    return blobs;
  }
  void WriteInfos(const std::vector<DocumentInfo>& infos) {
    std::vector<std::string> blobs(infos.size());
    for (size_t i = 0; i < infos.size(); ++i)
      EncodeDocumentInfo(infos[i], &blobs[i]);
    WriteBlobs("documents.blob", blobs);
  }

 private:
  static Plan PlanIn(const TestDir& dir,
                     const std::function<void(PlanOptions*)>& change,
                     const std::function<void(Plan*)>& change_plan) {
    EXPECT_TRUE(WriteWholeFile(dir / "in.jsonl", ""));
    std::filesystem::create_directories(dir / "out");
    PlanOptions options;
    options.input.inputs = {dir / "in.jsonl"};
    options.out = dir / "out";
    options.resources.threads = 2;
    options.resources.memory_bytes = 64 << 20;
    options.input.max_document_bytes = 1 << 20;
    if (change) change(&options);
    auto plan = MakePlan(options);
    EXPECT_TRUE(plan) << plan.error().ToString();
    plan->machine.work = dir / "work";
    if (change_plan) change_plan(&*plan);
    return std::move(*plan);
  }
  static Journal JournalIn(const TestDir& dir) {
    std::filesystem::create_directories(dir / "work");
    auto journal = Journal::Create(dir / "work", "{}");
    EXPECT_TRUE(journal);
    return std::move(*journal);
  }

  TestDir dir_;
  Run run_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_TEST_RUN_H_
