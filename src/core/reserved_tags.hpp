// The tags of private duplicates that have a fixed use; `communicator::next_tag` gives larger ones. No message has the
// tag 0: probes for it only make MPI progress.
#pragma once

namespace wherry::reserved_tag {

inline constexpr int agreements = 1;
inline constexpr int groups = 2;
inline constexpr int pings = 3;
inline constexpr int calls = 4;
inline constexpr int first_free = 5;

}  // namespace wherry::reserved_tag
