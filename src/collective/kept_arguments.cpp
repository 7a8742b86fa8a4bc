#include "kept_arguments.hpp"

#include <cstring>
#include <type_traits>

#include "wherry/core/mpi.hpp"

#include "communicator_state.hpp"
#include "datatypes.hpp"
#include "dense_call.hpp"
#include "task.hpp"

namespace wherry::collective {

list_readers list_readers::of(const communicator_state& on) {
  list_readers who{on.comm.rank(), on.comm.size()};
  if (on.around == nullptr) return who;
  who.destinations = &on.around->destinations();
  who.sources = &on.around->sources();
  return who;
}

/// The description of one of a call's two buffers, in the kept call.
class kept_arguments::side {
 public:
  static side sends(call& c) {
    return {c.send_counts, c.send_displacements, c.send_type, c.send_types, c.send_addresses};
  }
  static side receives(call& c) {
    return {c.receive_counts, c.receive_displacements, c.receive_type, c.receive_types, c.receive_addresses};
  }
  side& read_by(const std::vector<int>* ranks, int size) {
    ranks_ = ranks;
    length_ = ranks != nullptr ? ranks->size() : static_cast<std::size_t>(size);
    return *this;
  }

  MPI_Datatype& type() const { return type_; }
  bool has_lists() const { return counts_ != nullptr; }
  std::size_t bytes() const {
    return bytes_of(counts_) + bytes_of(displacements_) + bytes_of(types_) + bytes_of(addresses_);
  }
  void move_to(std::byte* memory) const {
    move(counts_, memory);
    move(displacements_, memory);
    move(types_, memory);
    move(addresses_, memory);
  }
  /// A type without data may be anything, and is not retained.
  template <class Retain> void retain_types(Retain&& retain) const {
    if (types_ == nullptr) return;
    auto* const own = const_cast<MPI_Datatype*>(types_);
    for (std::size_t i = 0; i < length_; ++i)
      if (counts_[i] > 0 && (ranks_ == nullptr || (*ranks_)[i] != MPI_PROC_NULL)) own[i] = retain(own[i]);
  }

 private:
  side(count_list& counts, place_list& displacements, MPI_Datatype& type, const MPI_Datatype*& types,
       const MPI_Aint*& addresses)
      : counts_(counts), displacements_(displacements), type_(type), types_(types), addresses_(addresses) {}

  std::size_t aligned(std::size_t each) const { return (length_ * each + 7) / 8 * 8; }
  template <class Large> std::size_t bytes_of(const figure_list<Large>& list) const {
    return list == nullptr ? 0 : aligned(list.is_large() ? sizeof(Large) : sizeof(int));
  }
  template <class T> std::size_t bytes_of(const T* list) const { return list == nullptr ? 0 : aligned(sizeof(T)); }

  template <class T> const T* moved(const T* list, std::byte*& memory) const {
    if (length_ > 0) std::memcpy(memory, list, length_ * sizeof(T));
    const auto* const there = reinterpret_cast<const T*>(memory);
    memory += aligned(sizeof(T));
    return there;
  }
  template <class Large> void move(figure_list<Large>& list, std::byte*& memory) const {
    if (list == nullptr) return;
    if (list.is_large())
      list = figure_list<Large>::of_large(moved(list.large(), memory));
    else
      list = moved(list.ints(), memory);
  }
  template <class T> void move(const T*& list, std::byte*& memory) const {
    if (list != nullptr) list = moved(list, memory);
  }

  count_list& counts_;
  place_list& displacements_;
  MPI_Datatype& type_;
  const MPI_Datatype*& types_;
  const MPI_Aint*& addresses_;
  const std::vector<int>* ranks_ = nullptr;
  std::size_t length_ = 0;
};

kept_arguments::~kept_arguments() {
  if (memory_ != nullptr) frame_pool::give_back(memory_, bytes_);
  if (duplicates_.empty() || !wherry::detail::mpi_is_running()) return;
  for (auto& type : duplicates_) PMPI_Type_free(&type);
}

std::byte* kept_arguments::take(std::size_t bytes) {
  memory_ = static_cast<std::byte*>(frame_pool::take(bytes));
  bytes_ = bytes;
  return memory_;
}

/// Makes a duplicate, which keeps the original alive, too.
MPI_Datatype kept_arguments::retain(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL || facts_of(type).predefined) return type;
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  check_mpi(PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), "MPI_Type_get_envelope");
  if (combiner == MPI_COMBINER_NAMED) return type;
  MPI_Datatype copy = MPI_DATATYPE_NULL;
  check_mpi(PMPI_Type_dup(type, &copy), "MPI_Type_dup");
  duplicates_.push_back(copy);
  return copy;
}

call kept_arguments::keep(const call& what, const list_readers& who, life how_long) {
  const auto how = pattern_of(what.kind);
  const bool of_neighbors = is_of_neighbors(what.kind);
  // A call among neighbours without a topology is refused later.
  if (how == pattern::barrier || (of_neighbors && who.sources == nullptr)) return what;
  auto same = what;
  const auto [sends, receives] = significant_sides_of(what, who.rank);
  auto sent = side::sends(same).read_by(of_neighbors ? who.destinations : nullptr, who.size);
  auto received = side::receives(same).read_by(of_neighbors ? who.sources : nullptr, who.size);
  const auto sent_bytes = sends && sent.has_lists() ? sent.bytes() : 0;
  const auto received_bytes = receives && received.has_lists() ? received.bytes() : 0;
  if (sent_bytes + received_bytes > 0) {
    auto* const memory = take(sent_bytes + received_bytes);
    if (sent_bytes > 0) sent.move_to(memory);
    if (received_bytes > 0) received.move_to(memory + sent_bytes);
  }
  const auto own = [this](MPI_Datatype type) { return retain(type); };
  if (what.op != MPI_OP_NULL) {
    operation_ = operation_in_use(what.op);
    const auto duplicate = retain(what.send_type);
    if (how_long == life::many_calls) same.send_type = same.receive_type = duplicate;
    return same;
  }
  if (sends) {
    sent.type() = retain(sent.type());
    if (sent_bytes > 0) sent.retain_types(own);
  }
  if (receives) {
    received.type() = retain(received.type());
    if (received_bytes > 0) received.retain_types(own);
  }
  return same;
}

call kept_arguments::keep(const call& what) {
  int inter = 1;
  if (wherry::detail::mpi_is_running() && what.comm != MPI_COMM_NULL)
    check_mpi(PMPI_Comm_test_inter(what.comm, &inter), "MPI_Comm_test_inter");
  if (inter != 0) return what;  // a call on an intercommunicator is refused later
  list_readers who;
  check_mpi(PMPI_Comm_rank(what.comm, &who.rank), "MPI_Comm_rank");
  check_mpi(PMPI_Comm_size(what.comm, &who.size), "MPI_Comm_size");
  if (!is_of_neighbors(what.kind) || !has_topology(what.comm)) return keep(what, who, life::many_calls);
  const auto around = neighbors_in(what.comm);
  who.destinations = &around.destinations;
  who.sources = &around.sources;
  return keep(what, who, life::many_calls);
}

}  // namespace wherry::collective
