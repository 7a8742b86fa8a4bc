// A mesh of elements with ids, whose owners and copies every rank knows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "wherry/c/index.h"

namespace wherry_test {

class random_mesh {
 public:
  /// The elements of one rank, in their local order: rows, and then the copies of other elements.
  struct share {
    std::vector<std::int64_t> rows, ghosts;
    std::vector<std::int64_t> ids() const {
      auto all = rows;
      all.insert(all.end(), ghosts.begin(), ghosts.end());
      return all;
    }
  };

  /// Makes the same mesh on all ranks. Some ranks may have no rows.
  random_mesh(std::mt19937_64& random, int ranks) : shares_(static_cast<std::size_t>(ranks)) {
    const auto pick = [&](std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(0, most)(random); };
    const auto count = pick(40);
    const auto owners = pick(ranks - 1);  // ranks above this one have no rows
    for (std::int64_t i = 0; i < count; ++i) {
      const auto id = 7 * i + 3;
      const auto owner = pick(owners);
      owner_of_.push_back(static_cast<int>(owner));
      shares_[static_cast<std::size_t>(owner)].rows.push_back(id);
    }
    for (auto& one : shares_) std::shuffle(one.rows.begin(), one.rows.end(), random);
    for (int r = 0; r < ranks; ++r) {
      auto& one = shares_[static_cast<std::size_t>(r)];
      for (std::int64_t i = 0; i < count; ++i)
        if (owner_of_[static_cast<std::size_t>(i)] != r && pick(2) == 0) one.ghosts.push_back(7 * i + 3);
      std::shuffle(one.ghosts.begin(), one.ghosts.end(), random);
    }
  }

  int ranks() const { return static_cast<int>(shares_.size()); }
  const share& part(int rank) const { return shares_[static_cast<std::size_t>(rank)]; }
  int owner_of(std::int64_t id) const { return owner_of_[static_cast<std::size_t>(id / 7)]; }

  std::vector<wherry_ghost> ghosts_of(int rank) const { return ghosts_of(rank, part(rank).ghosts); }
  /// Some of the rank's ghosts, with their owners and local indices.
  std::vector<wherry_ghost> ghosts_of(int rank, const std::vector<std::int64_t>& some) const {
    std::vector<wherry_ghost> result;
    for (const auto id : some)
      result.push_back({owner_of(id), place_in(part(owner_of(id)).rows, id),
                        static_cast<std::int64_t>(part(rank).rows.size()) + place_in(part(rank).ghosts, id)});
    return result;
  }
  /// The number of ranks that have a copy of an element.
  int copies_of(std::int64_t id) const {
    return static_cast<int>(std::ranges::count_if(shares_, [&](const share& one) { return has(one.ghosts, id); }));
  }
  /// The last rank that has the element or a copy of it.
  int last_rank_with(std::int64_t id) const {
    int result = owner_of(id);
    for (int r = 0; r < ranks(); ++r)
      if (has(part(r).ghosts, id)) result = std::max(result, r);
    return result;
  }

 private:
  static bool has(const std::vector<std::int64_t>& list, std::int64_t id) {
    return std::ranges::find(list, id) != list.end();
  }
  static std::int64_t place_in(const std::vector<std::int64_t>& list, std::int64_t id) {
    return std::ranges::find(list, id) - list.begin();
  }

  std::vector<share> shares_;
  std::vector<int> owner_of_;
};

}  // namespace wherry_test
