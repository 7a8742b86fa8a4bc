// A classic algorithm as Wherry's own schedule: to print, to compare, to check. Executors of collectives have no need
// of it.
#pragma once

#include <cstdint>
#include <span>

#include "wherry/plan/schedule.hpp"

#include "algorithm.hpp"

namespace wherry::collective {

/// Fields: 0 is the input, 1 the work buffer; operations: 0 combines after what is there, 1 before it. A combination of
/// what stands in the input is shown as a copy of it before. Messages without a byte are there.
/// @param work_bytes of the work buffer's blocks @param input_bytes the input's, where they differ (alltoall)
/// @throws error(argument) where there are not as many sizes as blocks, or one is negative
schedule schedule_of(const algorithm& what, const place& at, std::span<const std::int64_t> work_bytes,
                     std::span<const std::int64_t> input_bytes = {});

}  // namespace wherry::collective
