#include "expected_results.hpp"

#include <optional>
#include <sstream>

#include "support/random.hpp"

namespace collective_tests {

using namespace wherry::collective;
using wherry_test::hash;

namespace {

int drawn_size(const question& q, int a, int b) {
  const auto draw = hash(q.seed, a, b);
  switch (q.sizes) {
    case block_sizes::equal:
      return 1 + static_cast<int>(q.seed % 2);
    case block_sizes::uneven:
      return static_cast<int>(draw % 4);
    default:
      return draw % 8 == 0 ? 2 : 0;
  }
}

// What rank `rank` contributes.
element value(const question& q, int rank, int block, int place) {
  const auto draw = hash(q.seed, 77, rank, block, place);
  return {static_cast<std::uint32_t>(draw) | 1u, static_cast<std::uint32_t>(draw >> 32)};
}

bool contributes(const question& q, int rank, int block) {
  switch (q.what->pattern) {
    case pattern::barrier:
    case pattern::bcast:
      return false;
    case pattern::gather:
    case pattern::allgather:
      return block == rank;
    case pattern::scatter:
      return rank == q.at.root;
    default:
      return true;
  }
}

// What ranks first..last have of an element, in their order. The blocks are the same on all.
element fold(const question& q, int last, int block, int place) {
  auto result = value(q, 0, block, place);
  for (int r = 1; r <= last; ++r) result = q.combine(result, value(q, r, block, place));
  return result;
}

// Of the work buffer in the end; nothing: whatever there is.
class results {
 public:
  explicit results(const question& q) : q_(q) {}

  std::optional<element> wanted(int rank, int block, int place) {
    const int root = q_.at.root, last = q_.at.size - 1;
    switch (q_.what->pattern) {
      case pattern::barrier:
      case pattern::neighbor_allgather:  // no algorithm has them
      case pattern::neighbor_alltoall:
        return {};
      case pattern::bcast:
        return value(q_, root, block, place);
      case pattern::gather:
        return rank == root ? std::optional(value(q_, block, block, place)) : std::nullopt;
      case pattern::allgather:
        return value(q_, block, block, place);
      case pattern::scatter:
        return block == rank ? std::optional(value(q_, root, block, place)) : std::nullopt;
      case pattern::alltoall:
        return value(q_, block, rank, place);
      case pattern::reduce:
        return rank == root ? std::optional(fold(q_, last, block, place)) : std::nullopt;
      case pattern::allreduce:
        return fold_once(block, place);
      case pattern::reduce_scatter:
        return block == rank ? std::optional(fold(q_, last, block, place)) : std::nullopt;
      case pattern::scan:
        return fold(q_, rank, block, place);
      case pattern::exscan:
        return rank > 0 ? std::optional(fold(q_, rank - 1, block, place)) : std::nullopt;
    }
    return {};
  }

 private:
  // Every rank asks for it.
  element fold_once(int block, int place) {
    const auto at = static_cast<std::size_t>(block) * 4 + static_cast<std::size_t>(place);
    if (at >= known_.size()) known_.resize(at + 1);
    if (!known_[at]) known_[at] = fold(q_, q_.at.size - 1, block, place);
    return *known_[at];
  }

  const question& q_;
  std::vector<std::optional<element>> known_;
};

}  // namespace

int size_of_input(const question& q, int rank, int block) {
  return q.what->pattern == pattern::alltoall ? drawn_size(q, rank, block) : drawn_size(q, 0, block);
}
int size_of_work(const question& q, int rank, int block) {
  return q.what->pattern == pattern::alltoall ? drawn_size(q, block, rank) : drawn_size(q, 0, block);
}

simulation begin(const question& q) {
  simulation made{q.what, q.at, q.combine, q.in_place, {}};
  const int blocks = q.what->blocks(q.at);
  for (int r = 0; r < q.at.size; ++r) {
    auto& rank = made.ranks.emplace_back();
    std::vector<int> input, work;
    for (int b = 0; b < blocks; ++b) input.push_back(size_of_input(q, r, b)), work.push_back(size_of_work(q, r, b));
    rank.work = block_memory(work);
    if (!q.in_place) rank.input = block_memory(input);
    auto& contribution = q.in_place ? rank.work : rank.input;
    for (int b = 0; b < blocks; ++b) {
      if (contributes(q, r, b))
        for (int i = 0; i < contribution.size(b); ++i) contribution.at(b, i) = value(q, r, b, i);
      if (q.what->pattern == pattern::bcast && r == q.at.root)
        for (int i = 0; i < rank.work.size(b); ++i) rank.work.at(b, i) = value(q, r, b, i);
    }
  }
  return made;
}

std::string difference(const question& q, const simulation& done) {
  results right(q);
  for (int r = 0; r < q.at.size; ++r) {
    const auto& work = done.ranks[static_cast<std::size_t>(r)].work;
    for (int b = 0; b < work.blocks(); ++b)
      for (int i = 0; i < work.size(b); ++i) {
        const auto wanted = right.wanted(r, b, i);
        if (!wanted || *wanted == work.at(b, i)) continue;
        std::ostringstream out;
        out << done.name() << ": rank " << r << ", block " << b << ", element " << i << ": is {" << work.at(b, i).a
            << ", " << work.at(b, i).b << "}, should be {" << wanted->a << ", " << wanted->b << "}";
        return out.str();
      }
  }
  return {};
}

}  // namespace collective_tests
