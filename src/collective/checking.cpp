#include "checking.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "call_terms.hpp"
#include "core/collective.hpp"
#include "core/terms.hpp"
#include "neighborhood.hpp"
#include "predefined_operations.hpp"
#include "side_of_call.hpp"

namespace wherry::collective {
namespace {

/// The bytes that this rank sends to and gets from each rank, for calls in which ranks give them in lists.
struct figures {
  std::vector<std::int64_t> sent, received;
};

/// @param ranks of the blocks, some of which may be missing; null: all are there
std::vector<std::int64_t> bytes_of_blocks(const side_of_call& side, std::size_t blocks, const int* ranks = nullptr) {
  std::vector<std::int64_t> all(blocks, 0);
  for (std::size_t b = 0; b < blocks; ++b)
    if (ranks == nullptr || ranks[b] != MPI_PROC_NULL) all[b] = side.bytes_of(static_cast<int>(b));
  return all;
}

class counted_call {
 public:
  counted_call(const call& what, int rank, int size)
      : what_(what), rank_(rank), size_(static_cast<std::size_t>(size)), all_{none(), none()} {}

  figures all() {
    const auto root = static_cast<std::size_t>(what_.root);
    const bool is_root = rank_ == what_.root;
    switch (what_.kind) {
      case kind::gatherv:
        if (is_root) all_.received = each_received();
        all_.sent[root] = is_root && what_.send == MPI_IN_PLACE ? all_.received[root] : one_sent();
        break;
      case kind::scatterv:
        if (is_root) all_.sent = each_sent();
        all_.received[root] = is_root && what_.receive == MPI_IN_PLACE ? all_.sent[root] : one_received();
        break;
      case kind::allgatherv: {
        all_.received = each_received();
        const auto mine = what_.send == MPI_IN_PLACE ? all_.received[static_cast<std::size_t>(rank_)] : one_sent();
        all_.sent.assign(size_, mine);
        break;
      }
      default:
        all_.received = each_received();
        all_.sent = what_.send == MPI_IN_PLACE ? all_.received : each_sent();
        break;
    }
    return all_;
  }

 private:
  std::vector<std::int64_t> none() const { return std::vector<std::int64_t>(size_, 0); }
  std::int64_t one_sent() const { return side_of_call::sent(what_).bytes_of(0); }
  std::int64_t one_received() const { return side_of_call::received(what_).bytes_of(0); }
  std::vector<std::int64_t> each_sent() const { return bytes_of_blocks(side_of_call::sent(what_), size_); }
  std::vector<std::int64_t> each_received() const { return bytes_of_blocks(side_of_call::received(what_), size_); }

  const call& what_;
  int rank_;
  std::size_t size_;
  figures all_;
};

bool says_one_by_one(kind what) {
  return what == kind::gatherv || what == kind::scatterv || what == kind::allgatherv || what == kind::alltoallv ||
         what == kind::alltoallw;
}

void compare_figures(const call& what, const communicator_state& on) {
  const auto where = name_of(what.kind);
  const auto mine = counted_call(what, on.comm.rank(), on.comm.size()).all();
  struct both {
    std::vector<std::int64_t> sent, arrives;
  };
  const auto told =
      patient::run(on.comm, where, both{mine.sent, std::vector<std::int64_t>(mine.sent.size())}, [&](both& b) {
        MPI_Request request = MPI_REQUEST_NULL;
        check_mpi(PMPI_Ialltoall(b.sent.data(), 1, MPI_INT64_T, b.arrives.data(), 1, MPI_INT64_T,
                                 on.comm.private_handle(), &request),
                  "MPI_Ialltoall");
        return request;
      });
  wherry::detail::collectively(on.comm, where, [&] {
    for (std::size_t r = 0; r < told.arrives.size(); ++r)
      if (told.arrives[r] != mine.received[r])
        throw error(error_kind::mismatch, where,
                    wherry::detail::text("rank ", r, " sends ", told.arrives[r], " bytes, expected ", mine.received[r]),
                    on.comm.rank(), {static_cast<int>(r)});
  });
}

void compare_neighbors(const call& what, const communicator_state& on) {
  const auto& around = *on.around;
  const auto &to = around.destinations(), &from = around.sources();
  const auto sent = bytes_of_blocks(side_of_call::sent(what), to.size(), to.data());
  const auto received = bytes_of_blocks(side_of_call::received(what), from.size(), from.data());
  const auto told = tell_neighbors(what.kind, sent, received.size(), on.comm.private_handle());
  wherry::detail::collectively(on.comm, name_of(what.kind), [&] {
    for (std::size_t i = 0; i < told.size(); ++i)
      if (from[i] != MPI_PROC_NULL && told[i] != received[i])
        throw error(error_kind::mismatch, name_of(what.kind),
                    wherry::detail::text("rank ", from[i], " sends ", told[i], " bytes, expected ", received[i]),
                    on.comm.rank(), {from[i]});
  });
}

}  // namespace

void compare_calls(const call& what, const shape_of_call& shape, const communicator_state& on,
                   std::string_view implementation) {
  if (is_of_neighbors(what.kind) && on.around == nullptr) return;  // MPI reports the error
  const terms agreed([&what, shape, implementation](auto& say) {
    say(name_of(what.kind), "the collective");
    say(implementation, "the implementation that the caller has named");
    if (has_root(what.kind)) say(what.root, "'root'");
    if (shape.bytes >= 0) say(shape.bytes, "the number of bytes");
    if (what.op != MPI_OP_NULL) say(shape.element, "the bytes of an element");
    if (what.op != MPI_OP_NULL) say(shape.commutative, "whether the operation commutes");
    if (what.op != MPI_OP_NULL) say(name_of_operation(place_of(what.op)), "'op'");
    if (what.op != MPI_OP_NULL) say(name_of_number(facts_of(what.send_type).number), "the numbers of an element");
  });
  agree_on(on.comm, name_of(what.kind), nullptr, agreed);
  if (says_one_by_one(what.kind)) compare_figures(what, on);
  if (is_of_neighbors(what.kind)) compare_neighbors(what, on);
}

}  // namespace wherry::collective
