#include "fake_queues.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace wherry::fake {

queues& queues::instance() {
  static auto* const all = new queues;
  return *all;
}

queues::queues() : worker_([this] { work(); }) {}

queue* queues::make_queue() {
  const std::lock_guard lock(mutex_);
  return all_.emplace_back(std::make_unique<queue>()).get();
}

void queues::end(queue* q) {
  finish(q);
  const std::lock_guard lock(mutex_);
  all_.erase(std::find_if(all_.begin(), all_.end(), [q](const auto& one) { return one.get() == q; }));
}

void queues::add(queue* q, queue::entry what) {
  q->entries.push_back(std::move(what));
  news_.notify_all();
}

void queues::put(queue* q, std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  add(q, {std::move(work), {}, false, 0});
}

void queues::record(const std::shared_ptr<event>& e, queue* q) {
  const std::lock_guard lock(mutex_);
  add(q, {{}, e, false, ++e->asked});
}

void queues::hold_until(queue* q, const std::shared_ptr<event>& e) {
  const std::lock_guard lock(mutex_);
  add(q, {{}, e, true, e->asked});
}

bool queues::has_happened(const event& e) {
  const std::lock_guard lock(mutex_);
  return e.happened >= e.asked;
}

void queues::let_happen(event& e) {
  const std::lock_guard lock(mutex_);
  e.happened = e.asked;
  news_.notify_all();
  done_.notify_all();
}

void queues::await(const event& e) {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&e] { return e.happened >= e.asked; });
}

void queues::finish(queue* q) {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [q] { return q->entries.empty() && !q->busy; });
}

void queues::finish_all() {
  const auto is_done = [](const queue& q) { return q.entries.empty() && !q.busy; };
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] {
    return is_done(main_) && std::all_of(all_.begin(), all_.end(), [&](const auto& q) { return is_done(*q); });
  });
}

void queues::seed(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  random_.seed(number);
}

bool queues::is_ready(const queue& q) {
  if (q.entries.empty()) return false;
  const auto& first = q.entries.front();
  return first.what == nullptr || !first.holds || first.what->happened >= first.number;
}

queue* queues::choose() {
  std::vector<queue*> ready;
  if (is_ready(main_)) ready.push_back(&main_);
  for (const auto& q : all_)
    if (is_ready(*q)) ready.push_back(q.get());
  return ready.empty() ? nullptr : ready[random_() % ready.size()];
}

void queues::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    queue* next = nullptr;
    news_.wait(lock, [&] { return (next = choose()) != nullptr; });
    auto what = std::move(next->entries.front());
    next->entries.pop_front();
    next->busy = true;
    const auto late = random_() % 8 == 0 ? std::chrono::microseconds(random_() % 200) : std::chrono::microseconds(0);
    lock.unlock();
    if (late.count() > 0) std::this_thread::sleep_for(late);
    if (what.work) what.work();
    lock.lock();
    next->busy = false;
    if (what.what != nullptr && !what.holds) what.what->happened = std::max(what.what->happened, what.number);
    done_.notify_all();
  }
}

}  // namespace wherry::fake
