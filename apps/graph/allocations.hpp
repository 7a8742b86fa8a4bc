/// @file
/// Finds out whether a piece of a program gives back all memory that it takes.
#pragma once

namespace graph {

/// The number of this thread's calls of `operator new`, minus the number of its calls of `operator delete`.
long live_allocations();

}  // namespace graph
