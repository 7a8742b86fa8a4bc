// GASPI's counters, which count if the verbosity level is not 0.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

namespace wherry::gaspi {

enum class statistic : unsigned { bytes_written, bytes_read, notifications, passive_messages, number };

struct statistics {
  std::atomic<unsigned> verbosity{0};
  std::array<std::atomic<unsigned long>, static_cast<std::size_t>(statistic::number)> values{};

  void add(statistic which, unsigned long value) {
    if (verbosity.load(std::memory_order_relaxed) != 0)
      values[static_cast<std::size_t>(which)].fetch_add(value, std::memory_order_relaxed);
  }
};

}  // namespace wherry::gaspi
