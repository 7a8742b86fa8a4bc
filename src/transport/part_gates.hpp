// Decides when data that becomes ready in parts may leave. Any thread may say that a part is ready; a gate, for example
// of a message, is open when all its parts are. The class knows neither MPI nor what passes through the gates, so that
// threads can test it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace wherry {

class part_gates {
 public:
  /// Has one gate, of all parts.
  explicit part_gates(int parts);

  int parts() const { return static_cast<int>(parts_); }

  /// The number of the gate that opens when every part is ready.
  static constexpr std::size_t every_part = 0;
  /// Adds a gate that opens when all of these parts are ready. Parts may be named twice. Returns its number.
  std::size_t add_gate(std::vector<int> parts);

  /// Closes all gates for a new start. No thread may call `ready` meanwhile.
  void begin();
  /// Opens all gates, because the parts that are missing will never be ready.
  void open_all();

  enum class answer { opened, nothing_opened, said_before };
  /// Says that a part is ready. A thread that finds a gate open sees all that the callers wrote before.
  answer ready(int part);

  bool is_open(std::size_t gate) const { return missing_[gate].load(std::memory_order_acquire) == 0; }
  /// True if gates have opened since `take_news`. The thread that lets messages pass calls `take_news` before it looks
  /// at the gates, and must ask again after it has released the turn.
  bool has_news() const;
  void take_news() { taken_.store(opened_.load(std::memory_order_acquire), std::memory_order_relaxed); }

  /// The parts that are not ready.
  std::vector<int> not_ready() const;

 private:
  std::size_t parts_;
  std::vector<std::vector<std::size_t>> gates_of_;  // for each part
  std::vector<int> needed_;                         // for each gate: its number of parts
  std::unique_ptr<std::atomic<int>[]> missing_;     // for each gate: the parts that are not ready now
  std::vector<std::atomic<std::uint64_t>> said_;    // for each part: the start in which it was ready last
  std::uint64_t start_ = 0;
  std::atomic<std::uint64_t> opened_{0}, taken_{0};
};

}  // namespace wherry
