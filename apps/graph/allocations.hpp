/// @file
/// Whether a piece of a program gives back all memory it takes.
#pragma once

namespace graph {

/// How many more times this thread has called `operator new` than `operator delete`.
long live_allocations();

}  // namespace graph
