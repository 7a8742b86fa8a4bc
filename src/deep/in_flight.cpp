#include "wherry/deep/in_flight.hpp"

#include "start_packed.hpp"

namespace wherry::deep {

in_flight& in_flight::operator=(in_flight&& other) noexcept {
  in_flight replaced(std::move(*this));
  flight_ = std::move(other.flight_);
  deliver_ = std::exchange(other.deliver_, nullptr);
  return *this;
}

in_flight::~in_flight() {
  if (!deliver_ || !flight_.is_worth_waiting_for()) return;
  try {
    wait();
  } catch (...) {  // a destructor cannot report it
  }
}

bool in_flight::test() {
  if (!flight_.test()) return false;
  deliver();
  return true;
}

void in_flight::wait() {
  flight_.wait();
  deliver();
}

void in_flight::deliver() {
  if (const auto build = std::exchange(deliver_, nullptr)) build(*flight_.bytes());
}

namespace detail {

in_flight start_send_root(const communicator& comm, int to, const outgoing& root, const options& how) {
  constexpr std::string_view where = "deep::start_send";
  const auto tag = wherry::detail::stream_tag::of_user(comm, how.tag, where);
  wherry::detail::check_rank(where, comm, to);
  copy_statistics figures;
  return {start_packed(where, comm, root, how, figures,
                       [&](wherry::detail::packed_stream&& packed) {
                         return wherry::detail::start_send(where, comm, to, tag, root.fingerprint, std::move(packed));
                       }),
          nullptr};
}

in_flight start_receive_root(const communicator& comm, int from, std::uint64_t fingerprint, const options& how,
                             in_flight::delivery build) {
  constexpr std::string_view where = "deep::start_receive";
  const auto tag = wherry::detail::stream_tag::of_user(comm, how.tag, where);
  return {wherry::detail::start_receive(where, comm, from, tag, fingerprint), std::move(build)};
}

in_flight start_bcast_root(const communicator& comm, int root, const outgoing& from, const options& how,
                           in_flight::delivery build) {
  constexpr std::string_view where = "deep::start_bcast";
  wherry::detail::check_rank(where, comm, root);
  if (comm.rank() != root) return {wherry::detail::start_bcast(where, comm, root, from.fingerprint), std::move(build)};
  copy_statistics figures;
  return {start_packed(where, comm, from, how, figures,
                       [&](wherry::detail::packed_stream&& packed) {
                         return wherry::detail::start_bcast(where, comm, from.fingerprint, std::move(packed));
                       }),
          nullptr};
}

}  // namespace detail
}  // namespace wherry::deep
