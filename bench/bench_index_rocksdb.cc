// The same documents as of bench_index in RocksDB, which is built where it is
// installed (librocksdb-dev): a record for each text, and one for each of its
// keys, found by their prefix. It decides as an index does: keys are looked
// for, and texts that share one are compared exactly. Durable in batches of
// 1,000; look-ups by one thread. Every answer is checked. RocksDB merges
// as it goes; in the end all is merged, which is told apart.
//
//   build/bench/bench_index_rocksdb [DOCUMENTS [FOLDER]]
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>
#include <zstd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "index_documents.h"
#include "live/index_features.h"
#include "segments/index_record.h"

namespace {

using namespace index_bench;  // NOLINT: of one file
using twinset::Document;
using twinset::IndexedText;
using twinset::IndexFeatures;

constexpr size_t kBatch = 1000;
constexpr int kThreads = 2;

void Check(const rocksdb::Status& status) {
  if (!status.ok()) Fail(status.ToString());
}

std::string BigEndian(uint64_t number) {
  std::string bytes(8, '\0');
  for (int i = 7; i >= 0; --i, number >>= 8)
    bytes[static_cast<size_t>(i)] = static_cast<char>(number & 255);
  return bytes;
}

class Store {
 public:
  Store(const std::string& folder, const IndexFeatures& features)
      : features_(features) {
    rocksdb::Options options;
    options.create_if_missing = true;
    options.IncreaseParallelism(kThreads);
    options.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(9));
    options.memtable_prefix_bloom_size_ratio = .1;
    rocksdb::BlockBasedTableOptions table;
    table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
    table.block_cache = rocksdb::NewLRUCache(256 << 20);
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    rocksdb::DB* db = nullptr;
    Check(rocksdb::DB::Open(options, folder, &db));
    db_.reset(db);
  }

  // Returns how many stored documents are similar.
  size_t Find(const IndexedText& text) const {
    rocksdb::ReadOptions reading;
    reading.prefix_same_as_start = true;
    const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator(reading));
    std::set<std::string> documents;
    for (const uint64_t key : text.keys) {
      const std::string prefix = "p" + BigEndian(key);
      for (at->Seek(prefix); at->Valid(); at->Next())
        documents.insert(at->key().ToString().substr(prefix.size()));
      Check(at->status());
    }
    size_t similar = 0;
    std::string packed, features;
    for (const std::string& number : documents) {
      Check(db_->Get({}, "d" + number, &packed));
      const uint64_t bytes =
          ZSTD_getFrameContentSize(packed.data(), packed.size());
      const std::string other = Must(twinset::UnpackText(packed, bytes));
      similar += Must(features_.Compare(text, other, &features)).accepted;
    }
    return similar;
  }

  void Add(uint64_t number, const IndexedText& text,
           const std::string& packed) {
    rocksdb::WriteBatch batch;
    const std::string name = BigEndian(number);
    Check(batch.Put("d" + name, packed));
    for (const uint64_t key : text.keys)
      Check(batch.Put("p" + BigEndian(key) + name, {}));
    Check(db_->Write({}, &batch));
  }
  void Sync() { Check(db_->FlushWAL(true)); }
  // Merges all that there is.
  void Settle() {
    Check(db_->Flush({}));
    Check(db_->CompactRange({}, nullptr, nullptr));
  }

 private:
  const IndexFeatures& features_;
  std::unique_ptr<rocksdb::DB> db_;
};

void Ask(const char* what, const Store& store, const IndexFeatures& features,
         uint64_t documents, uint64_t (*number)(uint64_t, uint64_t),
         size_t wanted) {
  std::vector<double> seconds;
  double all = 0;
  for (uint64_t i = 0; i < kQuestions; ++i) {
    Document document;
    document.payload = TextOf(number(i, documents));
    const double begin = Now();
    if (store.Find(features.Take(&document)) != wanted) Fail("a wrong answer");
    seconds.push_back(Now() - begin);
    all += seconds.back();
  }
  RateRow(what, std::move(seconds), all);
}

}  // namespace

int main(int argc, char** argv) {
  const auto [documents, folder] =
      AskedFor(argc, argv, "twinset-bench-rocksdb");
  const auto features = Must(IndexFeatures::Make({}, twinset::HashKey{1, 2}));
  Store store(folder, features);
  double seconds = 0;
  for (uint64_t first = 0; first < documents; first += kBatch) {
    std::vector<Document> batch(kBatch);
    for (uint64_t i = 0; i < kBatch; ++i) batch[i].payload = TextOf(first + i);
    const double begin = Now();
    std::vector<IndexedText> texts(kBatch);
    std::vector<std::string> packed(kBatch);
    twinset::ParallelFor(kBatch, 8, kThreads, [&](size_t from, size_t end) {
      for (size_t i = from; i < end; ++i) {
        texts[i] = features.Take(&batch[i]);
        packed[i] = twinset::PackText(texts[i].text);
      }
    });
    for (uint64_t i = 0; i < kBatch; ++i) {
      if (store.Find(texts[i]) != ((first + i) % 4 == 3 ? 1 : 0))
        Fail("a wrong decision");
      store.Add(first + i, texts[i], packed[i]);
    }
    store.Sync();
    seconds += Now() - begin;
  }
  Row("check-and-add, durable, in batches of 1,000",
      static_cast<double>(documents) / seconds, "a second");
  const double begin = Now();
  store.Settle();
  Row("and then to merge all", Now() - begin, "s");
  Ask("look-ups that find two", store, features, documents, Found, 2);
  Ask("look-ups that find nothing", store, features, documents, NotFound, 0);
  uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    bytes += entry.file_size();
  Row("all files", static_cast<double>(bytes) / static_cast<double>(documents),
      "bytes a document");
  std::filesystem::remove_all(folder);
  return 0;
}
