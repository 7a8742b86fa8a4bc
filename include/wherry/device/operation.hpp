/// @file
/// Reductions of the user that run on a device. Only the file that defines the functor must be compiled by the device's
/// compiler. On the host, `make_reduction` (plan/functions.hpp) is enough.
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

/// True in files that a device's compiler compiles. It is a template argument so that these instances differ from those
/// of the host's compiler.
#if defined(__CUDACC__) || defined(__HIPCC__)
inline constexpr bool compiled_for_device = true;
#else
inline constexpr bool compiled_for_device = false;
#endif

void register_own_operation(const plans::typed_reduction& made, std::type_index functor, const own_operation& how);

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

/// Makes a reduction that runs where the fields are, on the host or on a device: an element `there` becomes
/// `Functor{}(there, arrived)`. Call it in a file that the device's compiler compiles (for nvcc a .cu file), and pass
/// the result to any pattern:
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
/// A reduction that is made in any other file works on host fields and on the fake device only. If several ranks
/// contribute to an element, the order is the same as on the host. Local.
/// @tparam Functor an empty, default-constructible class
/// @param name must differ between the operations on one type, since ranks compare operations by name
/// @throws error(argument) if another functor has this name for this type
template <class T, class Functor, bool ForDevice = detail::compiled_for_device>
plans::typed_reduction make_device_reduction(std::string name) {
  static_assert(std::is_empty_v<Functor> && std::is_default_constructible_v<Functor>, "a device makes its own functor");
  static_assert(std::is_trivially_copyable_v<T>, "what lies on a device is its bytes");
  auto made =
      make_reduction<T>(std::move(name), [](const T& there, const T& arrived) { return Functor{}(there, arrived); });
  detail::register_own_operation(made, typeid(Functor), detail::own_operation_of<T, Functor, ForDevice>());
  return made;
}

namespace detail {

/// The device form of an operation, or null if there is none. For devices, not for users.
const own_operation* find_own_operation(const plans::typed_reduction& made);

}  // namespace detail

}  // namespace wherry
