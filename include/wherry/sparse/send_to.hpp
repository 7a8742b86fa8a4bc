/// @file
/// Sends elements to ranks that do not know that something will come.
///
///     // Each particle goes to the rank that owns its place.
///     auto arrived = wherry::send_to(comm, owners, particles);
///     particles = std::move(arrived.all);
///
/// Take an `index_exchange`, a `mover` or another bound pattern if both sides know what moves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/sparse/arrivals.hpp"
#include "wherry/sparse/arriving.hpp"
#include "wherry/sparse/detail/byte_exchange.hpp"
#include "wherry/sparse/detail/in_turns.hpp"
#include "wherry/sparse/options.hpp"

namespace wherry {

/// Elements for one rank. Several parcels for a rank arrive one behind the other, in the order in which they are given.
template <class T> struct parcel {
  int to = 0;
  std::span<const T> elements;  ///< perhaps none: the receiver then has this rank among its sources
};

namespace detail {

template <class Range>
concept sparse_elements_in = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
                             sparse_element<std::ranges::range_value_t<Range>>;

template <class T> inline constexpr bool is_parcel = false;
template <class T> inline constexpr bool is_parcel<parcel<T>> = true;
template <class Range>
concept parcels_in = std::ranges::forward_range<Range> && is_parcel<std::ranges::range_value_t<Range>>;

}  // namespace detail

namespace detail {

template <class T>
byte_exchange packed_values(const communicator& comm, std::span<const int> destinations, std::span<const T> values,
                            const sparse_options& options, sparse_form form) {
  byte_exchange exchange(comm, "send_to", elements_of<T>(), options, form);
  exchange.count(destinations, values.size());
  if (auto* const room = exchange.room()) {
    auto* const places = exchange.places().data();
    for (std::size_t i = 0; i < values.size(); ++i) {
      auto& place = places[destinations[i]];
      std::memcpy(room + place, &values[i], sizeof(T));
      place += sizeof(T);
    }
  }
  return exchange;
}

template <class T, class Parcels>
byte_exchange packed_parcels(const communicator& comm, const Parcels& parcels, const sparse_options& options,
                             sparse_form form) {
  byte_exchange exchange(comm, "sparse_exchange", elements_of<T>(), options, form);
  for (const auto& one : parcels) exchange.count(one.to, one.elements.size());
  if (exchange.room() != nullptr)
    for (const auto& one : parcels) exchange.pack(one.to, one.elements.data(), one.elements.size());
  return exchange;
}

template <class T, class Parcels>
arrivals<T> parcels_in_turns(const communicator& comm, const Parcels& parcels, const sparse_options& options) {
  return exchange_in_turns<T>(comm, "sparse_exchange", options, {}, [&](auto&& visit) {
    for (const auto& one : parcels) visit(one.to, one.elements.data(), one.elements.size());
  });
}

template <class T>
arrivals<T> values_in_turns(const communicator& comm, std::span<const int> destinations, std::span<const T> values,
                            const sparse_options& options) {
  return exchange_in_turns<T>(comm, "send_to", options, length_fault(destinations.size(), values.size()),
                              [&](auto&& visit) {
                                for (std::size_t i = 0; i < std::min(values.size(), destinations.size()); ++i)
                                  visit(destinations[i], &values[i], 1);
                              });
}

}  // namespace detail

/// Starts to send `values[i]` to rank `destinations[i]`, for each i. Collective over `comm`: all ranks start it, or all
/// call `send_to`. Does not wait for other ranks, except in the first sparse exchange on `comm`. A rank may send to
/// itself, and may give nothing.
/// @throws nothing on its own: an error of any rank is thrown on all ranks by `wait` or `test`. It is error(argument)
///   for lists of different lengths or a destination that is no rank, and error(mismatch) for ranks that give different
///   element types or options
template <detail::sparse_elements_in Values>
auto start_send_to(const communicator& comm, std::span<const int> destinations, const Values& values,
                   const sparse_options& options = {}) {
  using element = std::ranges::range_value_t<Values>;
  const std::span<const element> given(std::ranges::data(values), std::ranges::size(values));
  return arriving<element>(detail::packed_values(comm, destinations, given, options, detail::sparse_form::started));
}
/// Sends `values[i]` to rank `destinations[i]`, for each i, and returns what other ranks sent to this one. Collective.
/// @throws as `arriving::wait`; after error(timeout) the exchange goes on by itself
template <detail::sparse_elements_in Values>
[[nodiscard]] auto send_to(const communicator& comm, std::span<const int> destinations, const Values& values,
                           const sparse_options& options = {}) {
  using element = std::ranges::range_value_t<Values>;
  const std::span<const element> given(std::ranges::data(values), std::ranges::size(values));
  if (options.limit_bytes > 0) return detail::values_in_turns(comm, destinations, given, options);
  return arriving<element>(detail::packed_values(comm, destinations, given, options, detail::sparse_form::blocking))
      .wait();
}

/// Starts to send parcels, such as a `std::vector<parcel<double>>`. Collective over `comm`, as `start_send_to`.
template <detail::parcels_in Parcels>
auto start_sparse_exchange(const communicator& comm, const Parcels& parcels, const sparse_options& options = {}) {
  using element = std::remove_const_t<
      typename decltype(std::declval<std::ranges::range_value_t<Parcels>>().elements)::element_type>;
  static_assert(detail::sparse_element<element>, "the elements travel as bytes and refer to no other memory");
  return arriving<element>(detail::packed_parcels<element>(comm, parcels, options, detail::sparse_form::started));
}
/// Sends parcels, and returns what other ranks sent to this one. Collective over `comm`.
/// @throws as `send_to`
template <detail::parcels_in Parcels>
[[nodiscard]] auto sparse_exchange(const communicator& comm, const Parcels& parcels,
                                   const sparse_options& options = {}) {
  using element = std::remove_const_t<
      typename decltype(std::declval<std::ranges::range_value_t<Parcels>>().elements)::element_type>;
  static_assert(detail::sparse_element<element>, "the elements travel as bytes and refer to no other memory");
  if (options.limit_bytes > 0) return detail::parcels_in_turns<element>(comm, parcels, options);
  return arriving<element>(detail::packed_parcels<element>(comm, parcels, options, detail::sparse_form::blocking))
      .wait();
}
/// The overload for parcels in braces: `sparse_exchange<double>(comm, {{right, u}, {left, v}})`.
template <detail::sparse_element T>
[[nodiscard]] arrivals<T> sparse_exchange(const communicator& comm, std::initializer_list<parcel<T>> parcels,
                                          const sparse_options& options = {}) {
  if (options.limit_bytes > 0) return detail::parcels_in_turns<T>(comm, parcels, options);
  return arriving<T>(detail::packed_parcels<T>(comm, parcels, options, detail::sparse_form::blocking)).wait();
}

}  // namespace wherry
