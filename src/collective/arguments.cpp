#include "arguments.hpp"

#include <string>

#include "wherry/core/error.hpp"

#include "dense_call.hpp"
#include "neighborhood.hpp"

namespace wherry::collective {
namespace {

/// Those that a call's lists are about: all ranks, or neighbours, of which some may not be there.
struct others {
  int count;
  const int* ranks = nullptr;
  bool has(int place) const { return ranks == nullptr || ranks[place] != MPI_PROC_NULL; }
};

others neighbors(const std::vector<int>& ranks) { return {static_cast<int>(ranks.size()), ranks.data()}; }

class argument_check {
 public:
  argument_check(const call& what, int rank, int size) : argument_check(what, rank, size, {size}, {size}) {}
  argument_check(const call& what, int rank, int size, const others& to, const others& from)
      : call_(what), rank_(rank), size_(size), to_(to), from_(from) {}

  void count(std::string_view name, std::int64_t value) const {
    if (value < 0) refuse(wherry::detail::text("'", name, "' is ", value));
  }
  void sent_counts() const { counts("send_counts", call_.send_counts, to_); }
  void received_counts() const { counts("receive_counts", call_.receive_counts, from_); }
  void type(std::string_view name, MPI_Datatype value) const {
    if (value == MPI_DATATYPE_NULL) refuse(wherry::detail::text("'", name, "' is MPI_DATATYPE_NULL"));
  }
  void root() const {
    if (call_.root < 0 || call_.root >= size_)
      refuse(wherry::detail::text("'root' is ", call_.root, " of ", size_, " ranks"));
  }
  void op() const {
    if (call_.op == MPI_OP_NULL) refuse("'op' is MPI_OP_NULL");
  }
  void sends_one() const {
    count("send_count", call_.send_count);
    type("send_type", call_.send_type);
  }
  void receives_one() const {
    count("receive_count", call_.receive_count);
    type("receive_type", call_.receive_type);
  }
  void sends_each() const {
    sent_counts();
    is_there("send_displacements", call_.send_displacements, to_);
    type("send_type", call_.send_type);
  }
  void receives_each() const {
    received_counts();
    is_there("receive_displacements", call_.receive_displacements, from_);
    type("receive_type", call_.receive_type);
  }
  void sends_any() const {
    sent_counts();
    types("send_types", call_.send_types, call_.send_counts, to_);
  }
  void receives_any() const {
    received_counts();
    types("receive_types", call_.receive_types, call_.receive_counts, from_);
  }
  void addresses() const {
    is_there("send_addresses", call_.send_addresses, to_);
    is_there("receive_addresses", call_.receive_addresses, from_);
  }
  bool in_place() const { return call_.send == MPI_IN_PLACE; }

 private:
  template <class List> void is_there(std::string_view name, const List& list, const others& whose) const {
    if (list == nullptr && whose.count > 0) refuse(wherry::detail::text("'", name, "' is null"));
  }
  void counts(std::string_view name, const count_list& values, const others& whose) const {
    is_there(name, values, whose);
    for (int i = 0; i < whose.count; ++i)
      if (values[i] < 0 && whose.has(i)) refuse(wherry::detail::text("'", name, "[", i, "]' is ", values[i]));
  }
  void types(std::string_view name, const MPI_Datatype* values, const count_list& counts, const others& whose) const {
    is_there(name, values, whose);
    for (int i = 0; i < whose.count; ++i)
      if (counts[i] > 0 && whose.has(i) && values[i] == MPI_DATATYPE_NULL)
        type(wherry::detail::text(name, "[", i, "]"), values[i]);
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw error(error_kind::argument, name_of(call_.kind), why, rank_);
  }
  const call& call_;
  int rank_, size_;
  others to_, from_;
};

void check_neighbors_arguments(const call& what, const argument_check& check) {
  switch (what.kind) {
    case kind::neighbor_allgather:
    case kind::neighbor_alltoall:
      check.sends_one();
      return check.receives_one();
    case kind::neighbor_allgatherv:
      check.sends_one();
      return check.receives_each();
    case kind::neighbor_alltoallv:
      check.sends_each();
      return check.receives_each();
    default:
      check.sends_any();
      check.receives_any();
      return check.addresses();
  }
}

}  // namespace

void check_arguments(const call& what, int rank, int size, const neighborhood* around) {
  if (is_of_neighbors(what.kind) && around != nullptr)
    return check_neighbors_arguments(
        what, argument_check(what, rank, size, neighbors(around->destinations()), neighbors(around->sources())));
  const argument_check check(what, rank, size);
  const bool root = rank == what.root;
  switch (what.kind) {
    case kind::barrier:
      return;
    case kind::bcast:
      check.root();
      return check.receives_one();
    case kind::gather:
      check.root();
      if (!root || !check.in_place()) check.sends_one();
      if (root) check.receives_one();
      return;
    case kind::gatherv:
      check.root();
      if (!root || !check.in_place()) check.sends_one();
      if (root) check.receives_each();
      return;
    case kind::scatter:
      check.root();
      if (root) check.sends_one();
      if (!root || what.receive != MPI_IN_PLACE) check.receives_one();
      return;
    case kind::scatterv:
      check.root();
      if (root) check.sends_each();
      if (!root || what.receive != MPI_IN_PLACE) check.receives_one();
      return;
    case kind::allgather:
    case kind::alltoall:
      if (!check.in_place()) check.sends_one();
      return check.receives_one();
    case kind::allgatherv:
      if (!check.in_place()) check.sends_one();
      return check.receives_each();
    case kind::alltoallv:
      if (!check.in_place()) check.sends_each();
      return check.receives_each();
    case kind::alltoallw:
      check.receives_any();
      if (!check.in_place()) check.sends_any();
      return;
    case kind::reduce:
      check.root();
      [[fallthrough]];
    case kind::allreduce:
    case kind::scan:
    case kind::exscan:
    case kind::reduce_scatter_block:
      check.op();
      return check.receives_one();
    case kind::reduce_scatter:
      check.op();
      check.received_counts();
      return check.type("type", what.send_type);
    default:
      return;  // of neighbours where there is no topology: MPI says so
  }
}

}  // namespace wherry::collective
