#include "build.hpp"

namespace wherry::crestacoll {
namespace {

using collective::kind;

// True if a macro is defined: its expansion then differs from its name.
#define WHERRY_TEXT(x) #x
#define WHERRY_TEXT_OF(x) WHERRY_TEXT(x)
#define WHERRY_IS_DEFINED(macro) (std::string_view(#macro) != WHERRY_TEXT_OF(macro))

constexpr bool all_nonblocking = WHERRY_IS_DEFINED(_ALL_NONBLOCK);

struct flags {
  bool coarrays, one_sided, nonblocking;
};

constexpr std::string_view choice(const flags& of) {
  if (of.coarrays) return "coarray";
  if (of.one_sided) return "one_sided";
  return of.nonblocking || all_nonblocking ? "nonblocking" : "mpi";
}

#define WHERRY_CHOICE(NAME, name)                                                                          \
  case kind::name: {                                                                                       \
    constexpr flags of{WHERRY_IS_DEFINED(_CAF_##NAME), WHERRY_IS_DEFINED(_OS_##NAME),                      \
                       WHERRY_IS_DEFINED(_NONBLOCK_##NAME)};                                               \
    static_assert(of.coarrays + of.one_sided + of.nonblocking <= 1, "several implementations for " #NAME); \
    return choice(of);                                                                                     \
  }

#if !defined(TMP_OS_WIN_SIZE)
#define TMP_OS_WIN_SIZE 131072
#endif
#if !defined(TMP_COARRAY_SIZE)
#define TMP_COARRAY_SIZE 131072
#endif
static_assert((TMP_OS_WIN_SIZE) > 0 && (TMP_COARRAY_SIZE) > 0,
              "TMP_OS_WIN_SIZE and TMP_COARRAY_SIZE are numbers of elements");

}  // namespace

std::string_view implementation_of(kind what) {
  switch (what) {
    WHERRY_CHOICE(BCAST, bcast)
    WHERRY_CHOICE(GATHER, gather)
    WHERRY_CHOICE(GATHERV, gatherv)
    WHERRY_CHOICE(SCATTER, scatter)
    WHERRY_CHOICE(SCATTERV, scatterv)
    WHERRY_CHOICE(REDUCE, reduce)
    WHERRY_CHOICE(ALLGATHER, allgather)
    WHERRY_CHOICE(ALLGATHERV, allgatherv)
    WHERRY_CHOICE(ALLREDUCE, allreduce)
    WHERRY_CHOICE(REDUCE_SCATTER, reduce_scatter)
    WHERRY_CHOICE(ALLTOALL, alltoall)
    WHERRY_CHOICE(ALLTOALLV, alltoallv)
    default:
      return "mpi";
  }
}

bool protects_buffers() { return WHERRY_IS_DEFINED(_PROTECTED_BUFFER); }
std::int64_t static_window_elements() { return WHERRY_IS_DEFINED(_STATIC_OS_WIN) ? (TMP_OS_WIN_SIZE) : 0; }
std::int64_t static_coarray_elements() { return WHERRY_IS_DEFINED(_STATIC_COARRAYS) ? (TMP_COARRAY_SIZE) : 0; }

}  // namespace wherry::crestacoll
