/// @file
/// Counts the work of a piece of code exactly on any machine, however busy: its instructions, and the cache lines of
/// memory shared with other processes that it touches. The processor stops after each instruction (x86's trap flag),
/// and all shared memory is inaccessible meanwhile, so that each access to it is noticed. This takes some microseconds
/// for each instruction, and says nothing about time.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <functional>
#include <string>

#include "harness/json.hpp"

namespace bench {

struct steps {
  long instructions = 0;  ///< of this thread outside the kernel; each round of a repeated string instruction is one
  long shared_lines = 0;  ///< distinct lines of 64 bytes
};

/// True if this processor can count: x86-64 under Linux.
bool can_count_steps();
/// Counts `work`, whose own call is not counted. Not reentrant, one thread at a time.
steps count_steps(const std::function<void()>& work);

/// Collective over `comm`. All ranks call `run` again and again. Rank 0 counts its call, which it makes when the others
/// have had time to come as far as they can without it. Writes a record of kind "count": `label` with the medians, the
/// least and the most of the calls.
/// @param prepare is run before each call and not counted; may be empty
void count_call(MPI_Comm comm, const json& label, const std::function<void()>& run,
                const std::function<void()>& prepare, std::FILE* out);

/// Checks the counting by a call that touches three shared lines, which is counted twice. If it is wrong, prints the
/// reason and returns false.
bool counting_is_right(std::FILE* out);

}  // namespace bench
