// Copies elements that lists name between a field and their dense image on the wire.
#pragma once

#include "wherry/plan/copy_engine.hpp"

namespace wherry::kernels {

/// @param field the address of place 0
void gather(const plans::index_table& lists, const detail::listed_places& what, const std::byte* field,
            std::byte* wire);
void scatter(const plans::index_table& lists, const detail::listed_places& what, const std::byte* wire,
             std::byte* field);

}  // namespace wherry::kernels
