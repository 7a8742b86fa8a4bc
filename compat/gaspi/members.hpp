// Finds the groups of this rank by number.
#pragma once

#include "world.hpp"

namespace wherry::gaspi {

/// The group; null if there is none.
group* find_group(world& w, gaspi_group_t number);
/// The group; null if there is none, or if it has not been committed. GASPI_GROUP_ALL is always committed.
group* committed(world& w, gaspi_group_t number);
/// Makes GASPI_GROUP_ALL. Collective.
void make_group_of_all(world& w);

}  // namespace wherry::gaspi
