#include "base/memory_budget.h"

#include <algorithm>

namespace twinset {

uint64_t MemoryBudget::used_bytes() const {
  std::lock_guard lock(mutex_);
  return used_bytes_;
}

uint64_t MemoryBudget::peak_bytes() const {
  std::lock_guard lock(mutex_);
  return peak_bytes_;
}

uint64_t MemoryBudget::available_bytes() const {
  std::lock_guard lock(mutex_);
  return limit_bytes_ - std::min(limit_bytes_, used_bytes_);
}

void MemoryBudget::Take(uint64_t bytes) {
  used_bytes_ += bytes;
  peak_bytes_ = std::max(peak_bytes_, used_bytes_);
}

Reservation MemoryBudget::TryReserve(uint64_t bytes) {
  std::lock_guard lock(mutex_);
  if (bytes > limit_bytes_ - std::min(limit_bytes_, used_bytes_)) return {};
  Take(bytes);
  return Reservation(this, bytes, false);
}

Reservation MemoryBudget::ReserveUpTo(uint64_t bytes, uint64_t minimum_bytes) {
  std::lock_guard lock(mutex_);
  const uint64_t free_bytes =
      limit_bytes_ - std::min(limit_bytes_, used_bytes_);
  const uint64_t taken = std::max(minimum_bytes, std::min(bytes, free_bytes));
  Take(taken);
  return Reservation(this, taken, false);
}

Reservation MemoryBudget::Wait(uint64_t bytes) {
  std::unique_lock lock(mutex_);
  released_.wait(lock, [&] {
    return waited_bytes_ == 0 || used_bytes_ + bytes <= limit_bytes_;
  });
  waited_bytes_ += bytes;
  Take(bytes);
  return Reservation(this, bytes, true);
}

void MemoryBudget::Grow(uint64_t held_bytes, uint64_t more_bytes) {
  std::unique_lock lock(mutex_);
  released_.wait(lock, [&] {
    return waited_bytes_ == held_bytes ||
           used_bytes_ + more_bytes <= limit_bytes_;
  });
  waited_bytes_ += more_bytes;
  Take(more_bytes);
}

void MemoryBudget::Release(uint64_t bytes, bool waited) {
  {
    std::lock_guard lock(mutex_);
    used_bytes_ -= bytes;
    if (waited) waited_bytes_ -= bytes;
  }
  released_.notify_all();
}

void Reservation::Reset() {
  if (budget_ != nullptr) budget_->Release(bytes_, waited_);
  budget_ = nullptr;
  bytes_ = 0;
}

void Reservation::Resize(uint64_t bytes) {
  if (bytes > bytes_) budget_->Grow(bytes_, bytes - bytes_);
  if (bytes < bytes_) budget_->Release(bytes_ - bytes, waited_);
  bytes_ = bytes;
}

}  // namespace twinset
