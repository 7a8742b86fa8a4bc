// Two races, planted where the library's own could be: what runs under ThreadSanitizer must see them.
//   planted_race field: a program writes into a halo while the progress thread fills it
//   planted_race order: two threads run the protocol of `shared` with all its memory orders taken away
#include <wherry/wherry.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <thread>

#include "channel/shared_channel.hpp"

namespace {

void race_for_a_field() {
  const wherry::process_grid grid(MPI_COMM_WORLD, {.periodic = {true}});
  wherry::field<int, 1> u(grid.comm(), {1000}, 1);
  wherry::configure("progress_thread", "1");
  wherry::halo_exchange exchange(grid, {}, u);
  for (int round = 0; round < 100; ++round) {
    exchange.start(u);
    for (int i = 0; i < 100; ++i) {
      u(-1) = i;
      std::this_thread::yield();
    }
    exchange.wait();
  }
}

struct unordered_words {
  template <class T> using plain = T;
  template <class T> class atomic {
   public:
    atomic(T initial) : value_(initial) {}
    T load(std::memory_order) const { return value_.load(std::memory_order_relaxed); }
    void store(T value, std::memory_order) { value_.store(value, std::memory_order_relaxed); }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order) {
      return value_.compare_exchange_strong(expected, desired, std::memory_order_relaxed);
    }

   private:
    std::atomic<T> value_;
  };
};

void race_for_staging() {
  wherry::shared_channel<unordered_words> channel;
  std::uint64_t staging[2]{};
  constexpr std::uint64_t starts = 1000;
  std::thread receiver([&] {
    wherry::shared_receiver<unordered_words> side(channel);
    const auto look = [&](std::uint32_t buffer) {
      if (staging[buffer] == starts) std::puts("the last one has arrived");
    };
    for (std::uint64_t start = 1; start <= starts; ++start)
      for (side.begin(start); side.now() != decltype(side)::phase::done; std::this_thread::yield())
        side.try_receive(look, [] {}, [](std::uint32_t) {});
  });
  wherry::shared_sender<unordered_words> side(channel);
  for (std::uint64_t start = 1; start <= starts; ++start)
    for (side.begin(start); side.now() != decltype(side)::phase::done; std::this_thread::yield())
      side.try_send([&](std::uint32_t buffer) {
        staging[buffer] = start;
        return false;
      });
  receiver.join();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "order") {
    race_for_staging();
    return 0;
  }
  const wherry::mpi_session mpi(argc, argv);
  race_for_a_field();
}
