// What is in flight in this process and wants to be driven by others than its owner. Whoever waits for anything drives
// it all, so that ranks may wait in different orders: exchanges of several stages, whose later messages leave only when
// somebody drives them, and those that owed a message after a start; streams; and the graveyard: what was abandoned in
// flight, which nobody else will wait for.
#pragma once

#include <memory>

#include "progress_thread.hpp"

namespace wherry::companions {

void attach(progressive& work);
/// When it returns nobody is, or will be, at this work.
void detach(progressive& work);
/// Drives what is in flight and whose turn is free.
void progress();

/// Takes over what its owner has abandoned, attached or not, and destroys it once it is no longer in flight. What a
/// failure ended is kept for good: MPI may still know its memory. When MPI_Finalize begins, those get a last chance
/// whose peers wait for what they have yet to send; the others' memory is left to MPI.
void adopt(std::unique_ptr<progressive> work) noexcept;

/// How many are adopted and not at their end.
std::size_t adopted();

}  // namespace wherry::companions
