// The parameters of MPI's functions, taken from their types.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <tuple>

namespace wherry::preload {

template <class Function> struct signature;
template <class Result, class... Parameters> struct signature<Result(Parameters...)> {
  static constexpr std::size_t count = sizeof...(Parameters);
  template <std::size_t I> using type = std::tuple_element_t<I, std::tuple<Parameters...>>;
};
#if defined(__cpp_noexcept_function_type)
template <class Result, class... Parameters>
struct signature<Result(Parameters...) noexcept> : signature<Result(Parameters...)> {};
#endif

template <class Function, std::size_t I> using parameter = typename signature<Function>::template type<I>;

/// The next function of this name in the program: another tool's, or MPI's. Returns `otherwise` if there is none.
template <class Function> Function* next(const char* name, Function* otherwise) {
  void* found = dlsym(RTLD_NEXT, name);
  return found != nullptr ? reinterpret_cast<Function*>(found) : otherwise;
}

}  // namespace wherry::preload
