#include "wherry/notify/passive_messages.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "channel/pending_message.hpp"
#include "core/called.hpp"
#include "core/patience.hpp"
#include "core/rank_lives.hpp"
#include "core/terms.hpp"
#include "flight/abandonable.hpp"

namespace wherry {
namespace {

constexpr const char* in_passive_messages = "passive_messages";

/// A message under way between memory of ours and another rank.
class copied_message final : public flight {
 public:
  copied_message(const communicator& comm, std::vector<std::byte> bytes, int peer)
      : comm_(comm), bytes_(std::move(bytes)), peer_(peer) {
    take_off();
  }
  void send(int tag) { message_.send(comm_, bytes_.data(), bytes_.size(), peer_, tag); }
  void receive(int tag) { message_.receive(comm_, bytes_.data(), bytes_.size(), peer_, tag); }

  /// It needs nothing of anybody's. @return whether it is at its end
  bool let_go() { return !in_flight() && !failed(); }
  int peer() const { return peer_; }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  bool advance() override { return message_.done(); }

  communicator comm_;
  std::vector<std::byte> bytes_;
  int peer_;
  pending_message message_;
};

}  // namespace

struct passive_messages::state {
  static constexpr const char* handle = in_passive_messages;

  state(const communicator& on, const passive_options& how)
      : comm(on), options(how), called(full_name(in_passive_messages, how.name)), tag(on.next_tag()) {}
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state() {
    for (auto& message : under_way) abandon_flight(std::move(message));
    abandon_flight(std::move(arriving));
  }

  bool has_room() {
    for (auto& message : under_way) message->progress();
    std::erase_if(under_way, [](const auto& message) { return !message->in_flight(); });
    return under_way.size() < static_cast<std::size_t>(options.under_way);
  }
  /// True: `arriving` is there, whole.
  bool look() {
    if (!arriving) {
      int found = 0;
      MPI_Status status;
      check_mpi(PMPI_Iprobe(MPI_ANY_SOURCE, tag, comm.private_handle(), &found, &status), "MPI_Iprobe");
      if (found == 0) return false;
      int bytes = 0;
      check_mpi(PMPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
      arriving = std::make_unique<copied_message>(comm, std::vector<std::byte>(static_cast<std::size_t>(bytes)),
                                                  status.MPI_SOURCE);
      arriving->receive(tag);
    }
    arriving->progress();
    return !arriving->in_flight();
  }

  communicator comm;
  passive_options options;
  std::string called;
  int tag;
  mutable std::mutex guard;  // of what follows
  std::vector<std::unique_ptr<copied_message>> under_way;
  std::unique_ptr<copied_message> arriving;
  exchange_statistics counted;
};

passive_messages::passive_messages(const communicator& comm, const passive_options& options)
    : state_(std::make_unique<state>(comm, options)) {
  const terms agreed([&](auto& say) { say(options.largest, "'largest'"); });
  const auto check = [&] {
    if (options.largest > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      throw error(error_kind::argument, in_passive_messages,
                  detail::text("'largest' is ", options.largest, ", expected at most 2^31 - 1"), comm.rank());
    if (options.under_way < 1)
      throw error(error_kind::argument, in_passive_messages,
                  detail::text("'under_way' is ", options.under_way, ", expected 1 or more"), comm.rank());
  };
  told_as(state_->called, in_passive_messages, [&] { collectively_on(agreed, comm, in_passive_messages, check); });
}
passive_messages::passive_messages(passive_messages&&) noexcept = default;
passive_messages& passive_messages::operator=(passive_messages&&) noexcept = default;
passive_messages::~passive_messages() = default;

bool passive_messages::send(int to, std::span<const std::byte> data, double seconds) {
  auto& s = *state_;
  detail::require_mpi(s.called, s.comm.rank());
  const auto refuse = [&](const std::string& why) { throw error(error_kind::argument, s.called, why, s.comm.rank()); };
  if (to < 0 || to >= s.comm.size())
    refuse(detail::text("'to' is rank ", to, " of a communicator of ", s.comm.size(), " ranks"));
  if (data.size() > s.options.largest)
    refuse(detail::text("'data' has ", data.size(), " bytes for rank ", to, ", expected at most ", s.options.largest,
                        " ('largest')"));
  if (data.data() == nullptr && !data.empty())
    refuse(detail::text("'data' is null, expected ", data.size(), " bytes there"));
  require_alive(s.comm, s.called, to);
  const auto send_if_there_is_room = [&] {
    const std::lock_guard lock(s.guard);
    if (!s.has_room()) return false;
    s.under_way.push_back(
        std::make_unique<copied_message>(s.comm, std::vector<std::byte>(data.begin(), data.end()), to));
    s.under_way.back()->send(s.tag);
    ++s.counted.exchanges;
    s.counted.bytes_sent += std::ssize(data);
    return true;
  };
  patience patient(s.comm, s.called, "room to send");
  return patient.poll_for(seconds, send_if_there_is_room, [&](std::vector<int>& missing) {
    const std::lock_guard lock(s.guard);
    for (const auto& message : s.under_way) missing.push_back(message->peer());
  });
}

std::optional<passive_message> passive_messages::receive(std::span<std::byte> into, double seconds) {
  auto& s = *state_;
  detail::require_mpi(s.called, s.comm.rank());
  if (into.data() == nullptr && !into.empty())
    throw error(error_kind::argument, s.called, detail::text("'into' is null, expected ", into.size(), " bytes there"),
                s.comm.rank());
  std::optional<passive_message> received;
  const auto receive_what_came = [&] {
    const std::lock_guard lock(s.guard);
    if (!s.look()) return false;
    const auto& come = s.arriving->bytes();
    const passive_message what{s.arriving->peer(), come.size()};
    if (come.size() > into.size())
      throw error(
          error_kind::argument, s.called,
          detail::text("'into' has ", into.size(), " bytes, but the message of rank ", what.from, " has ", come.size()),
          s.comm.rank(), {what.from});
    if (!come.empty()) std::memcpy(into.data(), come.data(), come.size());
    s.arriving.reset();
    s.counted.bytes_received += static_cast<std::int64_t>(what.bytes);
    received = what;
    return true;
  };
  patience(s.comm, s.called, "a message").poll_for(seconds, receive_what_came);
  return received;
}

std::string passive_messages::explain() const {
  const auto& s = *state_;
  const std::lock_guard lock(s.guard);
  const auto under_way =
      std::count_if(s.under_way.begin(), s.under_way.end(), [](const auto& message) { return message->in_flight(); });
  return detail::text(s.called, " of ", s.comm.size(), " ranks, up to ", s.options.largest, " bytes each: ", under_way,
                      " of ", s.options.under_way, " under way, by messages of MPI's");
}

std::string passive_messages::transport() const { return "two_sided"; }

exchange_statistics passive_messages::statistics() const {
  const std::lock_guard lock(state_->guard);
  return state_->counted;
}

}  // namespace wherry
