#include "datatypes.hpp"

#include <vector>

#include "wherry/core/mpi.hpp"

namespace wherry::collective {
namespace {

number floating(std::int64_t size) { return size == 4 ? number::float32 : size == 8 ? number::float64 : number::none; }

number whole(std::int64_t size, bool with_sign) {
  switch (size) {
    case 1:
      return with_sign ? number::int8 : number::uint8;
    case 2:
      return with_sign ? number::int16 : number::uint16;
    case 4:
      return with_sign ? number::int32 : number::uint32;
    case 8:
      return with_sign ? number::int64 : number::uint64;
    default:
      return number::none;
  }
}

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
    for (const auto type : {MPI_DOUBLE, MPI_FLOAT, MPI_LONG_DOUBLE, MPI_DOUBLE_PRECISION, MPI_REAL})
      add(type, floating);
    for (const auto type : {MPI_INT, MPI_LONG, MPI_LONG_LONG, MPI_SHORT, MPI_SIGNED_CHAR, MPI_INT8_T, MPI_INT16_T,
                            MPI_INT32_T, MPI_INT64_T, MPI_INTEGER, MPI_AINT, MPI_COUNT, MPI_OFFSET})
      add(type, [](std::int64_t size) { return whole(size, true); });
    for (const auto type : {MPI_UNSIGNED, MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG, MPI_UNSIGNED_SHORT,
                            MPI_UNSIGNED_CHAR, MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T})
      add(type, [](std::int64_t size) { return whole(size, false); });
    const auto no_number = [](std::int64_t) { return number::none; };
    for (const auto type : {MPI_BYTE,
                            MPI_CHAR,
                            MPI_WCHAR,
                            MPI_C_BOOL,
                            MPI_C_FLOAT_COMPLEX,
                            MPI_C_DOUBLE_COMPLEX,
                            MPI_COMPLEX,
                            MPI_DOUBLE_COMPLEX,
                            MPI_LOGICAL,
                            MPI_CHARACTER,
                            MPI_PACKED,
                            MPI_2INT,
                            MPI_FLOAT_INT,
                            MPI_DOUBLE_INT,
                            MPI_LONG_INT,
                            MPI_SHORT_INT,
                            MPI_LONG_DOUBLE_INT,
                            MPI_2INTEGER,
                            MPI_2REAL,
                            MPI_2DOUBLE_PRECISION})
      add(type, no_number);
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
  template <class NumberOf> void add(MPI_Datatype type, NumberOf number_of) {
    if (type == MPI_DATATYPE_NULL || find(type) != nullptr) return;  // for example in an MPI without Fortran
    auto place = known_datatypes::first_place(type);
    while (table_.entries[place].type != MPI_DATATYPE_NULL) place = (place + 1) % known_datatypes::places;
    auto& here = table_.entries[place];
    here.type = type;
    here.facts = ask_mpi(type);
    here.facts.predefined = true;
    here.facts.what = number_of(here.facts.size);
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
