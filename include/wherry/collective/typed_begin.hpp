/// @file
/// Split-phase collectives for C++ values and ranges: an object keeps all that the collective needs, and its `wait`
/// returns the result.
///
///     auto norm = collective::begin_allreduce(comm, mine);
///     // … compute …
///     const double all = norm.wait();
///
/// All functions are collective over `comm` in the sense of `begin`: they do not wait for the other ranks. They throw
/// as `begin`, and error(argument) for lengths that do not fit. For blocking calls see typed.hpp.
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
/// Options that make a temporary range be copied, as with `begin_options::protected_buffer`.
template <class Range> begin_options sent_from(begin_options how) {
  constexpr bool stays = std::is_lvalue_reference_v<Range> || std::ranges::borrowed_range<Range>;
  how.protected_buffer = how.protected_buffer || !stays;
  return how;
}
[[noreturn]] void throw_taken();

}  // namespace detail

/// A split-phase collective with its result. Movable. All ranks begin the collectives of a communicator in the same
/// order, and end them in any order. A collective that is destroyed before its end is abandoned, as an `operation` is.
template <class Result> class [[nodiscard]] begun {
 public:
  using kept = std::conditional_t<std::is_void_v<Result>, std::monostate, Result>;

  begun() = default;  ///< an object without a collective
  /// @param result shares ownership of everything that the operation refers to
  begun(std::shared_ptr<kept> result, operation running) : result_(std::move(result)), running_(std::move(running)) {}
  begun(begun&&) noexcept = default;
  begun& operator=(begun&& other) noexcept {
    abandon();
    running_ = std::move(other.running_);
    result_ = std::move(other.result_);
    return *this;
  }
  ~begun() { abandon(); }

  /// True if the collective has ended, so that `wait` returns at once. Local.
  /// @throws as `operation::test`
  bool test() {
    return carefully([this] { return running_.test(); });
  }
  /// Waits for the end and returns the result, which can be taken once.
  /// @throws as `operation::wait`, and error(state) if there is no result
  Result wait() {
    if (result_ == nullptr) detail::throw_taken();
    carefully([this] { running_.wait(); });
    [[maybe_unused]] const auto last = std::exchange(result_, nullptr);
    if constexpr (!std::is_void_v<Result>) return std::move(*last);
  }

  /// These functions return the same as those of an `operation`.
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
  operation running_;
};

namespace detail {

/// @param result shares ownership of everything that the call refers to; it is kept for good if the call fails after
///   something was sent
template <class Result>
begun<Result> begin_keeping(std::shared_ptr<typename begun<Result>::kept> result, const call& what,
                            const begin_options& how) {
  try {
    return {result, collective::begin(what, how)};
  } catch (const error& e) {
    if (e.kind() != error_kind::argument) never_give_back(std::move(result));
    throw;
  } catch (...) {
    never_give_back(std::move(result));
    throw;
  }
}

template <class T, class Op> struct begun_reduction {
  T in, out;
  datatype<T> type{};
  reduction_operation<T, Op> op{};

  explicit begun_reduction(const T& value) : in(value), out(value) {}
  template <class Call> static begun<T> begin(Call&& make, const T& value, const begin_options& how) {
    const auto all = std::make_shared<begun_reduction>(value);
    return begin_keeping<T>({all, std::addressof(all->out)}, make(*all), how);
  }
};

template <class T> struct begun_list {
  std::vector<T> all;
  datatype<T> type{};

  template <class Call> static begun<std::vector<T>> begin(Call&& make, std::size_t count, const begin_options& how) {
    const auto list = std::make_shared<begun_list>();
    list->all.resize(count);
    return begin_keeping<std::vector<T>>({list, &list->all}, make(*list), how);
  }
};

/// A collective with its result in the caller's memory.
template <class Handles> struct begun_in_place {
  Handles handles{};
  std::monostate done{};

  template <class Call> static begun<void> begin(Call&& make, const begin_options& how) {
    const auto all = std::make_shared<begun_in_place>();
    return begin_keeping<void>({all, &all->done}, make(all->handles), how);
  }
};
template <class T, class Op> struct reduction_handles {
  datatype<T> type{};
  reduction_operation<T, Op> op{};
};

}  // namespace detail

/// Begins a barrier.
inline begun<void> begin_barrier(any_communicator comm, const begin_options& how = {}) {
  return detail::begun_in_place<std::monostate>::begin([&](const auto&) { return call::barrier(comm); }, how);
}

/// Begins a `bcast`. The buffer must stay, and must not be used, until the collective has ended.
template <writable Range>
begun<void> begin_bcast(any_communicator comm, Range&& buffer, int root = 0, const begin_options& how = {}) {
  const auto make = [&](const auto& type) {
    return call::bcast(std::ranges::data(buffer), detail::count_in(comm, buffer, "buffer"), type.get(), root, comm);
  };
  return detail::begun_in_place<detail::datatype<detail::value_in<Range>>>::begin(make, how);
}
template <lone_element T>
begun<void> begin_bcast(any_communicator comm, T& value, int root = 0, const begin_options& how = {}) {
  return begin_bcast(comm, std::span(std::addressof(value), 1), root, how);
}

/// Begins an `allreduce`, `reduce` or `scan` of a value. The caller may change `value` as soon as the call returns. The
/// result of `reduce` is the sum on rank `root`, and the rank's own value on the others.
template <element T, operation_on<T> Op = std::plus<>>
begun<T> begin_allreduce(any_communicator comm, const T& value, Op = {}, const begin_options& how = {}) {
  const auto make = [&](auto& all) {
    return call::allreduce(std::addressof(all.in), std::addressof(all.out), 1, all.type.get(), all.op.get(), comm);
  };
  return detail::begun_reduction<T, Op>::begin(make, value, how);
}
template <element T, operation_on<T> Op = std::plus<>>
begun<T> begin_reduce(any_communicator comm, const T& value, Op = {}, int root = 0, const begin_options& how = {}) {
  const auto make = [&](auto& all) {
    return call::reduce(std::addressof(all.in), std::addressof(all.out), 1, all.type.get(), all.op.get(), root, comm);
  };
  return detail::begun_reduction<T, Op>::begin(make, value, how);
}
template <element T, operation_on<T> Op = std::plus<>>
begun<T> begin_scan(any_communicator comm, const T& value, Op = {}, const begin_options& how = {}) {
  const auto make = [&](auto& all) {
    return call::scan(std::addressof(all.in), std::addressof(all.out), 1, all.type.get(), all.op.get(), comm);
  };
  return detail::begun_reduction<T, Op>::begin(make, value, how);
}

/// The sum, with options.
template <element T> begun<T> begin_allreduce(any_communicator comm, const T& value, const begin_options& how) {
  return begin_allreduce(comm, value, std::plus<>{}, how);
}
template <element T> begun<T> begin_reduce(any_communicator comm, const T& value, int root, const begin_options& how) {
  return begin_reduce(comm, value, std::plus<>{}, root, how);
}
template <element T> begun<T> begin_scan(any_communicator comm, const T& value, const begin_options& how) {
  return begin_scan(comm, value, std::plus<>{}, how);
}

/// Begins an `allreduce` of ranges, element by element, by a sum or by `Op`. Both must stay until the collective has
/// ended, and `out` must not be used. `in` is copied at once if it is a temporary, or with
/// `begin_options::protected_buffer`.
template <elements In, writable Out, operation_on<detail::value_in<In>> Op = std::plus<>>
begun<void> begin_allreduce(any_communicator comm, In&& in, Out&& out, Op = {}, const begin_options& how = {}) {
  using T = detail::value_in<In>;
  static_assert(std::is_same_v<T, detail::value_in<Out>>, "both ranges have the same elements");
  detail::check_lengths(comm, "allreduce", in, out, 1);
  const auto make = [&](const auto& with) {
    return call::allreduce(std::ranges::data(in), std::ranges::data(out), detail::count_in(comm, in, "in"),
                           with.type.get(), with.op.get(), comm);
  };
  return detail::begun_in_place<detail::reduction_handles<T, Op>>::begin(make, detail::sent_from<In>(how));
}
template <elements In, writable Out>
begun<void> begin_allreduce(any_communicator comm, In&& in, Out&& out, const begin_options& how) {
  return begin_allreduce(comm, std::forward<In>(in), std::forward<Out>(out), std::plus<>{}, how);
}

/// Begins an `allgather`, `gather` or `alltoall`. `mine` must stay unchanged until the collective has ended; it is
/// copied at once if it is a temporary, or with `begin_options::protected_buffer`. (There are no forms that find out
/// counts: they would have to wait for the other ranks first.)
template <elements Range> auto begin_allgather(any_communicator comm, Range&& mine, const begin_options& how = {}) {
  const auto count = detail::count_in(comm, mine, "mine");
  const auto make = [&](auto& list) {
    return call::allgather(std::ranges::data(mine), count, list.type.get(), list.all.data(), count, list.type.get(),
                           comm);
  };
  const auto all = std::ranges::size(mine) * static_cast<std::size_t>(detail::size_of(comm));
  return detail::begun_list<detail::value_in<Range>>::begin(make, all, detail::sent_from<Range>(how));
}
template <lone_element T> auto begin_allgather(any_communicator comm, const T& value, begin_options how = {}) {
  how.protected_buffer = true;
  return begin_allgather(comm, std::span(std::addressof(value), 1), how);
}
template <elements Range>
auto begin_gather(any_communicator comm, Range&& mine, int root = 0, const begin_options& how = {}) {
  const auto count = detail::count_in(comm, mine, "mine");
  const auto make = [&](auto& list) {
    return call::gather(std::ranges::data(mine), count, list.type.get(), list.all.data(), count, list.type.get(), root,
                        comm);
  };
  const bool here = detail::rank_in(comm) == root;
  const auto all = here ? std::ranges::size(mine) * static_cast<std::size_t>(detail::size_of(comm)) : 0;
  return detail::begun_list<detail::value_in<Range>>::begin(make, all, detail::sent_from<Range>(how));
}
template <lone_element T>
auto begin_gather(any_communicator comm, const T& value, int root = 0, begin_options how = {}) {
  how.protected_buffer = true;
  return begin_gather(comm, std::span(std::addressof(value), 1), root, how);
}
template <elements Range> auto begin_alltoall(any_communicator comm, Range&& mine, const begin_options& how = {}) {
  const auto ranks = static_cast<std::size_t>(detail::size_of(comm));
  if (std::ranges::size(mine) % ranks != 0) detail::throw_uneven(comm, "alltoall", "mine", std::ranges::size(mine));
  const auto count = detail::as_int(comm, std::ranges::size(mine) / ranks, "mine");
  const auto make = [&](auto& list) {
    return call::alltoall(std::ranges::data(mine), count, list.type.get(), list.all.data(), count, list.type.get(),
                          comm);
  };
  return detail::begun_list<detail::value_in<Range>>::begin(make, std::ranges::size(mine),
                                                            detail::sent_from<Range>(how));
}

}  // namespace wherry::collective
