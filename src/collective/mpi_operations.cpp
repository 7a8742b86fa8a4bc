// Reductions that MPI applies, and operations of MPI that apply reductions.
#include "wherry/collective/mpi_operations.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "wherry/collective/typed.hpp"

#include "predefined_operations.hpp"

namespace wherry::collective::detail {
namespace {

/// Computes `right = left (op) right`.
void reduce_local(const void* left, void* right, std::size_t count, std::size_t bytes, MPI_Datatype datatype,
                  MPI_Op op) {
  for (std::size_t first = 0; first < count;) {
    const auto now = std::min<std::size_t>(count - first, std::numeric_limits<int>::max());
    check_mpi(PMPI_Reduce_local(static_cast<const std::byte*>(left) + first * bytes,
                                static_cast<std::byte*>(right) + first * bytes, static_cast<int>(now), datatype, op),
              "MPI_Reduce_local");
    first += now;
  }
}

std::vector<std::byte> copy_of(const void* first, std::size_t bytes) {
  const auto* const from = static_cast<const std::byte*>(first);
  return {from, from + bytes};
}

/// The attribute of a datatype by which MPI's function finds the reduction.
int keyval_of_reduction() {
  static const int keyval = [] {
    int fresh = MPI_KEYVAL_INVALID;
    check_mpi(PMPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &fresh, nullptr),
              "MPI_Type_create_keyval");
    return fresh;
  }();
  return keyval;
}

void apply_attached(void* in, void* inout, int* count, MPI_Datatype* type) {
  void* found = nullptr;
  int there = 0, bytes = 0;
  check_mpi(PMPI_Type_get_attr(*type, keyval_of_reduction(), &found, &there), "MPI_Type_get_attr");
  check_mpi(PMPI_Type_size(*type, &bytes), "MPI_Type_size");
  const auto& how = *static_cast<const plans::typed_reduction*>(found);
  auto left = copy_of(in, static_cast<std::size_t>(*count) * static_cast<std::size_t>(bytes));
  how.apply(left.data(), inout, left.size() / how.element);
  std::memcpy(inout, left.data(), left.size());
}

}  // namespace

plans::typed_reduction reduction_by_mpi(MPI_Op op, const plans::element_type& type, std::size_t bytes,
                                        MPI_Datatype datatype, std::shared_ptr<const void> owner) {
  if (const auto* const known = reduction(known_by_mpi(op)).on(type)) return *known;
  std::string name(name_of_operation(place_of(op)));
  if (!is_defined_for(op, datatype)) wherry::detail::throw_no_meaning(name, type);
  int commutes = 0;
  check_mpi(PMPI_Op_commutative(op, &commutes), "MPI_Op_commutative");
  plans::typed_reduction made;
  made.name = std::move(name);
  made.element = bytes;
  made.type = made.wire_type = type;
  made.apply = [=, owner = std::move(owner)](void* into, const void* from, std::size_t count) {
    if (commutes != 0) return reduce_local(from, into, count, bytes, datatype, op);
    auto right = copy_of(from, count * bytes);  // MPI overwrites its right operand
    reduce_local(into, right.data(), count, bytes, datatype, op);
    std::memcpy(into, right.data(), right.size());
  };
  return made;
}

any_reduction::any_reduction(const reduction& how, const plans::element_type& type, std::size_t bytes,
                             MPI_Datatype number)
    : type_(number) {
  const auto* const found = how.on(type);
  if (found == nullptr) wherry::detail::throw_no_meaning(how.name(), type);
  if (found->type != type || found->wire_type != type || found->stores || bytes % found->element != 0)
    throw error(error_kind::argument, "reduction",
                wherry::detail::text(identity(*found), " does not combine elements that are ", to_string(type)));
  op_ = mpi_op_of(found->known);
  if (op_ != MPI_OP_NULL && number != MPI_DATATYPE_NULL && is_defined_for(op_, number)) return;
  how_ = std::make_shared<const plans::typed_reduction>(*found);
  if (number != MPI_DATATYPE_NULL)
    check_mpi(PMPI_Type_dup(number, &type_), "MPI_Type_dup");
  else
    check_mpi(PMPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type_), "MPI_Type_contiguous");
  own_type_ = wherry::detail::unique_datatype(type_);
  check_mpi(PMPI_Type_commit(&type_), "MPI_Type_commit");
  check_mpi(PMPI_Type_set_attr(type_, keyval_of_reduction(), const_cast<plans::typed_reduction*>(how_.get())),
            "MPI_Type_set_attr");
  check_mpi(PMPI_Op_create(apply_attached, 0, &op_), "MPI_Op_create");
  own_op_ = unique_op(op_);
}

}  // namespace wherry::collective::detail
