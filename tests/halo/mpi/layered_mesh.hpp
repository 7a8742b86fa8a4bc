// A random graph with ghosts in layers, and fields on it whose every value is known.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "wherry/halo/ghost_layers.hpp"

#include "harness/harness.hpp"
#include "support/random.hpp"

namespace wherry_test {

/// One rank's part of a graph that is the same on all ranks: its rows, and the ghosts around them, found layer by
/// layer. Some ranks may have no rows.
struct layered_mesh {
  int depth;
  std::vector<long long> ids;                      // of each local element: rows, then layer by layer
  std::vector<int> layer;                          // of each local element; 0: a row
  std::vector<std::vector<long long>> by_layer;    // the ids of each layer, from layer 0 (the rows) on
  std::vector<std::vector<wherry::ghost>> ghosts;  // the same, by owners

  static long long id_of(int node) { return 5LL * node + 3; }

  layered_mesh(random_numbers& random, int rank, int ranks, int layers, int nodes)
      : depth(layers), by_layer(static_cast<std::size_t>(layers) + 1), ghosts(static_cast<std::size_t>(layers)) {
    std::vector<std::vector<int>> neighbors(static_cast<std::size_t>(nodes));
    const auto link = [&](int a, int b) {
      neighbors[static_cast<std::size_t>(a)].push_back(b);
      neighbors[static_cast<std::size_t>(b)].push_back(a);
    };
    for (int n = 1; n < nodes; ++n) link(n - 1, n);
    for (int more = random.between(0, nodes / 8); more > 0; --more)
      link(random.between(0, nodes - 1), random.between(0, nodes - 1));
    // Runs of nodes belong to a rank, so that there is something beyond the first layer.
    const int owners = random.chance(30) ? random.between(1, ranks) : ranks;
    std::vector<int> owner(static_cast<std::size_t>(nodes)), order(static_cast<std::size_t>(nodes));
    for (int n = 0, now = 0; n < nodes; ++n) {
      if (n == 0 || random.chance(15)) now = random.between(0, owners - 1);
      owner[static_cast<std::size_t>(n)] = now;
    }
    std::iota(order.begin(), order.end(), 0);
    random.shuffle(order);
    std::vector<wherry::index_t> place(static_cast<std::size_t>(nodes));  // of each node at its owner
    std::vector<wherry::index_t> counts(static_cast<std::size_t>(ranks));
    std::vector<int> met(static_cast<std::size_t>(nodes), -1), edge;
    for (const int n : order) {
      const auto its = owner[static_cast<std::size_t>(n)];
      place[static_cast<std::size_t>(n)] = counts[static_cast<std::size_t>(its)]++;
      if (its != rank) continue;
      add(n, 0);
      met[static_cast<std::size_t>(n)] = 0;
      edge.push_back(n);
    }
    for (int d = 1; d <= depth; ++d) {
      std::vector<int> next;
      for (const int n : edge)
        for (const int b : neighbors[static_cast<std::size_t>(n)])
          if (std::exchange(met[static_cast<std::size_t>(b)], 0) < 0) next.push_back(b);
      std::reverse(next.begin(), next.end());
      for (const int n : next) {
        ghosts[static_cast<std::size_t>(d - 1)].push_back(
            {owner[static_cast<std::size_t>(n)], place[static_cast<std::size_t>(n)], std::ssize(ids)});
        add(n, d);
      }
      edge = next;
    }
  }

  std::size_t size() const { return ids.size(); }
  std::span<const std::vector<long long>> externals() const { return std::span(by_layer).subspan(1); }
  std::size_t elements(int to) const {
    std::size_t count = 0;
    for (int d = 0; d <= to; ++d) count += by_layer[static_cast<std::size_t>(d)].size();
    return count;
  }

 private:
  void add(int node, int d) {
    ids.push_back(id_of(node));
    layer.push_back(d);
    by_layer[static_cast<std::size_t>(d)].push_back(id_of(node));
  }
};

struct wide_element {
  double at[2];
  std::int64_t kind;
  bool operator==(const wide_element&) const = default;
};

template <class T> T value_of(std::uint64_t hashed) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<T>(hashed % 101);
  else
    return {{static_cast<double>(hashed % 1000), 1.5}, static_cast<std::int64_t>(hashed % 17)};
}

template <class T> T& element_of(std::vector<T>& values, std::size_t i, int) { return values[i]; }
template <class T> T& element_of(std::span<T> values, std::size_t i, int) { return values[i]; }
template <class T> T& element_of(const wherry::view<T, 2>& values, std::size_t i, int c) {
  return values(c, static_cast<wherry::index_t>(i));
}

/// A field and what it should hold: the version of each element's value, and how deep it should be clean.
template <class Array> class layered_trial {
 public:
  static constexpr int poisoned = -1;

  layered_trial(const layered_mesh& mesh, const wherry::ghost_layers& layers, Array values, int components, int number)
      : field(layers, std::move(values)),
        mesh_(&mesh),
        components_(components),
        number_(number),
        version_of_(mesh.size(), poisoned) {
    for (std::size_t i = 0; i < mesh.size(); ++i) set(i, poisoned);
    write(0);
  }

  /// Writes the rows, and computes the ghosts up to a depth, too.
  void write(int depth) {
    ++version_;
    for (std::size_t i = 0; i < mesh_->size(); ++i)
      if (mesh_->layer[i] <= depth) set(i, version_);
    clean_ = depth;
    field.mark_written(depth);
  }
  /// Damages the ghosts of layers up to a depth, which no exchange that leaves them alone repairs.
  void poison(int depth) {
    for (std::size_t i = 0; i < mesh_->size(); ++i)
      if (mesh_->layer[i] > 0 && mesh_->layer[i] <= depth) set(i, poisoned);
  }
  void filled(int first, int depth) {
    for (std::size_t i = 0; i < mesh_->size(); ++i)
      if (mesh_->layer[i] >= first && mesh_->layer[i] <= depth) version_of_[i] = version_;
  }
  void exchanged(int depth) {
    filled(1, depth);
    clean_ = std::max(clean_, depth);
  }
  void exchanged_if_needed(int depth) {
    filled(clean_ + 1, depth);
    clean_ = std::max(clean_, depth);
  }
  int clean() const { return clean_; }

  void check(const std::string& title) {
    if (fault(field.clean_depth() != clean_))
      FAIL(title + ": field " + std::to_string(number_) + " is clean to " + std::to_string(field.clean_depth()) +
           ", not " + std::to_string(clean_));
    long wrong = 0;
    for (std::size_t i = 0; i < mesh_->size(); ++i)
      for (int c = 0; c < components_; ++c)
        wrong += !(element_of(field.values(), i, c) == expected(i, version_of_[i], c));
    if (fault(wrong != 0))
      FAIL(title + ": field " + std::to_string(number_) + " has " + std::to_string(wrong) + " wrong values");
  }

  wherry::layered_field<Array> field;

 private:
  using value_type = std::remove_reference_t<decltype(element_of(std::declval<Array&>(), 0, 0))>;

  value_type expected(std::size_t i, int version, int c) const {
    return value_of<value_type>(hash(mesh_->ids[i], number_, version, c));
  }
  void set(std::size_t i, int version) {
    for (int c = 0; c < components_; ++c) element_of(field.values(), i, c) = expected(i, version, c);
    version_of_[i] = version;
  }

  const layered_mesh* mesh_;
  int components_, number_;
  int version_ = 0, clean_ = 0;
  std::vector<int> version_of_;
};

}  // namespace wherry_test
