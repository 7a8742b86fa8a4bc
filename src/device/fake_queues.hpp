// The queues of the fake device. One thread takes their entries in a random order that the events allow, and sometimes
// late, so that tests find missing dependencies.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace wherry::fake {

struct event {
  std::uint64_t asked = 0, happened = 0;  // number of records, and the last one that has happened
};

struct queue {
  struct entry {
    std::function<void()> work;  // empty if the entry is an event
    std::shared_ptr<event> what;
    bool holds = false;  // waits until the event has happened; otherwise records it
    std::uint64_t number = 0;
  };
  std::deque<entry> entries;
  bool busy = false;
};

class queues {
 public:
  /// Lasts until the process ends, because objects that are destroyed then may still use it.
  static queues& instance();

  queue* make_queue();
  void end(queue* q);
  /// The queue of a null handle.
  queue* main() { return &main_; }

  void put(queue* q, std::function<void()> work);
  void record(const std::shared_ptr<event>& e, queue* q);
  void hold_until(queue* q, const std::shared_ptr<event>& e);
  bool has_happened(const event& e);
  /// Acts as if all records of the event had happened.
  void let_happen(event& e);
  void await(const event& e);
  void finish(queue* q);
  void finish_all();
  void seed(std::uint64_t number);

 private:
  queues();
  void work();
  void add(queue* q, queue::entry what);
  queue* choose();
  static bool is_ready(const queue& q);

  std::mutex mutex_;
  std::condition_variable news_, done_;
  std::vector<std::unique_ptr<queue>> all_;
  queue main_;
  std::mt19937_64 random_{1};
  std::thread worker_;
};

}  // namespace wherry::fake
