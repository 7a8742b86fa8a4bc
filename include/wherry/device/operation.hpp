/// @file
/// Operations of your own on a device: functors that its compiler sees. The rest of a program need not know CUDA.
#pragma once

#include <string>
#include <type_traits>
#include <typeindex>
#include <utility>

#include "wherry/device/detail/device_moves.hpp"
#include "wherry/plan/functions.hpp"

#if defined(__CUDACC__) || defined(__HIPCC__)
#include "wherry/device/detail/gpu_kernel.hpp"
#endif

namespace wherry {

namespace detail {

/// Whether a device's compiler reads this. As an argument of templates: what it makes of them is not what others make.
#if defined(__CUDACC__) || defined(__HIPCC__)
inline constexpr bool compiled_for_device = true;
#else
inline constexpr bool compiled_for_device = false;
#endif

void register_own_operation(const reduction& made, std::type_index functor, const own_operation& how);

template <class T, class Functor, bool ForDevice> own_operation own_operation_of() {
  using combine = moving::combine_own<T, Functor>;
  own_operation made{sizeof(T), [](const device_moves& all, void* const* fields) {
                       all.long_moves ? move_by_host<true, false, combine>(all, fields)
                                      : move_by_host<false, false, combine>(all, fields);
                     }};
#if defined(__CUDACC__) || defined(__HIPCC__)
  made.launch = [](void* stream, const device_moves& all, const field_places& fields) {
    return static_cast<int>(gpu::launch<false, combine>(static_cast<GPU(Stream_t)>(stream), all, fields));
  };
#endif
  return made;
}

}  // namespace detail

/// A reduction that runs where the fields are, on the host and on a device: `Functor{}(there, arrived)` is what is then
/// there. Called in a file that the device's compiler reads (nvcc: a .cu file), it can be given to any pattern
/// anywhere:
///
///     struct farther_from_zero {
///       __host__ __device__ double operator()(double there, double arrived) const {
///         return arrived * arrived > there * there ? arrived : there;
///       }
///     };
///     wherry::reduction farther() {
///       return wherry::make_device_reduction<double, farther_from_zero>("farther from zero");
///     }
///
/// In other files it is for the host's fields, and for the fake device. What comes first where several ranks contribute
/// is as on the host. @param name by which ranks tell operations on one type apart
/// @throws error(argument) where another functor has this name
template <class T, class Functor, bool ForDevice = detail::compiled_for_device>
reduction make_device_reduction(std::string name) {
  static_assert(std::is_empty_v<Functor> && std::is_default_constructible_v<Functor>, "a device makes its own functor");
  static_assert(std::is_trivially_copyable_v<T>, "what lies on a device is its bytes");
  auto made =
      make_reduction<T>(std::move(name), [](const T& there, const T& arrived) { return Functor{}(there, arrived); });
  detail::register_own_operation(made, typeid(Functor), detail::own_operation_of<T, Functor, ForDevice>());
  return made;
}

/// What devices have been told of an operation; null: nothing.
const own_operation* find_own_operation(const reduction& made);

}  // namespace wherry
