#include "callers.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <list>
#include <mutex>
#include <string>
#include <thread>

#include "world.hpp"

namespace wherry::gaspi {
namespace {

/// The procedure that a thread is inside, on a cache line of its own; null: none.
struct alignas(64) slot {
  std::atomic<const char*> call{nullptr};
  bool is_taken = true;
};

struct slots_of_process {
  std::mutex guard;
  std::list<slot> all;
};

/// Never destroyed, because threads may end after static objects.
slots_of_process& slots() {
  static auto* const all = new slots_of_process;
  return *all;
}

thread_local slot* mine = nullptr;

/// Gives a thread's slot to the next thread.
struct returned_at_end_of_thread {
  ~returned_at_end_of_thread() {
    const std::lock_guard lock(slots().guard);
    if (mine != nullptr) mine->is_taken = false;
    mine = nullptr;
  }
};

slot& slot_of_thread() {
  if (mine != nullptr) return *mine;
  static thread_local const returned_at_end_of_thread at_end;
  static_cast<void>(at_end);
  const std::lock_guard lock(slots().guard);
  auto& all = slots().all;
  const auto free = std::find_if(all.begin(), all.end(), [](const slot& one) { return !one.is_taken; });
  mine = free != all.end() ? &*free : &all.emplace_back();
  mine->is_taken = true;
  return *mine;
}

std::atomic<bool> ends{false};

/// The procedure that another thread is inside; null: all have left.
const char* others_are_inside() {
  const std::lock_guard lock(slots().guard);
  for (const auto& one : slots().all)
    if (const char* call = one.call.load(); call != nullptr && &one != mine) return call;
  return nullptr;
}

}  // namespace

// Sequentially consistent, like the load of the world below and the other side in `shut_world`: either this thread
// finds no world, or the thread that ends the world finds this one.
inside::inside(const char* call)
    : is_outermost_(slot_of_thread().call.load(std::memory_order_relaxed) == nullptr),
      waits_(ends, "gaspi_proc_term, or the end of the program, in another thread has ended this wait") {
  if (is_outermost_) mine->call.store(call);
  found_ = world::now.load();
}

inside::~inside() {
  if (is_outermost_) mine->call.store(nullptr, std::memory_order_release);
}

bool world_ends() { return ends.load(std::memory_order_acquire); }
void open_world() { ends = false; }

void shut_world(const std::function<void()>& wake) {
  using clock = std::chrono::steady_clock;
  constexpr auto nap = std::chrono::microseconds(50);
  constexpr auto patience = std::chrono::seconds(2);
  ends = true;
  world::now.store(nullptr);
  const auto began = clock::now();
  bool has_told = false;
  for (const char* call = others_are_inside(); call != nullptr; call = others_are_inside()) {
    wake();
    std::this_thread::sleep_for(nap);
    if (has_told || clock::now() - began < patience) continue;
    has_told = true;
    std::fprintf(stderr, "[gaspi] the end of GASPI waits for another thread to leave %s\n", call);
  }
}

}  // namespace wherry::gaspi
