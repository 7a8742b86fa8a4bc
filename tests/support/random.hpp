// Random numbers that are the same on every machine, and values that depend on nothing but what they are values of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace wherry_test {

// One step of splitmix64 (Steele, Lea, Flood 2014): a good hash of 64 bits.
constexpr std::uint64_t scramble(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

template <class... Parts> constexpr std::uint64_t hash(Parts... parts) {
  std::uint64_t result = 0;
  ((result = scramble(result ^ static_cast<std::uint64_t>(parts))), ...);
  return result;
}

class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(scramble(seed)) {}

  std::uint64_t next() { return scramble(state_++); }
  // From `least` to `most`, both included.
  int between(int least, int most) {
    return least + static_cast<int>(next() % static_cast<std::uint64_t>(most - least + 1));
  }
  bool chance(int percent) { return between(1, 100) <= percent; }
  template <class T> const T& one_of(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(next() % list.size())];
  }
  int one_of(std::initializer_list<int> list) { return one_of(std::vector<int>(list)); }
  template <class List> void shuffle(List& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[next() % i]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace wherry_test
