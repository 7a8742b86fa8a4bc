#include "world.hpp"

#include <chrono>

#include "wherry/core/error.hpp"
#include "wherry/core/hash.hpp"

namespace wherry::gaspi {
namespace {

/// Checks the values that must be the same on all ranks.
/// @throws error(mismatch) on all ranks alike
const communicator& agreed(const communicator& comm, const gaspi_config_t& config) {
  if (comm.size() > 65535)
    throw error(error_kind::argument, "gaspi_proc_init",
                detail::text("GASPI's ranks are numbers of 16 bits, but there are ", comm.size(), " ranks"),
                comm.rank());
  shape_hash all;
  all.add(config.notification_num).add(config.passive_transfer_size_max).add(config.allreduce_buf_size);
  detail::agree_or_throw(comm, "gaspi_proc_init", nullptr, static_cast<std::uint32_t>(all.value()),
                         "the ranks have given different configurations (notification_num, passive_transfer_size_max, "
                         "allreduce_buf_size)");
  return comm;
}

}  // namespace

std::atomic<world*> world::now{nullptr};

view::view(const channels::segment_space& space, const segment_options& options)
    : segment(space, options), known(static_cast<std::size_t>(space.comm().size())) {
  for (auto& stamp : known) stamp.store(~std::uint64_t{0}, std::memory_order_relaxed);
}

world::world(const communicator& where, const gaspi_config_t& wanted)
    : comm(agreed(where, wanted)),
      config(wanted),
      rank(static_cast<gaspi_rank_t>(comm.rank())),
      size(static_cast<gaspi_rank_t>(comm.size())),
      space(comm),
      listed(comm),
      passive(comm, {.largest = wanted.passive_transfer_size_max,
                     .under_way = static_cast<int>(wanted.passive_queue_size_max)}) {
  for (gaspi_uint q = 0; q < config.queue_num; ++q) queues[q].is_open = true;
}

view& world::view_of(gaspi_segment_id_t id) {
  auto* v = views[id].load(std::memory_order_acquire);
  if (v != nullptr) return *v;
  const segment_options options{.notifications = static_cast<int>(config.notification_num),
                                .name = detail::text(static_cast<int>(id))};
  v = made_.emplace_back(std::make_unique<view>(space, options)).get();
  views[id].store(v, std::memory_order_release);
  return *v;
}

std::optional<byte_segment*> world::meet(gaspi_segment_id_t id, gaspi_rank_t peer, const time_limit& limit) {
  if (peer == rank) {  // a rank need not register its own segment with itself
    auto* const v = own(id);
    return v != nullptr ? &v->segment : nullptr;
  }
  // Waits within the time limit; threads that make segments meanwhile do not wait.
  std::unique_lock waits(asking, std::defer_lock);
  if (!listed.is_near(peer) && !limit.take(waits)) return std::nullopt;
  const auto stamp = listed.stamp(peer, id);
  if (stamp == 0) return nullptr;
  const auto found = listed.find(peer, id, limit.seconds_left());
  if (!found) return std::nullopt;
  if (!found->is_there) return nullptr;
  const std::lock_guard lock(guard);
  auto& v = view_of(id);
  v.segment.meet(peer, found->ticket);
  v.known[peer].store(stamp, std::memory_order_release);
  return &v.segment;
}

}  // namespace wherry::gaspi
