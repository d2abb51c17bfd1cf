// How much is done at the same time: requests at work, and the bytes of bodies
// that are held.
#ifndef TWINSET_APPS_SERVER_GATE_H_
#define TWINSET_APPS_SERVER_GATE_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

namespace twinset::server {

class Gate {
 public:
  // So many go through at a time, so many wait.
  Gate(uint64_t at_work, uint64_t waiting)
      : most_at_work_(at_work), most_waiting_(waiting) {}

  // A place among those at work, given back by its destructor.
  class Place {
   public:
    Place() = default;
    explicit Place(Gate* gate) : gate_(gate) {}
    Place(Place&& other) noexcept
        : gate_(std::exchange(other.gate_, nullptr)) {}
    Place& operator=(Place&&) = delete;
    ~Place() {
      if (gate_ != nullptr) gate_->Leave();
    }
    explicit operator bool() const { return gate_ != nullptr; }

   private:
    Gate* gate_ = nullptr;
  };

  // Waits for a place, in any order. None where too many wait already, unless
  // the caller is patient.
  Place Enter(bool is_patient = false) {
    std::unique_lock lock(mutex_);
    if (at_work_ >= most_at_work_) {
      if (!is_patient && waiting_ >= most_waiting_) return Place();
      ++waiting_;
      free_.wait(lock, [&] { return at_work_ < most_at_work_; });
      --waiting_;
    }
    ++at_work_;
    return Place(this);
  }
  uint64_t waiting() const {
    const std::lock_guard lock(mutex_);
    return waiting_;
  }

 private:
  void Leave() {
    {
      const std::lock_guard lock(mutex_);
      --at_work_;
    }
    free_.notify_one();
  }

  const uint64_t most_at_work_, most_waiting_;
  mutable std::mutex mutex_;
  std::condition_variable free_;
  uint64_t at_work_ = 0, waiting_ = 0;
};

// Bytes that all requests together hold.
class ByteAllowance {
 public:
  explicit ByteAllowance(uint64_t most) : most_(most) {}

  // What one request holds, given back by its destructor.
  class Share {
   public:
    explicit Share(ByteAllowance* of) : of_(of) {}
    Share(const Share&) = delete;
    ~Share() { of_->held_ -= bytes_; }
    // From now on it holds so many. False, and nothing changes, where that is
    // too much.
    bool Set(uint64_t bytes) {
      if (bytes > bytes_ && (of_->held_ += bytes - bytes_) > of_->most_) {
        of_->held_ -= bytes - bytes_;
        return false;
      }
      if (bytes < bytes_) of_->held_ -= bytes_ - bytes;
      bytes_ = bytes;
      return true;
    }

   private:
    ByteAllowance* const of_;
    uint64_t bytes_ = 0;
  };

 private:
  const uint64_t most_;
  std::atomic<uint64_t> held_ = 0;
};

}  // namespace twinset::server

#endif  // TWINSET_APPS_SERVER_GATE_H_
