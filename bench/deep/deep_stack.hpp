/// @file
/// Serialisers that recurse overflow an ordinary stack on long chains; the peers run on a large one, of the same
/// thread.
#pragma once

#include <functional>

namespace bench::deep {

/// Runs `work` on a stack of 16 GiB of address space, whose pages stay for the next time.
void on_deep_stack(const std::function<void()>& work);

}  // namespace bench::deep
