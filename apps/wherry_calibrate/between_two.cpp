#include "between_two.hpp"

#include <array>
#include <cstring>

#include "wherry/plan/schedule_builder.hpp"

#include "harness/text.hpp"

namespace calibrating {
namespace {

std::size_t bytes_of(const rows& what) { return static_cast<std::size_t>(what.count * what.pitch); }

/// Returns on both ranks, or throws on both.
wherry::node_memory shared_by_both(const wherry::communicator& comm, std::size_t bytes) {
  wherry::node_memory memory;
  int here = 1, everywhere = 0;
  try {
    memory = wherry::node_memory(comm, bytes);
  } catch (const wherry::error&) {
    here = 0;
  }
  MPI_Allreduce(&here, &everywhere, 1, MPI_INT, MPI_MIN, comm.users_handle());
  if (everywhere == 0)
    throw wherry::error(wherry::error_kind::resource, "wherry_calibrate",
                        bench::text("there are no ", bytes, " bytes of memory that the node shares"), comm.rank());
  return memory;
}

}  // namespace

between_two::between_two(const wherry::communicator& comm, const rows& what, const std::string& transport,
                         bool node_shared, std::size_t elsewhere)
    : what_(what),
      elsewhere_(elsewhere),
      own_(node_shared ? 0 : 2 * bytes_of(what)),
      shared_(node_shared ? shared_by_both(comm, 2 * bytes_of(what)) : wherry::node_memory()),
      bound_(comm, plan_of(comm, what, space()), {}, {.transport = transport}) {
  const std::array<void*, 2> fields{memory(), memory() + bytes_of(what)};
  bound_.set_fields(fields);
}

wherry::plans::schedule between_two::plan_of(const wherry::communicator& comm, const rows& what,
                                             wherry::memory_space space) {
  wherry::plans::schedule_builder plan("calibration", comm.rank());
  const auto end = static_cast<std::int64_t>(bytes_of(what));
  for (const char* const name : {"sent", "received"})
    plan.add_field({.name = name, .element = 1, .lowest = 0, .highest = end, .space = space, .type = {}});
  const int peer = 1 - comm.rank();
  const auto add = [&](std::int64_t offset, std::int64_t count) {
    const std::array<std::int64_t, 2> extents{what.length, count}, strides{1, what.pitch};
    plan.send(peer, wherry::plans::strided_block(0, 1, offset, extents, strides));
    plan.receive(peer, wherry::plans::strided_block(1, 1, offset, extents, strides));
  };
  if (!what.apart) add(0, what.count);
  for (std::int64_t i = 0; what.apart && i < what.count; ++i) add(i * what.pitch, 1);
  return plan.finish();
}

void between_two::rewrite() {
  ++written_;
  std::memset(elsewhere_.data(), written_, elsewhere_.size());
  for (std::int64_t i = 0; i < what_.count; ++i)
    std::memset(memory() + i * what_.pitch, written_, static_cast<std::size_t>(what_.length));
}

}  // namespace calibrating
