#include "arguments.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "dense_call.hpp"
#include "neighborhood.hpp"
#include "predefined_operations.hpp"
#include "side_of_call.hpp"

namespace wherry::collective {
namespace {

/// The ranks that a call's lists refer to: all ranks, or neighbours, some of which may be missing.
struct others {
  int count;
  const int* ranks = nullptr;
  bool has(int place) const { return ranks == nullptr || ranks[place] != MPI_PROC_NULL; }
  bool is_nobody() const {
    for (int i = 0; i < count; ++i)
      if (has(i)) return false;
    return true;
  }
};

others neighbors(const std::vector<int>& ranks) { return {static_cast<int>(ranks.size()), ranks.data()}; }

/// More bytes than there are addresses. A sum of a few such sizes still fits in 64 bits.
constexpr std::int64_t too_many_bytes = std::int64_t{1} << 57;
/// No data lies in the first page: an offset so close to a null pointer is not an address.
constexpr std::int64_t first_page = 4096;

/// The names of the arguments for one of a call's two buffers.
struct side_names {
  std::string_view buffer, count, counts, displacements, type, types;
};
constexpr side_names of_send{"send", "send_count", "send_counts", "send_displacements", "send_type", "send_types"};
constexpr side_names of_receive{"receive",      "receive_count", "receive_counts", "receive_displacements",
                                "receive_type", "receive_types"};

/// One of a call's two buffers with its names.
struct side : side_of_call {
  const side_names& names;
  std::string_view name, count_name;
};

class argument_check {
 public:
  argument_check(const call& what, int rank, int size) : argument_check(what, rank, size, {size}, {size}) {}
  argument_check(const call& what, int rank, int size, const others& to, const others& from)
      : call_(what), rank_(rank), size_(size), to_(to), from_(from) {}

  void root() const {
    if (call_.root < 0 || call_.root >= size_)
      refuse(wherry::detail::text("'root' is ", call_.root, ", expected a rank from 0 to ", size_ - 1));
  }
  void op() const {
    if (call_.op == MPI_OP_NULL) refuse("'op' is MPI_OP_NULL");
  }
  /// Checks that the operation is defined for the type, which has been checked.
  void op_of_type() const {
    if (!is_defined_for(call_.op, call_.send_type))
      refuse(wherry::detail::text("'op' is ", name_of_operation(place_of(call_.op)),
                                  ", which MPI does not define for elements of '", name_of_type(call_.send_type), "'"));
  }

  /// Checks a buffer with this many equal blocks.
  void sends(int blocks = 1) const { alike(sent(), blocks); }
  void receives(int blocks = 1) const { alike(received(), blocks); }
  void sends_to_each() const { sends(to_.is_nobody() ? 0 : to_.count); }
  void receives_from_each() const { receives(from_.is_nobody() ? 0 : from_.count); }
  void sends_one_to_all() const { sends(to_.is_nobody() ? 0 : 1); }
  /// Checks lists: a count, a displacement and perhaps a type for each rank.
  void sends_listed() const { listed(sent(), to_); }
  void receives_listed() const { listed(received(), from_); }
  /// Checks the send buffer of a reduction, which has as many elements as the result. The counts have been checked.
  void sends_what_is_reduced(std::int64_t count) const {
    auto one = sent();
    one.count = count;
    one.count_name = "count";
    fits(one, 1);
  }
  /// The number of elements in the parts of all ranks.
  std::int64_t all_parts() const {
    if (call_.receive_counts == nullptr) return product(call_.receive_count, size_, "receive_count");
    there("receive_counts", call_.receive_counts, from_);
    std::int64_t all = 0;
    for (int r = 0; r < size_; ++r) {
      not_negative("receive_counts", r, call_.receive_counts[r]);
      if (__builtin_add_overflow(all, call_.receive_counts[r], &all))
        refuse("'receive_counts' add up to more than 64 bits hold");
    }
    return all;
  }
  void count_of_result() const {
    not_negative(call_.kind == kind::reduce_scatter_block ? "receive_count" : "count", call_.receive_count);
  }
  void type_of_result() const { type("type", call_.send_type); }
  /// Checks the receive buffer of a reduction, with this many elements.
  void result(std::int64_t count) const {
    auto one = received();
    one.count = count;
    one.count_name = "count";
    fits(one, 1);
  }

  /// Checks that this rank sends itself as many bytes as it expects from itself.
  void agrees_with_itself(std::int64_t bytes_sent, std::int64_t bytes_received) const {
    if (bytes_sent != bytes_received)
      refuse(wherry::detail::text("'send' has ", bytes_sent, " bytes for this rank itself, and 'receive' expects ",
                                  bytes_received));
  }
  std::int64_t bytes_sent() const { return call_.send_count * facts_of(call_.send_type).size; }
  std::int64_t bytes_received() const { return call_.receive_count * facts_of(call_.receive_type).size; }
  std::int64_t bytes_sent_to_itself() const { return sent().bytes_of(rank_); }
  std::int64_t bytes_received_from_itself() const { return received().bytes_of(rank_); }

  bool sends_in_place() const { return call_.send == MPI_IN_PLACE; }
  bool receives_in_place() const { return call_.receive == MPI_IN_PLACE; }
  void addresses() const {
    there("send_addresses", call_.send_addresses, to_);
    there("receive_addresses", call_.receive_addresses, from_);
  }

 private:
  side sent() const { return {side_of_call::sent(call_), of_send, of_send.buffer, of_send.count}; }
  side received() const {
    if (call_.kind == kind::bcast) return {side_of_call::received(call_), of_receive, "buffer", "count"};
    return {side_of_call::received(call_), of_receive, of_receive.buffer, of_receive.count};
  }

  void alike(const side& what, int blocks) const {
    not_negative(what.count_name, what.count);
    type(what.names.type, what.type);
    fits(what, blocks);
  }
  /// Checks a buffer with this many blocks of its count.
  void fits(const side& what, int blocks) const {
    const auto elements = product(what.count, blocks, what.count_name);
    if (elements == 0) return lies(what, 0, 0, what.type);
    lies(what, 0, elements, what.type);
  }
  void listed(const side& what, const others& whose) const {
    const auto& names = what.names;
    there(names.counts, what.counts, whose);
    if (what.addresses == nullptr && call_.kind != kind::neighbor_alltoallw)
      there(names.displacements, what.displacements, whose);
    const bool many_types = has_many_types();
    if (many_types)
      there(names.types, what.types, whose);
    else
      type(names.type, what.type);
    for (int i = 0; i < whose.count; ++i)
      if (whose.has(i)) not_negative(names.counts, i, what.counts[i]);
    std::int64_t all = 0;
    auto in_list = what;
    in_list.count_name = names.counts;
    lies(what, 0, 0, what.type);
    for (int i = 0; i < whose.count; ++i) {
      if (!whose.has(i) || what.counts[i] == 0) continue;
      if (many_types) type(names.types, i, what.types[i]);
      const auto one = many_types ? what.types[i] : what.type;
      const auto facts = facts_of(one);
      const auto place =
          many_types ? what.place_of(i) : product(what.displacements[i], facts.extent, names.displacements);
      lies(in_list, place, what.counts[i], one);
      all += product(what.counts[i], facts.size, names.counts);
      if (all >= too_many_bytes) too_many(names.counts);
    }
  }
  bool has_many_types() const { return call_.kind == kind::alltoallw || call_.kind == kind::neighbor_alltoallw; }

  /// Checks `elements` elements at this offset from the buffer's beginning.
  void lies(const side& what, std::int64_t at, std::int64_t elements, MPI_Datatype of) const {
    if (what.buffer == MPI_IN_PLACE)
      refuse(wherry::detail::text("'", what.name, "' is MPI_IN_PLACE, which this argument cannot be"));
    if (elements == 0) return;
    const auto facts = facts_of(of);
    product(elements, facts.size, what.count_name);
    product(elements, facts.extent, what.count_name);
    if (what.buffer == nullptr && facts.size > 0 && is_no_address(at, of))
      refuse(wherry::detail::text("'", what.name, "' is null, expected ", elements, " elements there"));
  }
  /// True if data at this offset from address 0 does not lie at an address. (A datatype of absolute addresses has its
  /// data elsewhere.)
  bool is_no_address(std::int64_t at, MPI_Datatype of) const {
    MPI_Count lower = 0, extent = 0;
    check_mpi(PMPI_Type_get_true_extent_x(of, &lower, &extent), "MPI_Type_get_true_extent_x");
    return at + lower > -first_page && at + lower < first_page;
  }
  std::int64_t product(std::int64_t a, std::int64_t b, std::string_view count_name) const {
    std::int64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result) || result >= too_many_bytes || result <= -too_many_bytes)
      too_many(count_name);
    return result;
  }
  [[noreturn]] void too_many(std::string_view count_name) const {
    refuse(wherry::detail::text("'", count_name, "' stands for more bytes than memory has addresses"));
  }

  template <class List> void there(std::string_view name, const List& list, const others& whose) const {
    if (list == nullptr && whose.count > 0)
      refuse(wherry::detail::text("'", name, "' is null, expected one entry for each of ", whose.count, " ranks"));
  }
  void not_negative(std::string_view name, std::int64_t value) const {
    if (value < 0) refuse(wherry::detail::text("'", name, "' is ", value, ", expected 0 or more"));
  }
  void not_negative(std::string_view name, int place, std::int64_t value) const {
    if (value < 0) refuse(wherry::detail::text("'", name, "[", place, "]' is ", value, ", expected 0 or more"));
  }
  void type(std::string_view name, MPI_Datatype value) const {
    if (value == MPI_DATATYPE_NULL) refuse(wherry::detail::text("'", name, "' is MPI_DATATYPE_NULL"));
  }
  void type(std::string_view name, int place, MPI_Datatype value) const {
    if (value == MPI_DATATYPE_NULL) refuse(wherry::detail::text("'", name, "[", place, "]' is MPI_DATATYPE_NULL"));
  }
  static std::string name_of_type(MPI_Datatype of) {
    char name[MPI_MAX_OBJECT_NAME + 1] = "";
    int length = 0;
    PMPI_Type_get_name(of, name, &length);
    return length > 0 ? name : "a type of the program's";
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
      check.sends_one_to_all();
      return check.receives_from_each();
    case kind::neighbor_alltoall:
      check.sends_to_each();
      return check.receives_from_each();
    case kind::neighbor_allgatherv:
      check.sends_one_to_all();
      return check.receives_listed();
    case kind::neighbor_alltoallv:
      check.sends_listed();
      return check.receives_listed();
    default:
      check.addresses();
      check.sends_listed();
      return check.receives_listed();
  }
}

/// @param has_result this rank gets a result
void check_reduction(const call& what, const argument_check& check, bool has_result) {
  check.op();
  check.count_of_result();
  check.type_of_result();
  check.op_of_type();
  const bool in_place = check.sends_in_place() && has_result;
  if (!in_place) check.sends_what_is_reduced(what.receive_count);
  if (has_result) check.result(what.receive_count);
}

void check_scattered_reduction(const call& what, int rank, const argument_check& check) {
  check.op();
  if (what.kind == kind::reduce_scatter_block) check.count_of_result();
  check.type_of_result();
  const auto all = check.all_parts();
  check.op_of_type();
  const auto own = what.receive_counts == nullptr ? what.receive_count : what.receive_counts[rank];
  if (check.sends_in_place()) return check.result(all);
  check.sends_what_is_reduced(all);
  check.result(own);
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
      return check.receives();
    case kind::gather:
      check.root();
      if (!root || !check.sends_in_place()) check.sends();
      if (root) check.receives(size);
      if (root && !check.sends_in_place()) check.agrees_with_itself(check.bytes_sent(), check.bytes_received());
      return;
    case kind::gatherv:
      check.root();
      if (!root || !check.sends_in_place()) check.sends();
      if (root) check.receives_listed();
      if (root && !check.sends_in_place())
        check.agrees_with_itself(check.bytes_sent(), check.bytes_received_from_itself());
      return;
    case kind::scatter:
      check.root();
      if (root) check.sends(size);
      if (!root || !check.receives_in_place()) check.receives();
      if (root && !check.receives_in_place()) check.agrees_with_itself(check.bytes_sent(), check.bytes_received());
      return;
    case kind::scatterv:
      check.root();
      if (root) check.sends_listed();
      if (!root || !check.receives_in_place()) check.receives();
      if (root && !check.receives_in_place())
        check.agrees_with_itself(check.bytes_sent_to_itself(), check.bytes_received());
      return;
    case kind::allgather:
      if (!check.sends_in_place()) check.sends();
      check.receives(size);
      if (!check.sends_in_place()) check.agrees_with_itself(check.bytes_sent(), check.bytes_received());
      return;
    case kind::alltoall:
      if (!check.sends_in_place()) check.sends(size);
      check.receives(size);
      if (!check.sends_in_place()) check.agrees_with_itself(check.bytes_sent(), check.bytes_received());
      return;
    case kind::allgatherv:
      if (!check.sends_in_place()) check.sends();
      check.receives_listed();
      if (!check.sends_in_place()) check.agrees_with_itself(check.bytes_sent(), check.bytes_received_from_itself());
      return;
    case kind::alltoallv:
    case kind::alltoallw:
      check.receives_listed();
      if (check.sends_in_place()) return;
      check.sends_listed();
      return check.agrees_with_itself(check.bytes_sent_to_itself(), check.bytes_received_from_itself());
    case kind::reduce:
      check.root();
      return check_reduction(what, check, root);
    case kind::exscan:
      return check_reduction(what, check, rank > 0 || check.sends_in_place());
    case kind::allreduce:
    case kind::scan:
      return check_reduction(what, check, true);
    case kind::reduce_scatter:
    case kind::reduce_scatter_block:
      return check_scattered_reduction(what, rank, check);
    default:
      return;  // neighbours without a topology: MPI reports it
  }
}

}  // namespace wherry::collective
