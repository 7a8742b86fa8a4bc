// The tags of private duplicates that are always somebody's; `communicator::next_tag` gives larger ones. Of 0 there are
// no messages: it is what MPI is made to progress by looking for.
#pragma once

namespace wherry::reserved_tag {

inline constexpr int agreements = 1;
inline constexpr int groups = 2;
inline constexpr int pings = 3;
inline constexpr int calls = 4;
inline constexpr int first_free = 5;

}  // namespace wherry::reserved_tag
