/// @file
/// Collectives for C++ values and ranges: elements of any trivially copyable type, operations such as `std::plus<>` and
/// `wherry::minimum`, results as return values, and counts that the library finds out.
///
///     const double norm = std::sqrt(wherry::collective::allreduce(comm, sum_of_squares));
///     wherry::collective::bcast(comm, parameters);
///     const auto all_particles = wherry::collective::allgatherv(comm, my_particles);
///
/// All of these are collective over `comm`. They throw as `run`, and error(argument) for lengths that do not fit. A
/// lambda or other operation of the user's is applied in the order of the ranks; an operation of MPI's, such as a sum
/// of doubles, is applied in any order, and by MPI's rules for NaNs and signed zeros if MPI computes it (the
/// implementations `mpi` and `nonblocking`). More collectives are in typed_parts.hpp, and the split-phase forms in
/// typed_start.hpp. For derived datatypes or MPI_IN_PLACE take `call.hpp`.
#pragma once

#include <mpi.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "wherry/collective/mpi_operations.hpp"
#include "wherry/collective/run.hpp"
#include "wherry/core/any_communicator.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/travels_as_bytes.hpp"
#include "wherry/plan/reduction.hpp"

namespace wherry::collective {

/// An element that travels as bytes and refers to no other memory: neither a pointer nor a view.
template <class T>
concept element =
    travels_as_bytes<T> && !std::is_pointer_v<T> && !std::ranges::view<T> && !std::ranges::borrowed_range<T>;
/// A single element. An array counts as a range of its elements, except in a reduction by an operation on whole arrays.
template <class T>
concept lone_element = element<T> && !std::ranges::range<T>;
/// A container, view or array of contiguous elements. (`<span>` includes the parts of `<ranges>` that are used here.)
template <class Range>
concept elements = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
                   element<std::ranges::range_value_t<Range>>;
/// A range that can be received into: its elements are not `const`.
template <class Range>
concept writable = elements<Range> && !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<Range>>>;
/// True if `Result` can hold every value of `T`. For example, `std::plus<float>` on doubles returns floats and is
/// refused.
template <class Result, class T>
concept no_less_than = !std::is_arithmetic_v<Result> || !std::is_arithmetic_v<T> || std::is_same_v<Result, bool> ||
                       (std::is_floating_point_v<Result> == std::is_floating_point_v<T> &&
                        std::numeric_limits<Result>::digits >= std::numeric_limits<T>::digits);
/// An operation `T op(T, T)` without a state: `std::plus<>{}`, or a lambda that captures nothing.
template <class Op, class T>
concept stateless_operation_on = std::is_empty_v<Op> && std::default_initializable<Op> &&
                                 std::convertible_to<std::invoke_result_t<Op, const T&, const T&>, T> &&
                                 no_less_than<std::remove_cvref_t<std::invoke_result_t<Op, const T&, const T&>>, T>;
/// An operation on elements of type `T`. It is one without a state; or an `MPI_Op` that has a meaning for MPI's
/// datatype of `T`, such as MPI_MAX; or any other reduction: a lambda that captures, or the result of `make_reduction`.
template <class Op, class T>
concept operation_on = stateless_operation_on<Op, T> || std::same_as<Op, MPI_Op> ||
                       (!std::is_empty_v<Op> && std::convertible_to<Op, reduction>);

/// Ranges of all ranks, of different lengths, in one list.
template <class T> struct parts_of_all {
  std::vector<T> all;        ///< the elements, ordered by rank
  std::vector<int> counts;   ///< the number of elements of each rank
  std::vector<int> offsets;  ///< where the elements of each rank begin in `all`

  /// The elements of one rank.
  std::span<const T> of(int rank) const {
    const auto r = static_cast<std::size_t>(rank);
    return std::span(all).subspan(static_cast<std::size_t>(offsets[r]), static_cast<std::size_t>(counts[r]));
  }
};

namespace detail {

int rank_in(MPI_Comm comm);
int size_of(MPI_Comm comm);
/// Converts a count to an int.
/// @throws error(argument) if it does not fit; the other ranks get the error, too
int as_int(MPI_Comm comm, std::size_t count, const char* argument);
/// Converts a count to an int, or to the largest int if it does not fit.
int most_of_int(std::size_t count);

using unique_op = wherry::detail::unique_mpi_handle<MPI_Op, PMPI_Op_free>;

/// The datatype and the operation by which MPI applies a reduction with a state: it is an attribute of the datatype.
class any_reduction {
 public:
  /// @param bytes of an element
  /// @param number MPI's datatype for the elements if they are numbers
  any_reduction(const reduction& how, const plans::element_type& type, std::size_t bytes, MPI_Datatype number);
  MPI_Datatype type() const { return type_; }
  MPI_Op op() const { return op_; }

 private:
  MPI_Datatype type_;
  MPI_Op op_ = MPI_OP_NULL;
  std::shared_ptr<const plans::typed_reduction> how_;
  wherry::detail::unique_datatype own_type_;
  unique_op own_op_;
};

/// The same for an operation of the standard's for one type, such as `std::plus<double>`.
template <class T, class Op> inline constexpr plans::known_operation known_for_type = wherry::detail::known_by<Op>;
template <class T, template <class> class Op>
inline constexpr plans::known_operation known_for_type<T, Op<T>> = wherry::detail::known_by<Op<void>>;

/// The MPI datatype and operation for `Op` on `T`: predefined ones, or an operation that calls `Op` in the order of the
/// ranks.
template <class T, class Op> class reduction_operation {
 public:
  explicit reduction_operation(const Op&) {
    if (known() != MPI_OP_NULL) return;
    MPI_Op fresh = MPI_OP_NULL;
    check_mpi(PMPI_Op_create(apply, 0, &fresh), "MPI_Op_create");
    made_ = unique_op(fresh);
  }
  MPI_Datatype type() const { return type_.get(); }
  MPI_Op op() const { return made_ ? made_.get() : known(); }

 private:
  /// MPI defines only logical operations for `bool`.
  static MPI_Op known() {
    constexpr auto what = known_for_type<T, Op>;
    constexpr bool logical = what == plans::known_operation::logical_and || what == plans::known_operation::logical_or;
    if (number_datatype<T>() == MPI_DATATYPE_NULL || (std::is_same_v<T, bool> && !logical)) return MPI_OP_NULL;
    return mpi_op_of(what);
  }
  static void apply(void* in, void* inout, int* count, MPI_Datatype*) {
    const auto* const left = static_cast<const T*>(in);
    auto* const right = static_cast<T*>(inout);
    for (int i = 0; i < *count; ++i) right[i] = static_cast<T>(Op{}(left[i], right[i]));
  }
  datatype<T> type_;
  unique_op made_;
};
template <class T> class reduction_operation<T, MPI_Op> {
 public:
  explicit reduction_operation(MPI_Op op) : op_(op) {}
  MPI_Datatype type() const { return type_.get(); }
  MPI_Op op() const { return op_; }

 private:
  datatype<T> type_;
  MPI_Op op_;
};
template <class T, class Op>
  requires(!std::is_empty_v<Op> && !std::same_as<Op, MPI_Op>)
class reduction_operation<T, Op> : public any_reduction {
 public:
  explicit reduction_operation(const Op& how)
      : any_reduction(how, plans::element_of<T>(), sizeof(T), number_datatype<T>()) {}
};

/// Functions cannot return lists of built-in arrays: such elements are returned as std::array.
template <class T> struct kept_element {
  using type = T;
};
template <class T, std::size_t N> struct kept_element<T[N]> {
  using type = std::array<typename kept_element<T>::type, N>;
};
template <class Range>
using value_in = typename kept_element<std::remove_cvref_t<decltype(*std::ranges::data(std::declval<Range&>()))>>::type;

/// Appends elements to a list.
template <class Range> void append(std::vector<value_in<Range>>& list, const Range& more) {
  const auto* const first = reinterpret_cast<const value_in<Range>*>(std::ranges::data(more));
  list.insert(list.end(), first, first + std::ranges::size(more));
}

template <class Range> int count_in(MPI_Comm comm, const Range& range, const char* argument) {
  return as_int(comm, std::ranges::size(range), argument);
}
/// Computes where each part begins.
/// @return the number of elements in all parts
std::size_t offsets_of(const std::vector<int>& counts, std::vector<int>& offsets);
/// Gathers a count of each rank.
std::vector<int> allgather_counts(MPI_Comm comm, int mine);
/// Exchanges a count with each rank.
/// @throws error(argument) if the counts do not fit `elements`; with WHERRY_CHECK on all ranks
std::vector<int> alltoall_counts(MPI_Comm comm, const std::vector<int>& mine, std::size_t elements);
// Throws the error that keeps this rank from making the call. The other ranks get it in their call, and if not all
// ranks have the same error the communicator is given up.
[[noreturn]] void refuse(MPI_Comm comm, const char* what, const std::string& why,
                         error_kind kind = error_kind::argument);
[[noreturn]] void throw_lengths(MPI_Comm comm, const char* what, std::size_t in, std::size_t out, std::size_t wanted);
[[noreturn]] void throw_uneven(MPI_Comm comm, const char* what, const char* argument, std::size_t elements);
[[noreturn]] void throw_no_memory(MPI_Comm comm, const char* what, std::size_t elements, std::size_t bytes);
/// Resizes a list.
/// @throws error(resource) if there is no memory; the other ranks get the error, too
template <class T> void make_room(MPI_Comm comm, const char* what, std::vector<T>& list, std::size_t elements) {
  try {
    list.resize(elements);
  } catch (const std::exception&) {
    throw_no_memory(comm, what, elements, sizeof(T));
  }
}
/// The faults that a list of counts for some number of elements can have.
enum class counts_fault { none, other_number, negative, other_sum, beyond_int };
counts_fault fault_of(const std::vector<int>& counts, MPI_Comm comm, std::size_t elements);
[[noreturn]] void throw_counts(MPI_Comm comm, const char* what, counts_fault fault, int whose);

template <class In, class Out>
void check_lengths(MPI_Comm comm, const char* what, const In& in, const Out& out, std::size_t factor) {
  if (std::ranges::size(out) != std::ranges::size(in) * factor)
    throw_lengths(comm, what, std::ranges::size(in), std::ranges::size(out), std::ranges::size(in) * factor);
}

}  // namespace detail

/// Waits until all ranks have come.
inline void barrier(any_communicator comm) { run(call::barrier(comm)); }

/// Copies the root's range or value to all ranks. Ranges have the same length on all ranks.
template <writable Range> void bcast(any_communicator comm, Range&& buffer, int root = 0) {
  const detail::datatype<detail::value_in<Range>> type;
  run(call::bcast(std::ranges::data(buffer), detail::count_in(comm, buffer, "buffer"), type.get(), root, comm));
}
template <lone_element T> void bcast(any_communicator comm, T& value, int root = 0) {
  bcast(comm, std::span(std::addressof(value), 1), root);
}

/// Reduces the values of all ranks and returns the result on all of them.
template <element T, operation_on<T> Op = std::plus<>>
[[nodiscard]] T allreduce(any_communicator comm, const T& value, Op how = {}) {
  T result = value;
  const detail::reduction_operation<T, Op> by(how);
  run(call::allreduce(std::addressof(value), std::addressof(result), 1, by.type(), by.op(), comm));
  return result;
}
/// Reduces ranges element by element. All ranges have the same length.
template <elements In, writable Out, operation_on<detail::value_in<In>> Op = std::plus<>>
void allreduce(any_communicator comm, const In& in, Out&& out, Op how = {}) {
  static_assert(std::is_same_v<detail::value_in<In>, detail::value_in<Out>>, "both ranges have the same elements");
  detail::check_lengths(comm, "allreduce", in, out, 1);
  const detail::reduction_operation<detail::value_in<In>, Op> by(how);
  run(call::allreduce(std::ranges::data(in), std::ranges::data(out), detail::count_in(comm, in, "in"), by.type(),
                      by.op(), comm));
}

/// Reduces the values of all ranks. Returns the result on the root, and `value` on other ranks.
template <element T, operation_on<T> Op = std::plus<>>
[[nodiscard]] T reduce(any_communicator comm, const T& value, Op how = {}, int root = 0) {
  T result = value;
  const detail::reduction_operation<T, Op> by(how);
  run(call::reduce(std::addressof(value), std::addressof(result), 1, by.type(), by.op(), root, comm));
  return result;
}

/// Reduces the values of the ranks up to this one, itself included.
template <element T, operation_on<T> Op = std::plus<>>
[[nodiscard]] T scan(any_communicator comm, const T& value, Op how = {}) {
  T result = value;
  const detail::reduction_operation<T, Op> by(how);
  run(call::scan(std::addressof(value), std::addressof(result), 1, by.type(), by.op(), comm));
  return result;
}
/// Reduces the values of the ranks before this one. Rank 0, which has none before it, gets `first`.
template <element T, operation_on<T> Op = std::plus<>>
[[nodiscard]] T exscan(any_communicator comm, const T& value, const T& first = {}, Op how = {}) {
  T result = first;
  const detail::reduction_operation<T, Op> by(how);
  run(call::exscan(std::addressof(value), std::addressof(result), 1, by.type(), by.op(), comm));
  return detail::rank_in(comm) == 0 ? first : result;
}

/// Gathers a range or value of each rank on all ranks, ordered by rank. Ranges have the same length on all ranks.
template <elements Range> [[nodiscard]] auto allgather(any_communicator comm, const Range& mine) {
  const detail::datatype<detail::value_in<Range>> type;
  const auto count = detail::count_in(comm, mine, "mine");
  std::vector<detail::value_in<Range>> all;
  detail::make_room(comm, "allgather", all, std::ranges::size(mine) * static_cast<std::size_t>(detail::size_of(comm)));
  run(call::allgather(std::ranges::data(mine), count, type.get(), all.data(), count, type.get(), comm));
  return all;
}
template <lone_element T> [[nodiscard]] std::vector<T> allgather(any_communicator comm, const T& value) {
  return allgather(comm, std::span(std::addressof(value), 1));
}
/// Gathers a range or value of each rank on the root, ordered by rank; the result is empty on other ranks. Ranges have
/// the same length on all ranks.
template <elements Range> [[nodiscard]] auto gather(any_communicator comm, const Range& mine, int root = 0) {
  const detail::datatype<detail::value_in<Range>> type;
  const auto count = detail::count_in(comm, mine, "mine");
  std::vector<detail::value_in<Range>> all;
  if (detail::rank_in(comm) == root)
    detail::make_room(comm, "gather", all, std::ranges::size(mine) * static_cast<std::size_t>(detail::size_of(comm)));
  run(call::gather(std::ranges::data(mine), count, type.get(), all.data(), count, type.get(), root, comm));
  return all;
}
template <lone_element T> [[nodiscard]] std::vector<T> gather(any_communicator comm, const T& value, int root = 0) {
  return gather(comm, std::span(std::addressof(value), 1), root);
}

/// Gathers ranges of different lengths on all ranks, ordered by rank.
template <elements Range> [[nodiscard]] auto allgatherv(any_communicator comm, const Range& mine) {
  using T = detail::value_in<Range>;
  const detail::datatype<T> type;
  parts_of_all<T> parts;
  parts.counts = detail::allgather_counts(comm, detail::count_in(comm, mine, "mine"));
  const std::size_t whole = detail::offsets_of(parts.counts, parts.offsets);
  detail::as_int(comm, whole, "all ranks' elements");
  detail::make_room(comm, "allgatherv", parts.all, whole);
  run(call::allgatherv(std::ranges::data(mine), parts.counts[static_cast<std::size_t>(detail::rank_in(comm))],
                       type.get(), parts.all.data(), parts.counts.data(), parts.offsets.data(), type.get(), comm));
  return parts;
}

/// Sends block r to rank r. `mine` has as many equal blocks as there are ranks; block r of the result comes from rank
/// r.
template <elements Range> [[nodiscard]] auto alltoall(any_communicator comm, const Range& mine) {
  const auto ranks = static_cast<std::size_t>(detail::size_of(comm));
  if (std::ranges::size(mine) % ranks != 0) detail::throw_uneven(comm, "alltoall", "mine", std::ranges::size(mine));
  const detail::datatype<detail::value_in<Range>> type;
  const auto count = detail::as_int(comm, std::ranges::size(mine) / ranks, "mine");
  std::vector<detail::value_in<Range>> all;
  detail::make_room(comm, "alltoall", all, std::ranges::size(mine));
  run(call::alltoall(std::ranges::data(mine), count, type.get(), all.data(), count, type.get(), comm));
  return all;
}

/// Sends to rank r the next `counts[r]` elements of `mine`. The receiver need not know the counts.
template <elements Range>
[[nodiscard]] auto alltoallv(any_communicator comm, const Range& mine, const std::vector<int>& counts) {
  using T = detail::value_in<Range>;
  parts_of_all<T> parts;
  parts.counts = detail::alltoall_counts(comm, counts, std::ranges::size(mine));
  std::vector<int> offsets;
  detail::offsets_of(counts, offsets);
  const auto whole = detail::offsets_of(parts.counts, parts.offsets);
  detail::as_int(comm, whole, "what this rank gets");
  detail::make_room(comm, "alltoallv", parts.all, whole);
  const detail::datatype<T> type;
  run(call::alltoallv(std::ranges::data(mine), counts.data(), offsets.data(), type.get(), parts.all.data(),
                      parts.counts.data(), parts.offsets.data(), type.get(), comm));
  return parts;
}
/// Sends `mine[r]` to rank r.
template <elements Range> [[nodiscard]] auto alltoallv(any_communicator comm, const std::vector<Range>& mine) {
  std::vector<int> counts;
  for (const auto& part : mine) counts.push_back(detail::count_in(comm, part, "mine"));
  std::vector<detail::value_in<Range>> leaving;
  for (const auto& part : mine) detail::append(leaving, part);
  return alltoallv(comm, leaving, counts);
}

}  // namespace wherry::collective
