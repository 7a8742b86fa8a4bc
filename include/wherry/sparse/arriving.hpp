/// @file
/// A sparse exchange under way, as `start_send_to` and `start_sparse_exchange` return it.
///
///     auto flight = wherry::start_send_to(comm, owners, particles);
///     compute();
///     const auto arrived = flight.wait();
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <ranges>
#include <string_view>
#include <type_traits>
#include <utility>

#include "wherry/core/travels_as_bytes.hpp"
#include "wherry/sparse/arrivals.hpp"
#include "wherry/sparse/detail/byte_exchange.hpp"

namespace wherry {

namespace detail {

/// An element that travels as bytes and refers to no other memory.
template <class T>
concept sparse_element = travels_as_bytes<T> && std::default_initializable<T> && !std::is_pointer_v<T> &&
                         !std::is_array_v<T> && !std::ranges::view<T> && !std::is_same_v<T, bool>;
template <class T> sparse_elements elements_of() { return {plans::element_of<T>(), sizeof(T)}; }

template <class T> sparse_target target_of(const std::shared_ptr<arrivals<T>>& lists) {
  const auto resize = [](void* to, std::size_t elements) {
    auto& all = static_cast<arrivals<T>*>(to)->all;
    all.resize(elements);
    return reinterpret_cast<std::byte*>(all.data());
  };
  sparse_target target{lists, resize, &lists->ranks_to_fill(), &lists->offsets_to_fill()};
  if constexpr (std::is_trivially_copyable_v<T> && alignof(T) <= sparse_target::append_alignment) {
    target.reserve = [](void* to, std::size_t elements) { static_cast<arrivals<T>*>(to)->all.reserve(elements); };
    target.append = [](void* to, const std::byte* from, std::size_t elements) {
      auto& all = static_cast<arrivals<T>*>(to)->all;
      const auto* const first = reinterpret_cast<const T*>(from);
      all.insert(all.end(), first, first + elements);
    };
  }
  return target;
}

}  // namespace detail

/// A sparse exchange that has begun. Movable. Several may be under way on a communicator: all ranks start them in the
/// same order, and end them in any order. It progresses in `test` and `wait`, and whenever this rank waits in any other
/// call of Wherry. The elements that were given may be changed or freed as soon as it has begun.
template <class T> class arriving {
 public:
  /// True if all elements of this rank have arrived and left. Local.
  /// @throws as `wait`, except error(timeout)
  bool test() { return exchange_.test(); }
  /// Waits for the end and returns the elements that have arrived, which can be taken once.
  /// @throws error(argument), error(mismatch) and error(resource) on all ranks alike; error(timeout) after
  ///   WHERRY_TIMEOUT seconds, which names the ranks that have not come; then `wait` may be called again;
  ///   error(state) if the result has been taken
  arrivals<T> wait() {
    exchange_.wait();
    if (lists_ == nullptr) detail::throw_taken_arrivals();
    return std::move(*std::exchange(lists_, nullptr));
  }
  /// The name of the algorithm.
  std::string_view algorithm() const { return exchange_.algorithm(); }

  /// For the library: starts an exchange whose elements are packed.
  explicit arriving(detail::byte_exchange&& exchange)
      : lists_(std::make_shared<arrivals<T>>()), exchange_(std::move(exchange)) {
    exchange_.start(detail::target_of(lists_));
  }

 private:
  std::shared_ptr<arrivals<T>> lists_;
  detail::byte_exchange exchange_;
};

}  // namespace wherry
