// The groups of this rank by number.
#pragma once

#include "world.hpp"

namespace wherry::gaspi {

/// Null: there is none.
group* find_group(world& w, gaspi_group_t number);
/// Null: there is none, or it has not been committed. GASPI_GROUP_ALL always is.
group* committed(world& w, gaspi_group_t number);
/// GASPI_GROUP_ALL. Collective.
void make_group_of_all(world& w);

}  // namespace wherry::gaspi
