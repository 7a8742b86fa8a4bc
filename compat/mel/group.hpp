/// @file
/// Groups of processes. The caller frees each group from these calls with GroupFree. All calls are local.
#pragma once

#include <mpi.h>

#include <vector>

#include "mel/call.hpp"

namespace MEL {

/// An MPI_Group as a class of its own.
class Group : public detail::handle_of<Group, MPI_Group> {
 public:
  static const Group GROUP_NULL;

  Group() : handle_of(MPI_GROUP_NULL) {}
  using handle_of::handle_of;
  using handle_of::operator=;
};
inline const Group Group::GROUP_NULL{};

/// The rank of this process; MPI_UNDEFINED if it is not in the group.
inline int GroupRank(const Group& group) { return detail::answer<int>("MEL::GroupRank", MPI_Group_rank, group); }
inline int GroupSize(const Group& group) { return detail::answer<int>("MEL::GroupSize", MPI_Group_size, group); }
inline bool GroupIsNULL(const Group& group) { return group == Group::GROUP_NULL; }

inline Group GroupUnion(const Group& a, const Group& b) {
  return Group(detail::answer<MPI_Group>("MEL::GroupUnion", MPI_Group_union, a, b));
}
/// The members of `a` that are not in `b`.
inline Group GroupDifference(const Group& a, const Group& b) {
  return Group(detail::answer<MPI_Group>("MEL::GroupDifference", MPI_Group_difference, a, b));
}
inline Group GroupIntersection(const Group& a, const Group& b) {
  return Group(detail::answer<MPI_Group>("MEL::GroupIntersection", MPI_Group_intersection, a, b));
}

/// The members with these ranks, in this order.
inline Group GroupInclude(const Group& group, const int* ranks, int count) {
  return Group(detail::answer<MPI_Group>("MEL::GroupInclude", MPI_Group_incl, group, count, ranks));
}
inline Group GroupInclude(const Group& group, const std::vector<int>& ranks) {
  return GroupInclude(group, ranks.data(), static_cast<int>(ranks.size()));
}
/// The members without these ranks, in their order.
inline Group GroupExclude(const Group& group, const int* ranks, int count) {
  return Group(detail::answer<MPI_Group>("MEL::GroupExclude", MPI_Group_excl, group, count, ranks));
}
inline Group GroupExclude(const Group& group, const std::vector<int>& ranks) {
  return GroupExclude(group, ranks.data(), static_cast<int>(ranks.size()));
}

/// Compares two groups. MPI_IDENT: the same members in the same order; MPI_SIMILAR: the same members in another order;
/// MPI_UNEQUAL: other members.
inline int GroupCompare(const Group& a, const Group& b) {
  return detail::answer<int>("MEL::GroupCompare", MPI_Group_compare, a, b);
}
inline bool GroupIsIdentical(const Group& a, const Group& b) {
  return detail::answer<int>("MEL::GroupIsIdentical", MPI_Group_compare, a, b) == MPI_IDENT;
}
inline bool GroupIsCongruent(const Group& a, const Group& b) {
  return detail::answer<int>("MEL::GroupIsCongruent", MPI_Group_compare, a, b) == MPI_CONGRUENT;
}
inline bool GroupIsSimilar(const Group& a, const Group& b) {
  return detail::answer<int>("MEL::GroupIsSimilar", MPI_Group_compare, a, b) == MPI_SIMILAR;
}
inline bool GroupIsUnequal(const Group& a, const Group& b) {
  return detail::answer<int>("MEL::GroupIsUnequal", MPI_Group_compare, a, b) == MPI_UNEQUAL;
}

/// Frees groups and sets them to null. Null is allowed.
template <detail::one_or_several<Group>... Groups> void GroupFree(Groups&... groups) {
  (detail::give_back("MEL::GroupFree", MPI_Group_free, groups), ...);
}

}  // namespace MEL
