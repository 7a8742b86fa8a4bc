#include "program_functions.hpp"

#include "wherry/core/error.hpp"

namespace wherry_c {

constinit thread_local bool in_program_function = false;

void throw_in_program_function(std::string_view where) {
  throw wherry::error(wherry::error_kind::state, where,
                      "it was called in a function that a call of Wherry runs, and which must neither free objects nor "
                      "drive exchanges: do it after that call");
}

}  // namespace wherry_c
