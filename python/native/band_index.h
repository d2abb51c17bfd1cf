// The index behind twinset.compat.datasketch.MinHashLSH: keys of Python, found
// by the bands of their sketches.
#ifndef TWINSET_PYTHON_NATIVE_BAND_INDEX_H_
#define TWINSET_PYTHON_NATIVE_BAND_INDEX_H_

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/keyed_hash.h"
#include "row_slots.h"

namespace twinset::python {

// A row is one sketch that was inserted: its key, its bands' bytes, and for
// each band its place in the list of rows that have the same bytes there (its
// bucket). A key has several rows when it was inserted again without a check;
// the oldest is its first. A bucket holds a key once. Removing a key removes
// its first row from the buckets, with whatever row of the key is there for it,
// and the key; what other rows of it have in other buckets stays, as it does in
// datasketch.
//
// Needs the GIL. Comparing keys may run code of Python: what would change the
// index meanwhile throws RuntimeError.
class BandIndex {
 public:
  explicit BandIndex(uint32_t bands);
  ~BandIndex();
  BandIndex(const BandIndex&) = delete;
  BandIndex& operator=(const BandIndex&) = delete;

  // `values` is an array; a band is `width` elements of it, whose bytes are
  // stored in big-endian order. Throws ValueError for a key that is there, if
  // `check`, and for bands of another length than those in the index.
  void Insert(nanobind::handle key, nanobind::handle values, size_t width,
              bool check);
  void Remove(nanobind::handle key);  // throws ValueError if it is not there
  // All keys of the other index, in its order. Of a key with several rows only
  // the first goes to the buckets.
  void Merge(BandIndex* other);

  bool Contains(nanobind::handle key);
  // The keys in the buckets of the first `bands` bands, each once.
  nanobind::list Query(nanobind::handle values, size_t width, uint32_t bands);

  size_t key_count() const { return key_count_; }
  nanobind::list Keys() const;  // in the order of their first rows
  // The bands of all rows of a key, one row after the other.
  nanobind::list BandsOf(nanobind::handle key);
  size_t BucketCount(uint32_t band) const { return At(band).size(); }
  nanobind::list Buckets(uint32_t band) const;  // their bytes
  nanobind::list BucketKeys(uint32_t band, const nanobind::bytes& bytes) const;
  nanobind::dict BucketSizes(uint32_t band) const;

  // (keys, bytes, marks) of all rows; marks of a row are one byte that is 1
  // when it stands for its key, then one for each band, 1 when it is in its
  // bucket there. Restore adds them to an empty index.
  nanobind::tuple State() const;
  void Restore(const nanobind::list& keys, const nanobind::bytes& rows,
               const nanobind::bytes& marks);

 private:
  static constexpr uint32_t kNone = RowSlots::kNone;
  struct Row {
    PyObject* key;  // owned; null: the row is free
    uint32_t key_hash;
    uint32_t next_of_key;
    uint32_t last_of_key;  // where this is the oldest; else kNone
    // What stands for the key; the first of those; in how many buckets.
    uint32_t is_of_key : 1, is_first : 1, buckets : 30;
    uint32_t asked;  // the last query that found it
  };
  struct Links {
    uint32_t next, previous;  // kInNoBucket, or rows
  };
  static constexpr uint32_t kInNoBucket = kNone - 1;

  // As long as keys are compared.
  class Busy {
   public:
    explicit Busy(bool* is_busy)
        : is_busy_(is_busy), was_busy_(std::exchange(*is_busy, true)) {}
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;
    ~Busy() { *is_busy_ = was_busy_; }

   private:
    bool* const is_busy_;
    const bool was_busy_;
  };
  static uint32_t KeyHash(nanobind::handle key);

  // A row in memory: Row, Links of each band, the bytes of the bands.
  Row* RowAt(uint32_t row) const;
  Links* LinksAt(uint32_t row) const;
  std::string_view BandAt(uint32_t row, uint32_t band) const;
  std::string_view BytesAt(uint32_t row) const;
  bool IsLinked(uint32_t row, uint32_t band) const;
  const RowSlots& At(uint32_t band) const;

  std::string Encoded(nanobind::handle values, size_t width) const;
  uint32_t BandHash(std::string_view bytes) const;
  size_t FindBucket(uint32_t band, std::string_view bytes) const;
  // The slot of a key's oldest row, which may not stand for it any more.
  size_t FindKey(nanobind::handle key, uint32_t hash);
  uint32_t FirstRow(size_t key_slot) const;  // kNone: no such key
  void CheckIdle() const;
  void CheckWidth(size_t row_bytes);

  // A row in no bucket, behind the others of its key.
  uint32_t AddRow(nanobind::handle key, uint32_t hash, size_t key_slot,
                  std::string_view bytes, bool is_of_key);
  bool HasKey(uint32_t bucket_row, uint32_t band, uint32_t row) const;
  void Link(uint32_t row, uint32_t band);
  void Unlink(uint32_t row, uint32_t band);
  // Frees the rows of a key that are in no bucket.
  void FreeUnused(size_t key_slot, std::vector<nanobind::object>* released);
  void Compact();
  void Clear();

  const uint32_t bands_;
  const HashKey hash_key_;
  size_t band_bytes_ = 0;  // 0: no row was ever there
  size_t row_stride_ = 0;
  int page_shift_ = 0;
  uint32_t rows_ = 0;  // free ones counted
  uint32_t free_rows_ = 0;
  size_t key_count_ = 0;
  uint32_t query_ = 0;
  bool is_busy_ = false;
  std::vector<std::unique_ptr<char[]>> pages_;
  RowSlots keys_;
  std::vector<RowSlots> buckets_;
};

void BindBandIndex(nanobind::module_& module);

}  // namespace twinset::python

#endif  // TWINSET_PYTHON_NATIVE_BAND_INDEX_H_
