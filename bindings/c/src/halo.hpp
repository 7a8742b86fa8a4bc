// From the fields and options of halo exchanges to those of the C++ library.
#pragma once

#include <string_view>
#include <vector>

#include "wherry/c/halo.h"
#include "wherry/halo/halo_exchange.hpp"

namespace wherry_c {

wherry::halo_options halo_options_of(const wherry_halo_options* given, int dimensions, std::string_view where);
/// @throws error(argument) for a field that is wrong by itself, or without fields
std::vector<wherry::halo_field> fields_of(const wherry_field* fields, int count, std::string_view where);
wherry::stencil_shape stencil_of(wherry_stencil stencil, const int* directions, int direction_count, int dimensions,
                                 std::string_view where);
wherry::halo_order order_of(wherry_halo_order order, std::string_view where);

}  // namespace wherry_c
