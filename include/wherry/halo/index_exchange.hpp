/// @file
/// Halo exchange on unstructured meshes: by lists of indices (paper 1, section 1: the layer L1).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "wherry/halo/index_lists.hpp"
#include "wherry/transport/exchange.hpp"

namespace wherry {

/// What can be said of an index exchange beyond its lists and arrays. Must be the same on all ranks.
struct index_options {
  /// Send the ghosts back to their owners, combined by this reduction: `.accumulate = add<double>()`.
  std::optional<reduction> accumulate{};
  std::string transport = "auto";
  bool snapshot = false;  ///< see exchange_options
};

/// An array whose elements are numbered from 0, for an index exchange. One element may be a struct.
template <class T> std::vector<index_field> describe_indexed(std::span<T> array) {
  static_assert(std::is_trivially_copyable_v<T>, "an element travels as bytes, so it must be trivially copyable");
  constexpr auto size = static_cast<index_t>(sizeof(T));
  return {{"", const_cast<std::remove_const_t<T>*>(array.data()), size, size, static_cast<index_t>(array.size()),
           memory_space::host, element_of<T>()}};
}
template <class T> std::vector<index_field> describe_indexed(const std::vector<T>& array) {
  return describe_indexed(std::span<const T>(array));
}
template <class T> std::vector<index_field> describe_indexed(const view<T, 1>& array) {
  auto result = describe_indexed(std::span<T>(array.data, static_cast<std::size_t>(array.extents[0])));
  result[0].stride = array.strides[0] * result[0].element;
  result[0].space = array.space;
  return result;
}
/// Several components an element: dimension 0 counts the components, dimension 1 the elements; any layout.
template <class T> std::vector<index_field> describe_indexed(const view<T, 2>& array) {
  std::vector<index_field> result;
  const bool together = array.strides[0] == 1;
  for (index_t c = 0; c < (together ? 1 : array.extents[0]); ++c) {
    auto one = describe_indexed(
        view<T, 1>(array.data + c * array.strides[0], point<1>{array.extents[1]}, point<1>{array.strides[1]}));
    one[0].space = array.space;
    if (together) one[0].element *= array.extents[0];
    result.push_back(one[0]);
  }
  return result;
}

/// Fills the ghosts of arrays from their owners, or adds the ghosts up at their owners. Any number of arrays of any
/// element types over the same lists travel together. Movable.
///
///     auto lists = wherry::resolve_ghosts(comm, ghosts);       // or lists of your own
///     wherry::index_exchange exchange(comm, lists, pressure, velocity);
///     exchange();
///
/// An array is a `std::vector`, a `std::span`, a `view` of one dimension, or one of two (components, elements).
class index_exchange {
 public:
  /// Collective; every rank passes its lists and its part of the same arrays.
  /// @throws error on all ranks alike: argument (an index outside its array, a peer that is none), mismatch (lists of
  /// two
  ///         ranks that differ in length).
  template <class... Arrays>
    requires(sizeof...(Arrays) > 0)
  index_exchange(const communicator& comm, const index_lists& lists, const Arrays&... arrays)
      : index_exchange(comm, lists, index_options{}, join(arrays...)) {}
  template <class... Arrays>
    requires(sizeof...(Arrays) > 0)
  index_exchange(const communicator& comm, const index_lists& lists, const index_options& options,
                 const Arrays&... arrays)
      : index_exchange(comm, lists, options, join(arrays...)) {}
  /// The same with types erased.
  index_exchange(const communicator& comm, const index_lists& lists, const index_options& options,
                 std::vector<index_field> fields);

  void start() { exchange_.start(); }
  /// Starts with other arrays of the same shapes.
  template <class... Arrays>
    requires(sizeof...(Arrays) > 0)
  void start(const Arrays&... arrays) {
    start_at(join(arrays...));
  }
  bool test() { return exchange_.test(); }
  void wait() { exchange_.wait(); }
  /// Gives up what is in flight; see `exchange::abandon`.
  void abandon() noexcept { exchange_.abandon(); }
  void operator()() {
    start();
    wait();
  }
  template <class... Arrays>
    requires(sizeof...(Arrays) > 0)
  void operator()(const Arrays&... arrays) {
    start(arrays...);
    wait();
  }

  exchange& bound() { return exchange_; }
  std::string explain() const { return exchange_.explain(); }

 private:
  template <class... Arrays> static std::vector<index_field> join(const Arrays&... arrays) {
    std::vector<index_field> all;
    const auto append = [&all](const std::vector<index_field>& some) {
      all.insert(all.end(), some.begin(), some.end());
    };
    (append(describe_indexed(arrays)), ...);
    return all;
  }
  void start_at(const std::vector<index_field>& fields);

  exchange exchange_;
};

}  // namespace wherry
