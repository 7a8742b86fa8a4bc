/// @file
/// A mover of one's own by policy: it changes what Wherry's inspector has planned.
#pragma once

#include <functional>

#include "wherry/wherry.hpp"

#include "problem.hpp"

namespace summa {

/// For `mover_options::inspected` of a panel's mover: where its owner would send to all other ranks of the row or
/// column, each rank that has the panel now sends to one that has not, in as many stages as the number of ranks has
/// binary digits. @param dimension as for `operand`
std::function<void(wherry::schedule&)> binomial_tree(const problem& what, int dimension, const panel& k, int rank);

}  // namespace summa
