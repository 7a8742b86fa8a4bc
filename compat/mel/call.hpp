/// @file
/// Turns a call of MEL into the MPI call of its name: handles, errors, and results that MPI returns through a pointer.
///
/// **Errors** are exceptions of type wherry::error, with the name of the MEL call and MPI's text. MPI's own default is
/// to end the job at the first error. A communicator or window that still has this default returns errors during a call
/// of MEL, and gets its default back afterwards; for calls without either, this holds for MPI_COMM_WORLD and
/// MPI_COMM_SELF. An error handler that the program has set is left alone: MPI calls it first, and if it returns, the
/// call throws. Files return errors by MPI's own default. `Init` makes MPI_COMM_WORLD and MPI_COMM_SELF return errors
/// for good, as the original's does, and communicators derived from them inherit that. An error in an operation that
/// was begun goes to the handler of its communicator when the program waits for the operation.
#pragma once

#include <mpi.h>

#include <concepts>
#include <string_view>
#include <tuple>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

namespace MEL {

class Comm;
class Win;

namespace detail {

/// Throws error(argument) with this text.
[[noreturn]] inline void refuse(std::string_view where, std::string_view why) {
  int rank = -1;
  if (wherry::detail::mpi_is_running()) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  throw wherry::error(wherry::error_kind::argument, where, why, rank);
}
inline void must_not_be_negative(std::string_view where, std::string_view name, long long value) {
  if (value < 0) refuse(where, wherry::detail::text(name, " is ", value, ", expected 0 or more"));
}

/// An MPI handle as a class of its own, `Self`. It converts to MPI's type implicitly, and from MPI's type explicitly.
/// It owns nothing.
template <class Self, class Mpi> class handle_of {
 public:
  explicit constexpr handle_of(Mpi handle) : handle_(handle) {}
  template <std::same_as<Mpi> Same> Self& operator=(Same handle) {
    handle_ = handle;
    return static_cast<Self&>(*this);
  }
  operator Mpi() const { return handle_; }
  Mpi handle() const { return handle_; }
  bool operator==(const handle_of&) const = default;

 private:
  Mpi handle_;
};

/// An array of handles in the form that MPI takes.
template <class Mpi, class Self> Mpi* handles(Self* first) {
  static_assert(sizeof(Self) == sizeof(Mpi) && std::derived_from<Self, handle_of<Self, Mpi>>);
  return reinterpret_cast<Mpi*>(first);
}
template <class Mpi, class Self> const Mpi* handles(const Self* first) {
  return handles<Mpi>(const_cast<Self*>(first));
}

/// While this object lives, a communicator or window with MPI's default handler returns errors.
template <auto Get, auto Set, class Mpi> class errors_return {
 public:
  explicit errors_return(Mpi object, bool wanted = true) : object_(object) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (!wanted || Get(object_, &handler) != MPI_SUCCESS) return;
    was_fatal_ = handler == MPI_ERRORS_ARE_FATAL;
    MPI_Errhandler_free(&handler);
    if (was_fatal_) Set(object_, MPI_ERRORS_RETURN);
  }
  ~errors_return() {
    if (was_fatal_) Set(object_, MPI_ERRORS_ARE_FATAL);
  }
  errors_return(const errors_return&) = delete;
  errors_return& operator=(const errors_return&) = delete;

 private:
  Mpi object_;
  bool was_fatal_ = false;
};
using comm_errors_return = errors_return<MPI_Comm_get_errhandler, MPI_Comm_set_errhandler, MPI_Comm>;
using win_errors_return = errors_return<MPI_Win_get_errhandler, MPI_Win_set_errhandler, MPI_Win>;

template <class T, class... Args> constexpr bool is_among = (std::same_as<T, Args> || ...);

/// Calls `mpi(args...)`.
/// @throws wherry::error with MPI's text
template <class... Parameters, class... Args>
void call(std::string_view where, int (*mpi)(Parameters...), const Args&... args) {
  int status = MPI_SUCCESS;
  if constexpr (is_among<Win, Args...>) {
    const win_errors_return guard(std::get<const Win&>(std::tie(args...)));
    status = mpi(args...);
  } else {
    MPI_Comm comm = MPI_COMM_NULL;
    if constexpr (is_among<Comm, Args...>) comm = std::get<const Comm&>(std::tie(args...));
    const bool none = comm == MPI_COMM_NULL;
    const comm_errors_return guard(none ? MPI_COMM_WORLD : comm), self(MPI_COMM_SELF, none);
    status = mpi(args...);
  }
  wherry::check_mpi(status, where);
}

/// Calls `mpi(args..., &answer)` and returns the answer.
template <class Answer, class... Parameters, class... Args>
Answer answer(std::string_view where, int (*mpi)(Parameters...), const Args&... args) {
  Answer out{};
  call(where, mpi, args..., &out);
  return out;
}

/// Frees a handle and sets it to null. Null is allowed.
template <class Handle, class Mpi> void give_back(std::string_view where, int (*free)(Mpi*), Handle& handle) {
  if (handle == Handle()) return;
  Mpi mpi = handle;
  call(where, free, &mpi);
  handle = Handle();
}
template <class Handle, class Mpi>
void give_back(std::string_view where, int (*free)(Mpi*), std::vector<Handle>& handles) {
  for (Handle& handle : handles) give_back(where, free, handle);
}

/// The arguments of calls named …Free: handles and vectors of them.
template <class T, class Handle>
concept one_or_several = std::same_as<T, Handle> || std::same_as<T, std::vector<Handle>>;

}  // namespace detail
}  // namespace MEL
