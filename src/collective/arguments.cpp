#include "arguments.hpp"

#include <string>

#include "wherry/core/error.hpp"

namespace wherry::collective {
namespace {

class argument_check {
 public:
  argument_check(const call& what, int rank, int size) : call_(what), rank_(rank), size_(size) {}

  void count(std::string_view name, std::int64_t value) const {
    if (value < 0) refuse(text("'", name, "' is ", value));
  }
  void counts(std::string_view name, const int* values) const {
    if (values == nullptr) refuse(text("'", name, "' is null"));
    for (int r = 0; r < size_; ++r)
      if (values[r] < 0) refuse(text("'", name, "[", r, "]' is ", values[r]));
  }
  void type(std::string_view name, MPI_Datatype value) const {
    if (value == MPI_DATATYPE_NULL) refuse(text("'", name, "' is MPI_DATATYPE_NULL"));
  }
  void types(std::string_view name, const MPI_Datatype* values, const int* counts) const {
    if (values == nullptr) refuse(text("'", name, "' is null"));
    for (int r = 0; r < size_; ++r)
      if (counts[r] > 0) type(text(name, "[", r, "]"), values[r]);
  }
  void root() const {
    if (call_.root < 0 || call_.root >= size_) refuse(text("'root' is ", call_.root, " of ", size_, " ranks"));
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
    counts("send_counts", call_.send_counts);
    if (call_.send_displacements == nullptr) refuse("'send_displacements' is null");
    type("send_type", call_.send_type);
  }
  void receives_each() const {
    counts("receive_counts", call_.receive_counts);
    if (call_.receive_displacements == nullptr) refuse("'receive_displacements' is null");
    type("receive_type", call_.receive_type);
  }
  bool in_place() const { return call_.send == MPI_IN_PLACE; }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw error(error_kind::argument, name_of(call_.kind), why, rank_);
  }
  const call& call_;
  int rank_, size_;
};

}  // namespace

void check_arguments(const call& what, int rank, int size) {
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
      check.counts("receive_counts", what.receive_counts);
      check.types("receive_types", what.receive_types, what.receive_counts);
      if (check.in_place()) return;
      check.counts("send_counts", what.send_counts);
      return check.types("send_types", what.send_types, what.send_counts);
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
      check.counts("receive_counts", what.receive_counts);
      return check.type("type", what.send_type);
    default:
      return;  // of neighbours MPI knows more
  }
}

}  // namespace wherry::collective
