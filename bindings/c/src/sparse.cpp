#include "wherry/c/sparse.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wherry/core/checked.hpp"
#include "wherry/sparse/options.hpp"
#include "wherry/sparse/send_to.hpp"

#include "convert.hpp"
#include "objects.hpp"
#include "program_functions.hpp"
#include "sparse_lists.hpp"

namespace wherry_c {

struct arriving_object {
  std::shared_ptr<arrivals_object> lists;
  wherry::detail::byte_exchange exchange;
  std::string algorithm{};
};
template <> inline constexpr kind kind_of<arriving_object> = kind::arriving;

namespace {

using wherry::detail::sparse_form;

/// Elements for one rank.
struct run {
  int to;
  const std::byte* first;
  std::size_t count;
};

/// The elements that a rank gives: values of which each has a destination, or parcels. The other ranks wait for this
/// one, so they hear of an error in it by the exchange itself.
struct sparse_call {
  const wherry::communicator& comm;
  std::string_view where;
  wherry_type type = 0;
  int components = 1;
  element each{};
  wherry::sparse_options how{};
  std::span<const int> destinations{};
  const std::byte* first = nullptr;  ///< the first value
  std::ptrdiff_t stride = 0;         ///< bytes between values
  std::vector<run> parcels{};
  std::optional<wherry::error> fault{};  ///< the first one

  template <class Step> void read(Step&& step) {
    auto found = wherry::detail::error_of(comm, where, step);
    if (!fault) fault = std::move(found);
  }
  std::size_t bytes() const { return static_cast<std::size_t>(each.bytes); }
  const std::byte* value(std::size_t i) const { return first + static_cast<std::ptrdiff_t>(i) * stride; }
};

/// Reads what both forms have in common. Also after an error the rest is read, so that this rank takes part in the
/// exchange as the others expect it, with `receive_from` and the ranks to which it would send.
template <class Result>
void read_common(sparse_call& call, wherry_type type, int components, const wherry_sparse_options* options,
                 const Result* result) {
  call.type = type;
  call.components = components;
  call.read([&] { require_result(result, call.where, "result"); });
  call.read([&] { read_sparse_options(options, call.where, call.how); });
}

template <class Result>
sparse_call call_of_values(const wherry::communicator& comm, const int* destinations, const wherry_view& values,
                           const wherry_sparse_options* options, const Result* result) {
  sparse_call call{comm, "wherry_send_to"};
  read_common(call, values.type, values.components, options, result);
  call.read([&] { call.destinations = list_of(destinations, values.extents[0], call.where, "destinations"); });
  call.read([&] {
    check_view(values, 1, call.where, "'values'");
    if (space_of(values, call.where, "'values'") != wherry::memory_space::host)
      refuse(call.where, "'values' is in memory of an accelerator, expected memory of the host");
    call.each = element_of(values.type, values.components, call.where, "'values'");
    call.first = static_cast<const std::byte*>(values.data);
    call.stride = wherry::detail::checked{call.where, "stride in bytes"}.product(values.strides[0], call.each.bytes);
  });
  return call;
}

template <class Result>
sparse_call call_of_parcels(const wherry::communicator& comm, int parcel_count, const wherry_parcel* parcels,
                            wherry_type type, int components, const wherry_sparse_options* options,
                            const Result* result) {
  sparse_call call{comm, "wherry_sparse_exchange"};
  read_common(call, type, components, options, result);
  call.read([&] { call.each = element_of(type, components, call.where, "the element"); });
  call.read([&] {
    for (const auto& one : list_of(parcels, parcel_count, call.where, "parcels")) {
      const auto argument = wherry::detail::text("parcels[", call.parcels.size(), "].elements");
      call.parcels.push_back({one.to, static_cast<const std::byte*>(one.elements), 0});
      call.read([&] {
        call.parcels.back().count =
            list_of(static_cast<const std::byte*>(one.elements), one.count, call.where, argument).size();
      });
    }
  });
  return call;
}

template <std::size_t Bytes>
void pack_values(const sparse_call& call, std::byte* room, std::span<std::size_t> places, std::size_t bytes) {
  for (std::size_t i = 0; i < call.destinations.size(); ++i) {
    auto& place = places[static_cast<std::size_t>(call.destinations[i])];
    std::memcpy(room + place, call.value(i), Bytes > 0 ? Bytes : bytes);
    place += bytes;
  }
}

/// An exchange with all elements packed.
wherry::detail::byte_exchange packed(const sparse_call& call, sparse_form form) {
  const auto bytes = call.bytes();
  wherry::detail::byte_exchange exchange(call.comm, call.where, {call.each.type, bytes}, call.how, form);
  if (call.fault) exchange.refuse(*call.fault);
  exchange.count(call.destinations, call.destinations.size());
  for (const auto& one : call.parcels) exchange.count(one.to, one.count);
  auto* const room = exchange.room();
  if (room == nullptr) return exchange;
  for (const auto& one : call.parcels) exchange.pack(one.to, one.first, one.count);
  switch (bytes) {  // compilers make one instruction of a copy whose size they know
    case 4:
      pack_values<4>(call, room, exchange.places(), bytes);
      break;
    case 8:
      pack_values<8>(call, room, exchange.places(), bytes);
      break;
    default:
      pack_values<0>(call, room, exchange.places(), bytes);
  }
  return exchange;
}

std::shared_ptr<arriving_object> begin(const sparse_call& call, sparse_form form) {
  auto lists = std::make_shared<arrivals_object>(call.type, call.components, call.bytes());
  auto result = std::make_shared<arriving_object>(lists, packed(call, form));
  result->exchange.start(target_of(lists));
  return result;
}

std::shared_ptr<arrivals_object> end(arriving_object& one, std::string_view where) {
  one.exchange.wait();
  if (one.lists == nullptr)
    throw wherry::error(wherry::error_kind::state, where, "what had arrived was taken by an earlier call");
  auto lists = std::exchange(one.lists, nullptr);
  lists->finish();
  return lists;
}

std::shared_ptr<arrivals_object> in_turns(const sparse_call& call) {
  const auto for_each_run = [&](auto&& visit) {
    for (std::size_t i = 0; i < call.destinations.size(); ++i) visit(call.destinations[i], call.value(i), call.bytes());
    for (const auto& one : call.parcels) visit(one.to, one.first, one.count * call.bytes());
  };
  auto arrived = wherry::detail::exchange_in_turns<std::byte>(call.comm, call.where, call.how,
                                                              call.fault ? call.fault->text() : std::string(),
                                                              for_each_run, {call.each.type, call.bytes()});
  auto lists = std::make_shared<arrivals_object>(call.type, call.components, call.bytes());
  lists->all = std::move(arrived.all);
  lists->sources = std::move(arrived.ranks_to_fill());
  lists->begins = std::move(arrived.offsets_to_fill());
  for (auto& place : lists->begins) place /= call.bytes();
  lists->finish();
  return lists;
}

std::shared_ptr<arrivals_object> run_call(const sparse_call& call) {
  if (call.how.limit_bytes > 0) return in_turns(call);
  return end(*begin(call, sparse_form::blocking), call.where);
}

/// Starts a call. A rank that has no place for the handle takes part, so that the others hear of it.
template <class Result> std::shared_ptr<arriving_object> start_call(const sparse_call& call, const Result* result) {
  auto begun = begin(call, sparse_form::started);
  require_result(result, call.where, "result");
  begun->algorithm = begun->exchange.algorithm();
  return begun;
}

const wherry::communicator& comm_for_sparse(wherry_communicator comm, std::string_view where) {
  return object_of<wherry::communicator>(comm, where, "comm");
}
arrivals_object& arrivals_of(wherry_arrivals arrivals, std::string_view where) {
  return object_of<arrivals_object>(arrivals, where, "arrivals");
}

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_sparse_algorithms(const char* const** names, int* count) {
  constexpr auto where = "wherry_sparse_algorithms";
  return guarded(where, [&] {
    static const auto list = wherry::sparse_algorithms();
    static const auto texts = [] {
      std::vector<const char*> all;
      for (const auto& name : list) all.push_back(name.c_str());
      return all;
    }();
    require_result(names, where, "names");
    require_result(count, where, "count");
    *names = texts.data();
    *count = static_cast<int>(texts.size());
  });
}

wherry_status wherry_send_to(wherry_communicator comm, const int* destinations, wherry_view values,
                             const wherry_sparse_options* options, wherry_arrivals* result) {
  constexpr auto where = "wherry_send_to";
  return creating(result, where, [&] {
    return run_call(call_of_values(comm_for_sparse(comm, where), destinations, values, options, result));
  });
}
wherry_status wherry_send_to_start(wherry_communicator comm, const int* destinations, wherry_view values,
                                   const wherry_sparse_options* options, wherry_arriving* result) {
  constexpr auto where = "wherry_send_to_start";
  return creating(result, where, [&] {
    return start_call(call_of_values(comm_for_sparse(comm, where), destinations, values, options, result), result);
  });
}
wherry_status wherry_sparse_exchange(wherry_communicator comm, int parcel_count, const wherry_parcel* parcels,
                                     wherry_type type, int components, const wherry_sparse_options* options,
                                     wherry_arrivals* result) {
  constexpr auto where = "wherry_sparse_exchange";
  return creating(result, where, [&] {
    return run_call(
        call_of_parcels(comm_for_sparse(comm, where), parcel_count, parcels, type, components, options, result));
  });
}
wherry_status wherry_sparse_exchange_start(wherry_communicator comm, int parcel_count, const wherry_parcel* parcels,
                                           wherry_type type, int components, const wherry_sparse_options* options,
                                           wherry_arriving* result) {
  constexpr auto where = "wherry_sparse_exchange_start";
  return creating(result, where, [&] {
    return start_call(
        call_of_parcels(comm_for_sparse(comm, where), parcel_count, parcels, type, components, options, result),
        result);
  });
}

wherry_status wherry_arriving_test(wherry_arriving arriving, int* done) {
  constexpr auto where = "wherry_arriving_test";
  return guarded(where, [&] {
    auto& ours = object_of<arriving_object>(arriving, where, "arriving");
    refuse_in_program_function(where);
    require_result(done, where, "done");
    *done = 0;
    *done = ours.exchange.test() ? 1 : 0;
  });
}
wherry_status wherry_arriving_wait(wherry_arriving arriving, wherry_arrivals* result) {
  constexpr auto where = "wherry_arriving_wait";
  return creating(result, where, [&] {
    auto& ours = object_of<arriving_object>(arriving, where, "arriving");
    refuse_in_program_function(where);
    require_result(result, where, "result");
    return end(ours, where);
  });
}
wherry_status wherry_arriving_algorithm(wherry_arriving arriving, const char** name) {
  constexpr auto where = "wherry_arriving_algorithm";
  return guarded(where, [&] {
    const auto& ours = object_of<arriving_object>(arriving, where, "arriving");
    require_result(name, where, "name");
    *name = ours.algorithm.c_str();
  });
}
wherry_status wherry_arriving_free(wherry_arriving* arriving) {
  constexpr auto where = "wherry_arriving_free";
  return guarded(where, [&] { free_handle<arriving_object>(arriving, where, "arriving"); });
}

wherry_status wherry_arrivals_all(wherry_arrivals arrivals, wherry_view* all) {
  constexpr auto where = "wherry_arrivals_all";
  return guarded(where, [&] {
    auto& ours = arrivals_of(arrivals, where);
    require_result(all, where, "all");
    *all = ours.view(0, ours.count());
  });
}
wherry_status wherry_arrivals_from(wherry_arrivals arrivals, int rank, wherry_view* elements) {
  constexpr auto where = "wherry_arrivals_from";
  return guarded(where, [&] {
    auto& ours = arrivals_of(arrivals, where);
    require_result(elements, where, "elements");
    const auto found = std::ranges::lower_bound(ours.sources, rank);
    const auto place = static_cast<std::size_t>(found - ours.sources.begin());
    const bool sent = found != ours.sources.end() && *found == rank;
    *elements = sent ? ours.view(ours.offsets[place], ours.offsets[place + 1]) : ours.view(0, 0);
  });
}
wherry_status wherry_arrivals_sources(wherry_arrivals arrivals, const int** ranks, int* count) {
  constexpr auto where = "wherry_arrivals_sources";
  return guarded(where, [&] {
    const auto& ours = arrivals_of(arrivals, where);
    require_result(ranks, where, "ranks");
    require_result(count, where, "count");
    *ranks = ours.sources.data();
    *count = static_cast<int>(ours.sources.size());
  });
}
wherry_status wherry_arrivals_offsets(wherry_arrivals arrivals, const int64_t** offsets) {
  constexpr auto where = "wherry_arrivals_offsets";
  return guarded(where, [&] {
    const auto& ours = arrivals_of(arrivals, where);
    require_result(offsets, where, "offsets");
    *offsets = ours.offsets.data();
  });
}
wherry_status wherry_arrivals_source_of(wherry_arrivals arrivals, int64_t place, int* rank) {
  constexpr auto where = "wherry_arrivals_source_of";
  return guarded(where, [&] {
    const auto& ours = arrivals_of(arrivals, where);
    require_result(rank, where, "rank");
    if (place < 0 || place >= ours.count())
      refuse(where, "'place' is ", place, ", but ", ours.count(), " elements have arrived");
    const auto after = std::ranges::upper_bound(ours.offsets, place);
    *rank = ours.sources[static_cast<std::size_t>(after - ours.offsets.begin()) - 1];
  });
}
wherry_status wherry_arrivals_free(wherry_arrivals* arrivals) {
  constexpr auto where = "wherry_arrivals_free";
  return guarded(where, [&] { free_handle<arrivals_object>(arrivals, where, "arrivals"); });
}
}
