#include "wherry/core/allocation.hpp"

#include "wherry/core/error.hpp"

namespace wherry {

void throw_out_of_memory(std::string_view where, std::string_view what, std::size_t bytes, int rank) {
  throw error(error_kind::resource, where, text(bytes, " bytes for ", what, " are not to be had"), rank);
}

}  // namespace wherry
