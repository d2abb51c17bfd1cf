// The memory promise: every buffer above 64 KB is paid for here before it is
// allocated.
// See docs/methods/external-memory.md.
#ifndef TWINSET_SRC_GROUND_BASE_MEMORY_BUDGET_H_
#define TWINSET_SRC_GROUND_BASE_MEMORY_BUDGET_H_

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

namespace twinset {

class Reservation;

// A number of bytes that reservations draw from. Thread-safe. It must outlive
// its reservations.
class MemoryBudget {
 public:
  explicit MemoryBudget(uint64_t limit_bytes) : limit_bytes_(limit_bytes) {}
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  uint64_t limit_bytes() const { return limit_bytes_; }
  uint64_t used_bytes() const;
  uint64_t peak_bytes() const;
  uint64_t available_bytes() const;

  // Takes `bytes` now, or an empty reservation (ok() false) if they do not fit.
  Reservation TryReserve(uint64_t bytes);
  // Takes up to `bytes`, at least `minimum_bytes` (which may then exceed the
  // limit: the caller cannot work with less). For buffers that work at any
  // size.
  Reservation ReserveUpTo(uint64_t bytes, uint64_t minimum_bytes);
  // Waits until `bytes` fit beside what others hold. A request that could never
  // fit is granted as soon as nobody else who came through Wait holds anything.
  // Callers must not hold a Wait reservation while asking for another.
  Reservation Wait(uint64_t bytes);

 private:
  friend class Reservation;
  void Release(uint64_t bytes, bool waited);
  void Grow(uint64_t held_bytes, uint64_t more_bytes);
  void Take(uint64_t bytes);

  const uint64_t limit_bytes_;
  mutable std::mutex mutex_;
  std::condition_variable released_;
  uint64_t used_bytes_ = 0;  // guarded by mutex_
  uint64_t peak_bytes_ = 0;  // guarded by mutex_
  uint64_t waited_bytes_ =
      0;  // guarded by mutex_: part of used_bytes_ taken through Wait
};

// Bytes held from a budget until destruction. Movable; not thread-safe itself.
class Reservation {
 public:
  Reservation() = default;
  Reservation(Reservation&& other) noexcept
      : budget_(std::exchange(other.budget_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)),
        waited_(other.waited_) {}
  Reservation& operator=(Reservation&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(bytes_, other.bytes_);
    std::swap(waited_, other.waited_);
    return *this;
  }
  ~Reservation() { Reset(); }

  bool ok() const { return budget_ != nullptr; }
  uint64_t bytes() const { return bytes_; }
  void Reset();
  // Makes a reservation of Wait as large as what it is for turned out to be.
  // What it lacks is waited for as by Wait; only one thread at a time may ask
  // for more, and others must go on releasing meanwhile.
  void Resize(uint64_t bytes);

 private:
  friend class MemoryBudget;
  Reservation(MemoryBudget* budget, uint64_t bytes, bool waited)
      : budget_(budget), bytes_(bytes), waited_(waited) {}
  MemoryBudget* budget_ = nullptr;
  uint64_t bytes_ = 0;
  bool waited_ = false;
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_MEMORY_BUDGET_H_
