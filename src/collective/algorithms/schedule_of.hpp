// Converts a classic algorithm to a schedule of Wherry's, to print, compare and check it. Collectives run without it.
#pragma once

#include <cstdint>
#include <span>

#include "wherry/plan/schedule.hpp"

#include "algorithm.hpp"

namespace wherry::collective {

/// Field 0 is the input, field 1 the work buffer. Operation 0 combines after the present data, operation 1 before it. A
/// combination with data in the input is shown as a copy of it first. Empty messages are included.
/// @param work_bytes the bytes of the work buffer's blocks
/// @param input_bytes those of the input, if they differ (alltoall)
/// @throws error(argument) if there are not as many sizes as blocks, or if one is negative
plans::schedule schedule_of(const algorithm& what, const place& at, std::span<const std::int64_t> work_bytes,
                            std::span<const std::int64_t> input_bytes = {});

}  // namespace wherry::collective
