#include "kept_datatypes.hpp"

#include "wherry/core/mpi.hpp"

#include "communicator_state.hpp"
#include "datatypes.hpp"
#include "dense_call.hpp"

namespace wherry::collective {

kept_datatypes::~kept_datatypes() {
  if (duplicates_.empty() || !mpi_is_running()) return;
  for (auto& type : duplicates_) PMPI_Type_free(&type);
}

MPI_Datatype kept_datatypes::own(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL || facts_of(type).predefined) return type;
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  check_mpi(PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), "MPI_Type_get_envelope");
  if (combiner == MPI_COMBINER_NAMED) return type;
  MPI_Datatype copy = MPI_DATATYPE_NULL;
  check_mpi(PMPI_Type_dup(type, &copy), "MPI_Type_dup");
  duplicates_.push_back(copy);
  return copy;
}

/// Of what is not sent the type may be anything.
const MPI_Datatype* kept_datatypes::own(const MPI_Datatype* list, const count_list& counts, int size,
                                        const std::vector<int>* ranks, std::vector<MPI_Datatype>& copy) {
  if (list == nullptr || counts == nullptr) return list;
  const auto length = ranks != nullptr ? ranks->size() : static_cast<std::size_t>(size);
  copy.assign(list, list + length);
  for (std::size_t i = 0; i < length; ++i)
    if (counts[static_cast<std::ptrdiff_t>(i)] > 0 && (ranks == nullptr || (*ranks)[i] != MPI_PROC_NULL))
      copy[i] = own(list[i]);
  return copy.data();
}

call kept_datatypes::with_own(const call& what) {
  if (what.op != MPI_OP_NULL || what.kind == kind::barrier) return what;
  const auto& on = communicator_state::of(what.comm);
  const auto how = pattern_of(what.kind);
  const bool root = on.comm.rank() == what.root, of_neighbors = is_of_neighbors(what.kind);
  if (of_neighbors && on.around == nullptr) return what;  // it will be refused
  auto same = what;
  if (what.send != MPI_IN_PLACE && how != pattern::bcast && (how != pattern::scatter || root)) {
    same.send_type = own(what.send_type);
    same.send_types = own(what.send_types, what.send_counts, on.comm.size(),
                          of_neighbors ? &on.around->destinations() : nullptr, send_list_);
  }
  if (what.receive != MPI_IN_PLACE && (how != pattern::gather || root)) {
    same.receive_type = own(what.receive_type);
    same.receive_types = own(what.receive_types, what.receive_counts, on.comm.size(),
                             of_neighbors ? &on.around->sources() : nullptr, receive_list_);
  }
  return same;
}

}  // namespace wherry::collective
