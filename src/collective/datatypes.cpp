#include "datatypes.hpp"

#include "wherry/core/mpi.hpp"
#include "wherry/plan/numbers.hpp"

#include "predefined_types.hpp"

namespace wherry::collective {
namespace {

datatype_facts ask_mpi(MPI_Datatype type) {
  datatype_facts facts;
  MPI_Count size = 0, lower = 0, extent = 0, true_lower = 0, true_extent = 0;
  check_mpi(PMPI_Type_size_x(type, &size), "MPI_Type_size_x");
  check_mpi(PMPI_Type_get_extent_x(type, &lower, &extent), "MPI_Type_get_extent_x");
  check_mpi(PMPI_Type_get_true_extent_x(type, &true_lower, &true_extent), "MPI_Type_get_true_extent_x");
  facts.size = size;
  facts.extent = extent;
  facts.dense = size == extent && lower == 0 && true_lower == 0 && true_extent == size;
  return facts;
}

class predefined_datatypes {
 public:
  predefined_datatypes() {
    for (const auto& row : predefined_types()) add(row);
  }

  const known_datatypes& table() const { return table_; }
  const datatype_facts* find(MPI_Datatype type) const {
    for (auto place = known_datatypes::first_place(type);; place = (place + 1) % known_datatypes::places) {
      const auto& here = table_.entries[place];
      if (here.type == MPI_DATATYPE_NULL) return nullptr;
      if (here.type == type) return &here.facts;
    }
  }

 private:
  void add(const predefined_type& row) {
    if (row.type == MPI_DATATYPE_NULL || find(row.type) != nullptr) return;
    auto place = known_datatypes::first_place(row.type);
    while (table_.entries[place].type != MPI_DATATYPE_NULL) place = (place + 1) % known_datatypes::places;
    auto& here = table_.entries[place];
    here.type = row.type;
    here.facts = ask_mpi(row.type);
    here.facts.predefined = true;
    if (!row.pair)
      here.facts.number = wherry::detail::place_of_number({row.holds, static_cast<std::uint32_t>(here.facts.size)});
  }

  known_datatypes table_{};
};

/// True if data of this type lies in memory in the order in which MPI packs it: types made of such types without a
/// permutation.
bool lies_as_packed(MPI_Datatype type) {
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  check_mpi(PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), "MPI_Type_get_envelope");
  if (combiner == MPI_COMBINER_NAMED) return true;
  if (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP) return false;
  std::array<int, 1> count{};
  std::array<MPI_Aint, 1> none{};
  std::array<MPI_Datatype, 1> inner{};
  check_mpi(PMPI_Type_get_contents(type, integers, addresses, types, count.data(), none.data(), inner.data()),
            "MPI_Type_get_contents");
  const bool dense = facts_of(inner[0]).dense;
  int inner_combiner = 0;
  check_mpi(PMPI_Type_get_envelope(inner[0], &integers, &addresses, &types, &inner_combiner), "MPI_Type_get_envelope");
  if (inner_combiner != MPI_COMBINER_NAMED) PMPI_Type_free(&inner[0]);
  return dense;
}

}  // namespace

std::atomic<const known_datatypes*> known_datatypes::all{nullptr};

datatype_facts facts_of_any(MPI_Datatype type) {
  static const predefined_datatypes predefined;
  known_datatypes::all.store(&predefined.table(), std::memory_order_release);
  if (const auto* known = predefined.find(type)) return *known;
  auto facts = ask_mpi(type);
  if (facts.dense && facts.size > 0) facts.dense = lies_as_packed(type);
  return facts;
}

}  // namespace wherry::collective
