/// @file
/// Adapts a mover: the function below changes the schedule that Wherry's inspector has planned.
#pragma once

#include <functional>

#include "wherry/wherry.hpp"

#include "problem.hpp"

namespace summa {

/// Pass it as `mover_options::inspected` to a panel's mover. Instead of the owner that sends to all other ranks of the
/// row or column, each rank that has the panel then sends it to one that has not, in as many stages as the number of
/// ranks has binary digits. @param dimension as for `operand`
std::function<void(wherry::plans::schedule&)> binomial_tree(const problem& what, int dimension, const panel& k,
                                                            int rank);

}  // namespace summa
