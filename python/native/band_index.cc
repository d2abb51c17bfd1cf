#include "band_index.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/hash.h"
#include "buffer_view.h"
#include "served_call.h"

namespace nb = nanobind;

namespace twinset::python {
namespace {

constexpr size_t kPageBytes = 1 << 16;

template <typename T>
T Swapped(T value) {
  if constexpr (sizeof(T) == 2) return __builtin_bswap16(value);
  if constexpr (sizeof(T) == 4) return __builtin_bswap32(value);
  if constexpr (sizeof(T) == 8) return __builtin_bswap64(value);
}

template <typename T>
void SwapEach(std::string* bytes) {
  for (size_t i = 0; i + sizeof(T) <= bytes->size(); i += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes->data() + i, sizeof value);
    value = Swapped(value);
    std::memcpy(bytes->data() + i, &value, sizeof value);
  }
}

}  // namespace

BandIndex::BandIndex(uint32_t bands)
    : bands_(bands), hash_key_(Take(DrawHashKey())), buckets_(bands) {}

BandIndex::~BandIndex() { Clear(); }

uint32_t BandIndex::KeyHash(nb::handle key) {
  const Py_hash_t hash = PyObject_Hash(key.ptr());
  if (hash == -1) throw nb::python_error();
  return static_cast<uint32_t>(Mix64(static_cast<uint64_t>(hash)));
}

BandIndex::Row* BandIndex::RowAt(uint32_t row) const {
  const size_t in_page = row & ((size_t{1} << page_shift_) - 1);
  return reinterpret_cast<Row*>(pages_[row >> page_shift_].get() +
                                in_page * row_stride_);
}

BandIndex::Links* BandIndex::LinksAt(uint32_t row) const {
  return reinterpret_cast<Links*>(RowAt(row) + 1);
}

std::string_view BandIndex::BytesAt(uint32_t row) const {
  return {reinterpret_cast<const char*>(LinksAt(row) + bands_),
          bands_ * band_bytes_};
}

std::string_view BandIndex::BandAt(uint32_t row, uint32_t band) const {
  return BytesAt(row).substr(band * band_bytes_, band_bytes_);
}

bool BandIndex::IsLinked(uint32_t row, uint32_t band) const {
  return LinksAt(row)[band].next != kInNoBucket;
}

const RowSlots& BandIndex::At(uint32_t band) const {
  if (band >= bands_) throw nb::index_error("there is no such band");
  return buckets_[band];
}

std::string BandIndex::Encoded(nb::handle values, size_t width) const {
  const BufferView view(values, PyBUF_C_CONTIGUOUS);
  const size_t row_bytes = view.row_bytes();
  if (row_bytes == 0 || width == 0 || width > view.size() / row_bytes / bands_)
    throw nb::value_error("there are fewer values than the bands have");
  std::string bytes(view.bytes().substr(0, bands_ * width * row_bytes));
  switch (view.item_bytes()) {
    case 2:
      SwapEach<uint16_t>(&bytes);
      break;
    case 4:
      SwapEach<uint32_t>(&bytes);
      break;
    case 8:
      SwapEach<uint64_t>(&bytes);
      break;
  }
  return bytes;
}

uint32_t BandIndex::BandHash(std::string_view bytes) const {
  return static_cast<uint32_t>(SipHash13(hash_key_, bytes));
}

size_t BandIndex::FindBucket(uint32_t band, std::string_view bytes) const {
  return At(band).Find(BandHash(bytes), [&](uint32_t row) {
    return BandAt(row, band) == bytes;
  });
}

size_t BandIndex::FindKey(nb::handle key, uint32_t hash) {
  const Busy busy(&is_busy_);
  return keys_.Find(hash, [&](uint32_t row) {
    const nb::object other = nb::borrow(RowAt(row)->key);
    const int is_equal =
        PyObject_RichCompareBool(other.ptr(), key.ptr(), Py_EQ);
    if (is_equal < 0) throw nb::python_error();
    return is_equal == 1;
  });
}

uint32_t BandIndex::FirstRow(size_t key_slot) const {
  if (key_slot == RowSlots::kNowhere) return kNone;
  uint32_t row = keys_.row(key_slot);
  while (row != kNone && !RowAt(row)->is_first) row = RowAt(row)->next_of_key;
  return row;
}

void BandIndex::CheckIdle() const {
  if (is_busy_)
    PyErr_SetString(PyExc_RuntimeError,
                    "the index is changed while it compares keys");
  if (is_busy_) throw nb::python_error();
}

void BandIndex::CheckWidth(size_t row_bytes) {
  if (band_bytes_ * bands_ == row_bytes) return;
  if (rows_ != free_rows_)
    throw nb::value_error(
        "the bands have another length in bytes than those in the index");
  Clear();
  band_bytes_ = row_bytes / bands_;
  row_stride_ = sizeof(Row) + bands_ * sizeof(Links) + row_bytes;
  row_stride_ = (row_stride_ + alignof(Row) - 1) / alignof(Row) * alignof(Row);
  page_shift_ =
      std::bit_width(std::max<size_t>(kPageBytes / row_stride_, 1)) - 1;
}

uint32_t BandIndex::AddRow(nb::handle key, uint32_t hash, size_t key_slot,
                           std::string_view bytes, bool is_of_key) {
  if (rows_ == kInNoBucket)
    throw nb::value_error("the index is full: it has 2^32 - 2 rows");
  if (rows_ >> page_shift_ == pages_.size())
    pages_.emplace_back(new char[row_stride_ << page_shift_]);
  const uint32_t row = rows_++;
  const bool is_new = key_slot == RowSlots::kNowhere;
  const uint32_t oldest = is_new ? row : keys_.row(key_slot);
  const bool is_first = is_of_key && FirstRow(key_slot) == kNone;
  // All rows of a key have the object of the oldest one.
  PyObject* const object = is_new ? key.ptr() : RowAt(oldest)->key;
  Py_IncRef(object);
  *RowAt(row) = {object,    hash,     kNone, is_new ? row : kNone,
                 is_of_key, is_first, 0,     0};
  std::fill_n(LinksAt(row), bands_, Links{kInNoBucket, kInNoBucket});
  std::memcpy(LinksAt(row) + bands_, bytes.data(), bytes.size());
  if (is_new) {
    keys_.Insert(hash, row);
  } else {
    RowAt(RowAt(oldest)->last_of_key)->next_of_key = row;
    RowAt(oldest)->last_of_key = row;
  }
  key_count_ += is_first;
  return row;
}

// Goes along the bucket and along the key's rows at once: one of them is short.
bool BandIndex::HasKey(uint32_t bucket_row, uint32_t band, uint32_t row) const {
  const Row& asked = *RowAt(row);
  const size_t slot = keys_.Find(asked.key_hash, [&](uint32_t other) {
    return RowAt(other)->key == asked.key;
  });
  const std::string_view bytes = BandAt(row, band);
  for (uint32_t a = bucket_row, b = keys_.row(slot); a != kNone && b != kNone;
       a = LinksAt(a)[band].next, b = RowAt(b)->next_of_key) {
    if (RowAt(a)->key == asked.key) return true;
    if (IsLinked(b, band) && BandAt(b, band) == bytes) return true;
  }
  return false;
}

void BandIndex::Link(uint32_t row, uint32_t band) {
  const std::string_view bytes = BandAt(row, band);
  const uint32_t hash = BandHash(bytes);
  RowSlots& slots = buckets_[band];
  const size_t slot = slots.Find(
      hash, [&](uint32_t other) { return BandAt(other, band) == bytes; });
  uint32_t next = kNone;
  if (slot == RowSlots::kNowhere) {
    slots.Insert(hash, row);
  } else {
    next = slots.row(slot);
    const bool is_only = RowAt(row)->last_of_key == row;
    if (!is_only && HasKey(next, band, row)) return;
    slots.Replace(slot, row);
    LinksAt(next)[band].previous = row;
  }
  LinksAt(row)[band] = {next, kNone};
  ++RowAt(row)->buckets;
}

void BandIndex::Unlink(uint32_t row, uint32_t band) {
  const Links links = LinksAt(row)[band];
  if (links.next != kNone) LinksAt(links.next)[band].previous = links.previous;
  if (links.previous != kNone) {
    LinksAt(links.previous)[band].next = links.next;
  } else {
    const size_t slot = FindBucket(band, BandAt(row, band));
    if (links.next != kNone)
      buckets_[band].Replace(slot, links.next);
    else
      buckets_[band].Erase(slot);
  }
  LinksAt(row)[band] = {kInNoBucket, kInNoBucket};
  --RowAt(row)->buckets;
}

void BandIndex::FreeUnused(size_t key_slot, std::vector<nb::object>* released) {
  uint32_t oldest = kNone, last = kNone;
  for (uint32_t row = keys_.row(key_slot), next; row != kNone; row = next) {
    Row* const here = RowAt(row);
    next = std::exchange(here->next_of_key, kNone);
    if (here->buckets == 0) {
      released->push_back(nb::steal(std::exchange(here->key, nullptr)));
      ++free_rows_;
      continue;
    }
    if (oldest == kNone)
      oldest = row;
    else
      RowAt(last)->next_of_key = row;
    last = row;
  }
  if (oldest == kNone) return keys_.Erase(key_slot);
  RowAt(oldest)->last_of_key = last;
  keys_.Replace(key_slot, oldest);
}

// Rows move to the places of free ones before them; their order stays.
void BandIndex::Compact() {
  std::vector<uint32_t> renamed(rows_, kNone);
  uint32_t count = 0;
  for (uint32_t row = 0; row < rows_; ++row) {
    if (RowAt(row)->key == nullptr) continue;
    if (count != row) std::memcpy(RowAt(count), RowAt(row), row_stride_);
    renamed[row] = count++;
  }
  const auto rename = [&](uint32_t* row) {
    if (*row < kInNoBucket) *row = renamed[*row];
  };
  for (uint32_t row = 0; row < count; ++row) {
    rename(&RowAt(row)->next_of_key);
    rename(&RowAt(row)->last_of_key);
    for (uint32_t band = 0; band < bands_; ++band) {
      rename(&LinksAt(row)[band].next);
      rename(&LinksAt(row)[band].previous);
    }
  }
  const auto rename_slots = [&](RowSlots* slots) {
    for (size_t i = 0; i < slots->slots(); ++i)
      if (slots->row(i) != kNone) slots->Replace(i, renamed[slots->row(i)]);
  };
  rename_slots(&keys_);
  for (RowSlots& slots : buckets_) rename_slots(&slots);
  rows_ = count;
  free_rows_ = 0;
  pages_.resize((rows_ + (size_t{1} << page_shift_) - 1) >> page_shift_);
}

void BandIndex::Clear() {
  std::vector<nb::object> released;
  for (uint32_t row = 0; row < rows_; ++row)
    if (PyObject* const key = RowAt(row)->key)
      released.push_back(nb::steal(key));
  rows_ = free_rows_ = 0;
  key_count_ = 0;
  pages_.clear();
  keys_ = {};
  buckets_.assign(bands_, {});
  band_bytes_ = 0;
}

}  // namespace twinset::python
