// The check that functions of the program's free and drive nothing while a call of Wherry runs them. That call, and
// others that it carries on meanwhile, use objects without holding them: a function that freed one would leave them
// with nothing.
#pragma once

#include <string_view>

namespace wherry_c {

/// Whether this thread is in a function of the program's. Every exchange asks, so that it must be found without a call.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local bool in_program_function;

/// Calls a function of the program's.
template <class Function, class... Arguments> auto call_program(Function* function, Arguments... arguments) {
  struct mark {
    bool outside = in_program_function;
    mark() { in_program_function = true; }
    mark(const mark&) = delete;
    mark& operator=(const mark&) = delete;
    ~mark() { in_program_function = outside; }
  };
  const mark inside;
  return function(arguments...);
}

[[noreturn]] void throw_in_program_function(std::string_view where);

/// For calls that free an object, change it or drive what is in flight. Operations of MPI's, which MPI calls, are not
/// noticed.
/// @throws error(state) in a function of the program's
inline void refuse_in_program_function(std::string_view where) {
  if (in_program_function) [[unlikely]]
    throw_in_program_function(where);
}

}  // namespace wherry_c
