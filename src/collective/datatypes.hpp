// The facts about MPI datatypes that moving bytes requires.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "wherry/plan/element.hpp"

namespace wherry::collective {

struct datatype_facts {
  std::int64_t size = 0;    ///< bytes of data in one element
  std::int64_t extent = 0;  ///< bytes from one element to the next
  /// True if `count` elements are `count * size` contiguous bytes, in the order in which MPI packs them.
  bool dense = true;
  bool predefined = false;
  wherry::detail::number_place number = wherry::detail::no_number;
};

datatype_facts facts_of_any(MPI_Datatype type);

/// The predefined datatypes in a hash table by handle, with their facts.
struct known_datatypes {
  static constexpr std::size_t places = 256;
  struct entry {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    datatype_facts facts;
  };
  std::array<entry, places> entries;

  static std::size_t first_place(MPI_Datatype type) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &type, sizeof type);
    return static_cast<std::size_t>((bits * 0x9E3779B97F4A7C15u) >> 56);
  }
  /// Null until the first question.
  static std::atomic<const known_datatypes*> all;
};

/// The facts about a type. Each call asks several times: most types are found at their first place, inline.
inline datatype_facts facts_of(MPI_Datatype type) {
  if (const auto* known = known_datatypes::all.load(std::memory_order_acquire)) {
    const auto& first = known->entries[known_datatypes::first_place(type)];
    if (first.type == type) return first.facts;
  }
  return facts_of_any(type);
}

}  // namespace wherry::collective
