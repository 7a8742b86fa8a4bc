// What may leave when: parts of the data become ready, said by any thread; a gate, of a message say, is open once all
// its parts are. Free of MPI and of what passes through, so that threads can test it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace wherry {

class part_gates {
 public:
  /// With one gate, of all parts.
  explicit part_gates(int parts);

  int parts() const { return static_cast<int>(parts_); }

  /// The number of the gate that opens when every part is ready.
  static constexpr std::size_t every_part = 0;
  /// Adds one that opens when all of these parts are ready; parts may be named twice. Returns its number.
  std::size_t add_gate(std::vector<int> parts);

  /// Nothing is ready any more. Nobody may say so meanwhile.
  void begin();
  /// Everything is: what is left will not be said.
  void open_all();

  enum class answer { opened, nothing_opened, said_before };
  /// What the caller has written before, whoever finds a gate open sees.
  answer ready(int part);

  bool is_open(std::size_t gate) const { return missing_[gate].load(std::memory_order_acquire) == 0; }
  /// Whether gates have opened since `take_news`, called by who lets pass what waits: after it has let others do that,
  /// it must ask.
  bool has_news() const;
  void take_news() { taken_.store(opened_.load(std::memory_order_acquire), std::memory_order_relaxed); }

  /// Parts that are not ready.
  std::vector<int> not_ready() const;

 private:
  std::size_t parts_;
  std::vector<std::vector<std::size_t>> gates_of_;  // a part's
  std::vector<int> needed_;                         // how many parts a gate has
  std::unique_ptr<std::atomic<int>[]> missing_;     // of them, now
  std::vector<std::atomic<std::uint64_t>> said_;    // the start in which a part was ready last
  std::uint64_t start_ = 0;
  std::atomic<std::uint64_t> opened_{0}, taken_{0};
};

}  // namespace wherry
