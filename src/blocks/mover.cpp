#include "wherry/blocks/mover.hpp"

#include "wherry/core/mpi.hpp"

#include "plan_motion.hpp"

namespace wherry {
namespace {

constexpr const char* where = "mover";

template <int N> bool endogenous(const array_shape<N>& source, std::size_t pointers) {
  return pointers == source.bytes.size();
}

template <int N>
std::uint32_t agreement(const array_shape<N>& source, const array_shape<N>& destination, const mover_options& how) {
  std::uint32_t hash = 2166136261u;
  const auto add = [&hash](auto part) { hash = (hash ^ static_cast<std::uint32_t>(part)) * 16777619u; };
  for (const auto* shape : {&source, &destination}) {
    add(N);
    add(shape->element);
    add(shape->components);
    add(shape->plan->size());
    for (const int place : shape->order.place) add(place);
  }
  add(how.update.has_value());
  add(how.packet_bytes);
  add(how.keep_buffers);
  add(static_cast<bool>(how.inspected));
  return hash;
}

template <int N>
void check_arrays(const array_shape<N>& source, const array_shape<N>& destination, const mover_options& how, int rank) {
  const auto fail = [&](std::string_view what) { throw error(error_kind::argument, where, what, rank); };
  if (source.components != destination.components)
    fail(text("the source has ", source.components, " components, the destination ", destination.components));
  if (how.packet_bytes < 0) fail(text("packet_bytes is ", how.packet_bytes));
  if (!how.update) return;
  const auto& op = *how.update;
  const auto element = static_cast<index_t>(op.element), arriving = static_cast<index_t>(op.arriving());
  if (element == arriving ? source.element != destination.element || destination.element % element != 0
                          : destination.element != element || source.element != arriving)
    fail(text("the update '", op.name, "' makes elements of ", element, " bytes from ", arriving,
              ", the destination has elements of ", destination.element, " and the source of ", source.element));
}

/// Some transports are collective in every stage, so that all ranks must have as many.
void agree_on_stages(const communicator& comm, schedule& plan) {
  int mine = static_cast<int>(plan.stages.size()), most = 0;
  check_mpi(MPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, comm.handle()), "MPI_Allreduce");
  plan.stages.resize(static_cast<std::size_t>(most));
}

}  // namespace

std::vector<void*> detail::field_table(std::span<void* const> source, std::span<void* const> destination) {
  std::vector<void*> table(source.begin(), source.end());
  if (source.data() != destination.data()) table.insert(table.end(), destination.begin(), destination.end());
  return table;
}

void mover::start_between(const shapes& given, std::span<void* const> source, std::span<void* const> destination) {
  if (given.source != bound_.source || given.destination != bound_.destination || given.endogenous != bound_.endogenous)
    throw error(error_kind::argument, where, "start was given arrays of other shapes than the mover was made for",
                exchange_.comm().rank());
  std::copy(source.begin(), source.end(), table_.begin());
  if (!given.endogenous) std::copy(destination.begin(), destination.end(), table_.end() - destination.size());
  exchange_.start(table_);
}

template <int N>
exchange bind_motion(const communicator& comm, const motion_plan<N>& plan, const array_shape<N>& source,
                     const array_shape<N>& destination, std::span<void* const> table, const mover_options& how) {
  schedule found;
  collectively(
      comm, where,
      [&] {
        check_arrays(source, destination, how, comm.rank());
        found = plan_motion(plan, source, destination, endogenous(source, table.size()), how.update ? 0 : store,
                            how.packet_bytes, comm.rank());
      },
      agreement(source, destination, how), "the ranks disagree on the arrays or the options");
  if (how.packet_bytes > 0) agree_on_stages(comm, found);
  if (how.inspected) collectively(comm, where, [&] { how.inspected(found); });
  functions code;
  if (how.update) code.reductions.push_back(*how.update);
  // Staging in shared memory is as large as the message: it would not be bounded.
  const bool bounded = how.packet_bytes > 0 && how.transport == "auto";
  exchange bound(comm, std::move(found), std::move(code),
                 {bounded ? "two_sided" : how.transport, false, how.proxy, how.keep_buffers});
  bound.set_fields(table);
  return bound;
}

#define WHERRY_BIND_MOTION(N)                                                                      \
  template exchange bind_motion(const communicator&, const motion_plan<N>&, const array_shape<N>&, \
                                const array_shape<N>&, std::span<void* const>, const mover_options&);
WHERRY_BIND_MOTION(1)
WHERRY_BIND_MOTION(2)
WHERRY_BIND_MOTION(3)
WHERRY_BIND_MOTION(4)
WHERRY_BIND_MOTION(5)
WHERRY_BIND_MOTION(6)
#undef WHERRY_BIND_MOTION

}  // namespace wherry
