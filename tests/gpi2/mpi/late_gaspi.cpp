#include "late_gaspi.hpp"

#include <PGASPI.h>

#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

namespace {

class network {
 public:
  network() : worker_([this] { work(); }) {}
  ~network() {
    end_ = true;
    worker_.join();
  }

  gaspi_return_t post(gaspi_queue_id_t queue, std::function<void()> request) {
    const std::lock_guard lock(guard_);
    if (std::exchange(fails_, false)) return GASPI_ERROR;
    if (one_in(8)) return GASPI_TIMEOUT;
    if (queues_[queue].size() >= late_gaspi::most_in_queue) return ++full_, GASPI_QUEUE_FULL;
    queues_[queue].push_back(std::move(request));
    return GASPI_SUCCESS;
  }

  gaspi_return_t wait(gaspi_queue_id_t queue) {
    const std::lock_guard lock(guard_);
    if (queues_[queue].empty()) return pgaspi_wait(queue, GASPI_TEST);
    ++late_;
    return GASPI_TIMEOUT;
  }

  void fail_once() {
    const std::lock_guard lock(guard_);
    fails_ = true;
  }
  long full() const { return full_; }
  long late() const { return late_; }

 private:
  bool one_in(unsigned n) { return numbers_() % n == 0; }  // with the guard

  void work() {
    for (long round = 0; !end_; ++round) {
      {
        const std::lock_guard lock(guard_);
        for (auto place = numbers_(), tried = 0UL; tried < queues_.size(); ++place, ++tried) {
          auto& queue = queues_[place % queues_.size()];
          if (queue.empty() || one_in(4)) continue;
          queue.front()();
          queue.pop_front();
        }
      }
      std::this_thread::sleep_for(std::chrono::microseconds(round % 8 == 0 ? 100 : 5));
    }
    for (auto& queue : queues_)
      for (; !queue.empty(); queue.pop_front()) queue.front()();
  }

  std::mutex guard_;
  std::array<std::deque<std::function<void()>>, 16> queues_;
  std::minstd_rand numbers_{1};
  bool fails_ = false;
  std::atomic<long> full_{0}, late_{0};
  std::atomic<bool> end_{false};
  std::thread worker_;
};

// Between gaspi_proc_init and gaspi_proc_term.
network*& now() {
  static network* one = nullptr;
  return one;
}

}  // namespace

void late_gaspi::fail_once() { now()->fail_once(); }
long late_gaspi::times_full() { return now()->full(); }
long late_gaspi::times_late() { return now()->late(); }

gaspi_return_t gaspi_proc_init(const gaspi_timeout_t timeout) {
  const auto status = pgaspi_proc_init(timeout);
  if (status == GASPI_SUCCESS) now() = new network;
  return status;
}

gaspi_return_t gaspi_proc_term(const gaspi_timeout_t timeout) {
  delete std::exchange(now(), nullptr);
  return pgaspi_proc_term(timeout);
}

gaspi_return_t gaspi_write(const gaspi_segment_id_t local, const gaspi_offset_t from, const gaspi_rank_t rank,
                           const gaspi_segment_id_t remote, const gaspi_offset_t to, const gaspi_size_t size,
                           const gaspi_queue_id_t queue, const gaspi_timeout_t) {
  return now()->post(queue, [=] { pgaspi_write(local, from, rank, remote, to, size, queue, GASPI_BLOCK); });
}

gaspi_return_t gaspi_notify(const gaspi_segment_id_t remote, const gaspi_rank_t rank, const gaspi_notification_id_t id,
                            const gaspi_notification_t value, const gaspi_queue_id_t queue, const gaspi_timeout_t) {
  return now()->post(queue, [=] { pgaspi_notify(remote, rank, id, value, queue, GASPI_BLOCK); });
}

gaspi_return_t gaspi_write_notify(const gaspi_segment_id_t local, const gaspi_offset_t from, const gaspi_rank_t rank,
                                  const gaspi_segment_id_t remote, const gaspi_offset_t to, const gaspi_size_t size,
                                  const gaspi_notification_id_t id, const gaspi_notification_t value,
                                  const gaspi_queue_id_t queue, const gaspi_timeout_t) {
  return now()->post(queue,
                     [=] { pgaspi_write_notify(local, from, rank, remote, to, size, id, value, queue, GASPI_BLOCK); });
}

gaspi_return_t gaspi_wait(const gaspi_queue_id_t queue, const gaspi_timeout_t) { return now()->wait(queue); }
