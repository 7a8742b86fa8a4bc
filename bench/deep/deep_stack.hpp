/// @file
/// Recursive serialisers overflow an ordinary stack on long chains, so the peers run on a large stack, in the same
/// thread.
#pragma once

#include <functional>

namespace bench::deep {

/// Runs `work` on a stack of 16 GiB of address space. Its pages stay for the next call.
void on_deep_stack(const std::function<void()>& work);

}  // namespace bench::deep
