// All ranks of a classic algorithm in one process: each makes its stages one by one, messages are queues, and every
// promise that algorithms give executors (src/collective/algorithms/stage.hpp) is looked at. Sends wait until they are
// taken, so that what could deadlock does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collective/algorithms/algorithm.hpp"

namespace collective_tests {

// An affine function modulo 2^32, or just two numbers.
struct element {
  std::uint32_t a = 0, b = 0;
  bool operator==(const element&) const = default;
};
using operation = element (*)(const element&, const element&);

// Composition: associative, and each order has another result.
element composed(const element& f, const element& g);
element added(const element& f, const element& g);   // commutative, too
element hashed(const element& f, const element& g);  // neither: who has the same result has computed it in the same way

// Bytes of all blocks of one rank's buffer.
struct block_memory {
  std::vector<std::size_t> begins;  // and the end
  std::vector<element> data;

  block_memory() = default;
  explicit block_memory(const std::vector<int>& sizes);  // poisoned
  int blocks() const { return static_cast<int>(begins.size()) - 1; }
  int size(int block) const;
  element& at(int block, int place);
  const element& at(int block, int place) const;
};

struct simulated_rank {
  block_memory input, work;
  std::vector<bool> touched;  // blocks of `work`
  int messages = 0;
  std::int64_t blocks_sent = 0, elements_sent = 0;
  std::int64_t end = 0;  // when it has ended, where one message takes one unit of time, and a rank sends one and
                         // receives one at a time
};

struct simulation {
  const wherry::collective::algorithm* what = nullptr;
  wherry::collective::place at;  // without rank
  operation combine = composed;
  bool in_place = false;  // input and work are one memory: the work buffer
  std::vector<simulated_rank> ranks;

  // The first thing that is wrong, or nothing.
  std::string run();
  std::int64_t rounds() const;
  std::string name() const;
};

}  // namespace collective_tests
