/// @file
/// Operations of reductions: MPI's own, and operations made from C++ functions.
#pragma once

#include <mpi.h>

#include <type_traits>

#include "mel/call.hpp"
#include "mel/datatype.hpp"

namespace MEL {

/// An MPI_Op as a class of its own. Free the result of OpCreate with OpFree.
class Op : public detail::handle_of<Op, MPI_Op> {
 public:
  static const Op OP_NULL, MAX, MIN, SUM, PROD, LAND, BAND, LOR, BOR, LXOR, BXOR, MINLOC, MAXLOC, REPLACE, NO_OP;

  Op() : handle_of(MPI_OP_NULL) {}
  using handle_of::handle_of;
  using handle_of::operator=;
};

inline const Op Op::OP_NULL{};
inline const Op Op::MAX{MPI_MAX};
inline const Op Op::MIN{MPI_MIN};
inline const Op Op::SUM{MPI_SUM};
inline const Op Op::PROD{MPI_PROD};
inline const Op Op::LAND{MPI_LAND};
inline const Op Op::BAND{MPI_BAND};
inline const Op Op::LOR{MPI_LOR};
inline const Op Op::BOR{MPI_BOR};
inline const Op Op::LXOR{MPI_LXOR};
inline const Op Op::BXOR{MPI_BXOR};
inline const Op Op::MINLOC{MPI_MINLOC};
inline const Op Op::MAXLOC{MPI_MAXLOC};
inline const Op Op::REPLACE{MPI_REPLACE};
inline const Op Op::NO_OP{MPI_NO_OP};

/// Functions from which `OpCreate` makes operations, for any type that has the operator. (The parentheses protect them
/// from macros of the same name.)
namespace Functor {

template <class T> T(MAX)(const T& a, const T& b) { return a > b ? a : b; }
template <class T> T(MIN)(const T& a, const T& b) { return a < b ? a : b; }
template <class T> T(SUM)(const T& a, const T& b) { return static_cast<T>(a + b); }
template <class T> T(PROD)(const T& a, const T& b) { return static_cast<T>(a * b); }

}  // namespace Functor
using Functor::MAX;
using Functor::MIN;
using Functor::PROD;
using Functor::SUM;

namespace detail {

/// The function that MPI calls: it applies `F` to each pair of elements, or to the arrays.
template <class T, auto F> void apply(void* in, void* inout, int* length, MPI_Datatype* type) {
  T *a = static_cast<T*>(in), *b = static_cast<T*>(inout);
  using function = decltype(F);
  if constexpr (std::is_invocable_v<function, T*, T*, int*, MPI_Datatype*>)
    F(a, b, length, type);
  else if constexpr (std::is_invocable_v<function, T*, T*, int, Datatype>)
    F(a, b, *length, Datatype(*type));
  else if constexpr (std::is_invocable_v<function, T*, T*, int>)
    F(a, b, *length);
  else if constexpr (std::is_invocable_r_v<T, function, T&, T&, Datatype>)
    for (int i = 0; i < *length; ++i) b[i] = F(a[i], b[i], Datatype(*type));
  else
    for (int i = 0; i < *length; ++i) b[i] = F(a[i], b[i]);
}

}  // namespace detail

/// Makes an operation on elements of `T`. Local. `F` is `T F(T& a, T& b)` (or const, or by value), the same with a
/// Datatype as third argument, `void F(T* in, T* inout, int length)`, the same with a Datatype as fourth argument, or
/// MPI's own form with `T*`. For arrays `F` leaves its results in `inout`. `a` and `in` come from lower ranks.
template <class T, auto F> Op OpCreate(bool commutes = true) {
  return Op(detail::answer<MPI_Op>("MEL::OpCreate", MPI_Op_create, &detail::apply<T, F>, commutes ? 1 : 0));
}

/// Frees operations and sets them to null. Null is allowed. Local.
template <detail::one_or_several<Op>... Ops> void OpFree(Ops&... ops) {
  (detail::give_back("MEL::OpFree", MPI_Op_free, ops), ...);
}

}  // namespace MEL
