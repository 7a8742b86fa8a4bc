#include "wherry/deep/communicate.hpp"

#include <exception>

#include "start_packed.hpp"

namespace wherry::deep::detail {

copy_statistics incoming::from_or_drain(byte_source& source, arena* to) const {
  try {
    must_be_empty(root);
  } catch (...) {
    source.fail(std::current_exception());
    source.finish();
  }
  return from(source, to);
}

copy_statistics send_root(const communicator& comm, int to, const outgoing& root, const options& how) {
  constexpr std::string_view where = "deep::send";
  const auto tag = wherry::detail::stream_tag::of_user(comm, how.tag, where);
  wherry::detail::check_rank(where, comm, to);
  if (!how.buffered) return root.into(*wherry::detail::open_send(where, comm, to, tag, root.fingerprint));
  copy_statistics figures;
  auto flight = start_packed(where, comm, root, how, figures, [&](wherry::detail::packed_stream&& packed) {
    return wherry::detail::start_send(where, comm, to, tag, root.fingerprint, std::move(packed));
  });
  if (to == comm.rank())
    std::move(flight).leave();
  else
    flight.wait();
  return figures;
}

arrival receive_root(const communicator& comm, int from, const incoming& root, const options& how) {
  constexpr std::string_view where = "deep::receive";
  const auto tag = wherry::detail::stream_tag::of_user(comm, how.tag, where);
  root.must_be_empty(root.root);
  if (!how.buffered) {
    const auto arriving = wherry::detail::open_receive(where, comm, from, tag, root.fingerprint);
    return {arriving.source, root.from(*arriving.bytes, how.arena)};
  }
  auto flight = wherry::detail::start_receive(where, comm, from, tag, root.fingerprint);
  flight.wait_or_withdraw();
  return {flight.source(), root.from(*flight.bytes(), how.arena)};
}

copy_statistics bcast_root(const communicator& comm, int root, const outgoing& from, const incoming& into,
                           const options& how) {
  constexpr std::string_view where = "deep::bcast";
  wherry::detail::check_rank(where, comm, root);
  const bool mine = comm.rank() == root;
  if (!how.buffered) {
    if (mine) return from.into(*wherry::detail::open_bcast(where, comm, from.fingerprint));
    return into.from_or_drain(*wherry::detail::join_bcast(where, comm, root, into.fingerprint), how.arena);
  }
  if (mine) {
    copy_statistics figures;
    start_packed(where, comm, from, how, figures, [&](wherry::detail::packed_stream&& packed) {
      return wherry::detail::start_bcast(where, comm, from.fingerprint, std::move(packed));
    }).wait();
    return figures;
  }
  auto flight = wherry::detail::start_bcast(where, comm, root, into.fingerprint);
  flight.wait();
  return into.from_or_drain(*flight.bytes(), how.arena);
}

}  // namespace wherry::deep::detail
