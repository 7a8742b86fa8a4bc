/// @file
/// Split-phase collectives for C++ values and ranges: an object keeps all that the collective needs, and its `wait`
/// returns the result.
///
///     auto norm = collective::start_allreduce(comm, mine);
///     // … compute …
///     const double all = norm.wait();
///     auto largest = collective::start_allreduce(comm, mine, wherry::maximum{});  // or MPI_MAX, or a lambda
///
/// All ranks of `comm` call these functions, in the same order. No call waits for the other ranks. They throw as
/// `start` (run.hpp), and error(argument) for lengths that do not fit. For blocking calls see typed.hpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "wherry/collective/typed.hpp"

namespace wherry::collective {

namespace detail {

/// Keeps the memory of an abandoned or failed collective for good: MPI may write to it as long as the program runs.
void never_give_back(std::shared_ptr<void> memory);
/// Options that make a temporary range be copied, as with `start_options::protected_buffer`.
template <class Range> start_options sent_from(start_options options) {
  constexpr bool stays = std::is_lvalue_reference_v<Range> || std::ranges::borrowed_range<Range>;
  options.protected_buffer = options.protected_buffer || !stays;
  return options;
}
[[noreturn]] void throw_taken();

}  // namespace detail

/// A split-phase collective with its result. Movable. All ranks start the collectives of a communicator in the same
/// order, and end them in any order. A collective that is destroyed before its end is abandoned, as a `running_call`
/// is.
template <class Result> class [[nodiscard]] in_flight {
 public:
  using kept = std::conditional_t<std::is_void_v<Result>, std::monostate, Result>;

  in_flight() = default;  ///< an object without a collective
  /// @param result shares ownership of everything that the operation refers to
  in_flight(std::shared_ptr<kept> result, running_call running)
      : result_(std::move(result)), running_(std::move(running)) {}
  in_flight(in_flight&&) noexcept = default;
  in_flight& operator=(in_flight&& other) noexcept {
    abandon();
    running_ = std::move(other.running_);
    result_ = std::move(other.result_);
    return *this;
  }
  ~in_flight() { abandon(); }

  /// True if the collective has ended, so that `wait` returns at once. Local.
  /// @throws as `running_call::test`
  bool test() {
    return carefully([this] { return running_.test(); });
  }
  /// Waits for the end and returns the result, which can be taken once.
  /// @throws as `running_call::wait`, and error(state) if there is no result
  Result wait() {
    if (result_ == nullptr) detail::throw_taken();
    carefully([this] { running_.wait(); });
    [[maybe_unused]] const auto last = std::exchange(result_, nullptr);
    if constexpr (!std::is_void_v<Result>) return std::move(*last);
  }

  /// These functions return the same as those of a `running_call`.
  std::string transport() const { return running_.transport(); }
  std::string explain() const { return running_.explain(); }
  exchange_statistics statistics() const { return running_.statistics(); }

 private:
  template <class Step> auto carefully(Step&& step) {
    try {
      return step();
    } catch (...) {
      if (result_ != nullptr) detail::never_give_back(std::exchange(result_, nullptr));
      throw;
    }
  }
  void abandon() noexcept {
    if (result_ == nullptr || running_.implementation().empty()) return;
    running_ = {};
    detail::never_give_back(std::exchange(result_, nullptr));
  }

  std::shared_ptr<kept> result_;
  running_call running_;
};

namespace detail {

/// @param result shares ownership of everything that the call refers to; it is kept for good if the call fails after
///   something was sent
template <class Result>
in_flight<Result> start_keeping(std::shared_ptr<typename in_flight<Result>::kept> result, const call& what,
                                const start_options& options) {
  try {
    return {result, collective::start(what, options)};
  } catch (const error& e) {
    if (e.kind() != error_kind::argument) never_give_back(std::move(result));
    throw;
  } catch (...) {
    never_give_back(std::move(result));
    throw;
  }
}

template <class T, class Op> struct started_reduction {
  T in, out;
  reduction_operation<T, Op> by;

  started_reduction(const T& value, const Op& op) : in(value), out(value), by(op) {}
  template <class Call>
  static in_flight<T> start(Call&& make, const T& value, const Op& op, const start_options& options) {
    const auto all = std::make_shared<started_reduction>(value, op);
    return start_keeping<T>({all, std::addressof(all->out)}, make(*all), options);
  }
};

template <class T> struct started_list {
  std::vector<T> all;
  datatype<T> type{};

  template <class Call>
  static in_flight<std::vector<T>> start(Call&& make, std::size_t count, const start_options& options) {
    const auto list = std::make_shared<started_list>();
    list->all.resize(count);
    return start_keeping<std::vector<T>>({list, &list->all}, make(*list), options);
  }
};

/// A collective with its result in the caller's memory.
template <class Handles> struct started_in_place {
  Handles handles;
  std::monostate done{};

  template <class... Op> explicit started_in_place(const Op&... op) : handles(op...) {}
  template <class Call, class... Op>
  static in_flight<void> start(Call&& make, const start_options& options, const Op&... op) {
    const auto all = std::make_shared<started_in_place>(op...);
    return start_keeping<void>({all, &all->done}, make(all->handles), options);
  }
};

}  // namespace detail

/// Starts a barrier.
inline in_flight<void> start_barrier(any_communicator comm, const start_options& options = {}) {
  return detail::started_in_place<std::monostate>::start([&](const auto&) { return call::barrier(comm); }, options);
}

/// Starts a `bcast`. The buffer must stay, and must not be used, until the collective has ended.
template <writable Range>
in_flight<void> start_bcast(any_communicator comm, Range&& buffer, int root = 0, const start_options& options = {}) {
  const auto make = [&](const auto& type) {
    return call::bcast(std::ranges::data(buffer), detail::count_in(comm, buffer, "buffer"), type.get(), root, comm);
  };
  return detail::started_in_place<detail::datatype<detail::value_in<Range>>>::start(make, options);
}
template <lone_element T>
in_flight<void> start_bcast(any_communicator comm, T& value, int root = 0, const start_options& options = {}) {
  return start_bcast(comm, std::span(std::addressof(value), 1), root, options);
}

/// Starts an `allreduce`, `reduce` or `scan` of a value. The caller may change `value` as soon as the call returns. The
/// result of `reduce` is the reduced value on rank `root`, and the rank's own value on the others.
template <element T, operation_on<T> Op = std::plus<>>
in_flight<T> start_allreduce(any_communicator comm, const T& value, Op op = {}, const start_options& options = {}) {
  const auto make = [&](auto& all) {
    return call::allreduce(std::addressof(all.in), std::addressof(all.out), 1, all.by.type(), all.by.op(), comm);
  };
  return detail::started_reduction<T, Op>::start(make, value, op, options);
}
template <element T, operation_on<T> Op = std::plus<>>
in_flight<T> start_reduce(any_communicator comm, const T& value, Op op = {}, int root = 0,
                          const start_options& options = {}) {
  const auto make = [&](auto& all) {
    return call::reduce(std::addressof(all.in), std::addressof(all.out), 1, all.by.type(), all.by.op(), root, comm);
  };
  return detail::started_reduction<T, Op>::start(make, value, op, options);
}
template <element T, operation_on<T> Op = std::plus<>>
in_flight<T> start_scan(any_communicator comm, const T& value, Op op = {}, const start_options& options = {}) {
  const auto make = [&](auto& all) {
    return call::scan(std::addressof(all.in), std::addressof(all.out), 1, all.by.type(), all.by.op(), comm);
  };
  return detail::started_reduction<T, Op>::start(make, value, op, options);
}

/// The sum, with options.
template <element T> in_flight<T> start_allreduce(any_communicator comm, const T& value, const start_options& options) {
  return start_allreduce(comm, value, std::plus<>{}, options);
}
template <element T>
in_flight<T> start_reduce(any_communicator comm, const T& value, int root, const start_options& options) {
  return start_reduce(comm, value, std::plus<>{}, root, options);
}
template <element T> in_flight<T> start_scan(any_communicator comm, const T& value, const start_options& options) {
  return start_scan(comm, value, std::plus<>{}, options);
}

/// Starts an `allreduce` of ranges, element by element, by a sum or by `Op`. Both must stay until the collective has
/// ended, and `out` must not be used. `in` is copied at once if it is a temporary, or with
/// `start_options::protected_buffer`.
template <elements In, writable Out, operation_on<detail::value_in<In>> Op = std::plus<>>
in_flight<void> start_allreduce(any_communicator comm, In&& in, Out&& out, Op op = {},
                                const start_options& options = {}) {
  using T = detail::value_in<In>;
  static_assert(std::is_same_v<T, detail::value_in<Out>>, "both ranges have the same elements");
  detail::check_lengths(comm, "allreduce", in, out, 1);
  const auto make = [&](const auto& with) {
    return call::allreduce(std::ranges::data(in), std::ranges::data(out), detail::count_in(comm, in, "in"), with.type(),
                           with.op(), comm);
  };
  return detail::started_in_place<detail::reduction_operation<T, Op>>::start(make, detail::sent_from<In>(options), op);
}
template <elements In, writable Out>
in_flight<void> start_allreduce(any_communicator comm, In&& in, Out&& out, const start_options& options) {
  return start_allreduce(comm, std::forward<In>(in), std::forward<Out>(out), std::plus<>{}, options);
}

/// Starts an `allgather`, `gather` or `alltoall`. `mine` must stay unchanged until the collective has ended; it is
/// copied at once if it is a temporary, or with `start_options::protected_buffer`. (There are no forms that find out
/// counts: they would have to wait for the other ranks first.)
template <elements Range> auto start_allgather(any_communicator comm, Range&& mine, const start_options& options = {}) {
  const auto count = detail::count_in(comm, mine, "mine");
  const auto make = [&](auto& list) {
    return call::allgather(std::ranges::data(mine), count, list.type.get(), list.all.data(), count, list.type.get(),
                           comm);
  };
  const auto all = std::ranges::size(mine) * static_cast<std::size_t>(detail::size_of(comm));
  return detail::started_list<detail::value_in<Range>>::start(make, all, detail::sent_from<Range>(options));
}
template <lone_element T> auto start_allgather(any_communicator comm, const T& value, start_options options = {}) {
  options.protected_buffer = true;
  return start_allgather(comm, std::span(std::addressof(value), 1), options);
}
template <elements Range>
auto start_gather(any_communicator comm, Range&& mine, int root = 0, const start_options& options = {}) {
  const auto count = detail::count_in(comm, mine, "mine");
  const auto make = [&](auto& list) {
    return call::gather(std::ranges::data(mine), count, list.type.get(), list.all.data(), count, list.type.get(), root,
                        comm);
  };
  const bool here = detail::rank_in(comm) == root;
  const auto all = here ? std::ranges::size(mine) * static_cast<std::size_t>(detail::size_of(comm)) : 0;
  return detail::started_list<detail::value_in<Range>>::start(make, all, detail::sent_from<Range>(options));
}
template <lone_element T>
auto start_gather(any_communicator comm, const T& value, int root = 0, start_options options = {}) {
  options.protected_buffer = true;
  return start_gather(comm, std::span(std::addressof(value), 1), root, options);
}
template <elements Range> auto start_alltoall(any_communicator comm, Range&& mine, const start_options& options = {}) {
  const auto ranks = static_cast<std::size_t>(detail::size_of(comm));
  if (std::ranges::size(mine) % ranks != 0) detail::throw_uneven(comm, "alltoall", "mine", std::ranges::size(mine));
  const auto count = detail::as_int(comm, std::ranges::size(mine) / ranks, "mine");
  const auto make = [&](auto& list) {
    return call::alltoall(std::ranges::data(mine), count, list.type.get(), list.all.data(), count, list.type.get(),
                          comm);
  };
  return detail::started_list<detail::value_in<Range>>::start(make, std::ranges::size(mine),
                                                              detail::sent_from<Range>(options));
}

}  // namespace wherry::collective
