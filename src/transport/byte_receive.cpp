// The reading end of a stream from one rank to another.
#include <cstring>

#include "wherry/core/error.hpp"
#include "wherry/transport/byte_channels.hpp"

#include "byte_channel_state.hpp"
#include "byte_flight.hpp"
#include "byte_sources.hpp"

namespace wherry {
namespace {

/// Takes what still comes and throws it away.
template <class Windows> void drain(Windows& windows) {
  while (windows.next().head.state == window_state::more) {
  }
  windows.finish();
}

std::unique_ptr<byte_source> read_ring(std::string_view where, const communicator& comm, std::uint64_t fingerprint,
                                       int from, std::unique_ptr<first_piece> first, bool same) {
  const auto stream = first->head.position;
  ring_reader reader(comm, comm.node_index(from), first->head.ring, 0);
  reader.begin_at(stream);
  if (same) {
    reader.accept(stream);
    return std::make_unique<window_source<ring_windows>>(where, comm, fingerprint, std::move(first), where, comm,
                                                         reader, from, stream);
  }
  reader.give_up(stream, text("rank ", comm.rank(), " reads another type"));
  ring_windows rest(where, comm, reader, from, stream);
  drain(rest);
  throw_other_type(where, comm, from);
}

std::unique_ptr<byte_source> read_messages(std::string_view where, const communicator& comm, std::uint64_t fingerprint,
                                           int from, std::unique_ptr<first_piece> first, bool same) {
  const int tag = first->head.body_tag;
  if (first->head.route == stream_route::messages) {
    stream_answer answer;
    answer.accepted = same ? 1 : 0;
    if (!same)
      std::strncpy(answer.why, text("rank ", comm.rank(), " reads another type").c_str(), sizeof answer.why - 1);
    pending_message message;
    message.send(comm, &answer, sizeof answer, from, tag + 1);
    wait_until(comm, where, [&] { return message.done(); }, from);
  }
  if (same)
    return std::make_unique<window_source<message_windows>>(where, comm, fingerprint, std::move(first), where, comm,
                                                            from, tag);
  if (first->head.route == stream_route::posted) {
    message_windows rest(where, comm, from, tag);
    drain(rest);
  }
  throw_other_type(where, comm, from);
}

}  // namespace

arriving_bytes open_receive(std::string_view where, const communicator& comm, int from, stream_tag tag,
                            std::uint64_t fingerprint) {
  if (from != MPI_ANY_SOURCE) check_rank(where, comm, from);
  auto& channels = channel_state::of(comm);
  channels.forget_delivered();
  auto first = channels.take_piece();
  pending_message message;
  message.receive(comm, first.get(), sizeof(first_piece), from, tag.mpi());
  MPI_Status status{};
  wait_until(comm, where, [&] { return message.done(&status); }, from);
  const int source = status.MPI_SOURCE;
  const auto& head = first->head;
  const bool same = head.magic == first_piece::expected_magic && head.fingerprint == fingerprint;
  switch (head.route) {
    case stream_route::abandoned:
      throw_abandoned(where, comm, source, first->data, head.bytes);
    case stream_route::ring:
      return {read_ring(where, comm, fingerprint, source, std::move(first), same), source};
    case stream_route::messages:
    case stream_route::posted:
      return {read_messages(where, comm, fingerprint, source, std::move(first), same), source};
    case stream_route::none:
      break;
  }
  if (!same) throw_other_type(where, comm, source);
  return {std::make_unique<whole_piece>(comm, std::move(first)), source};
}

}  // namespace wherry
