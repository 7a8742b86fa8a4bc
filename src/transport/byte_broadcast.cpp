// One to all. On each node one rank publishes in its ring, the others read there; between the nodes the publishers form
// a binomial tree, each of them receiving into its ring what it passes on from it.
#include <algorithm>
#include <cstring>

#include "wherry/core/error.hpp"
#include "wherry/core/settings.hpp"
#include "wherry/transport/byte_channels.hpp"

#include "byte_channel_state.hpp"
#include "byte_flight.hpp"
#include "byte_messages.hpp"
#include "byte_sources.hpp"
#include "byte_staging.hpp"

namespace wherry {
namespace {

/// A rank's place in the tree of publishers.
struct tree_place {
  int publisher = -1;  // whose ring this rank reads, or its own rank
  int parent = -1;     // of a publisher
  std::vector<int> children;
};

tree_place place_in_tree(const channel_state::broadcast_places& places, int rank, int root) {
  tree_place result;
  const int roots_first = places.first_of_node[static_cast<std::size_t>(root)];
  const int my_first = places.first_of_node[static_cast<std::size_t>(rank)];
  result.publisher = my_first == roots_first ? root : my_first;
  if (result.publisher != rank) return result;
  const auto& firsts = places.first_ranks;
  const auto nodes = firsts.size();
  const auto index_of = [&](int first) {
    return static_cast<std::size_t>(std::lower_bound(firsts.begin(), firsts.end(), first) - firsts.begin());
  };
  const auto zero = index_of(roots_first);
  const auto publisher_of = [&](std::size_t relative) {
    const int first = firsts[(relative + zero) % nodes];
    return first == roots_first ? root : first;
  };
  const auto mine = (index_of(my_first) + nodes - zero) % nodes;
  std::size_t bit = 1;
  while (bit < nodes && (mine & bit) == 0) bit <<= 1;
  if (mine != 0) result.parent = publisher_of(mine ^ bit);
  for (bit >>= 1; bit > 0; bit >>= 1)
    if (mine + bit < nodes) result.children.push_back(publisher_of(mine + bit));
  return result;
}

class broadcast_sink final : public byte_sink {
 public:
  broadcast_sink(std::string_view where, const communicator& comm, std::uint64_t fingerprint, ring_writer& ring,
                 std::vector<int> children, int tag, std::uint64_t stream)
      : where_(where),
        comm_(comm),
        fingerprint_(fingerprint),
        stream_(stream),
        ring_(ring),
        sender_(comm, std::move(children), tag) {
    ring_.prepare();
  }

  void finish() override {
    if (at_ == nullptr) begin_window(false);
    hand_over(window_state::last);
    settle();
  }

  void abandon(std::string_view why) noexcept override {
    if (finished_) return;
    why = why.substr(0, 1024);
    try {
      begin_window(false);
      std::memcpy(at_, why.data(), why.size());
      at_ += why.size();
      hand_over(window_state::abandoned);
      settle();
    } catch (...) {  // nobody is there to be told
    }
  }

 private:
  void more(std::size_t) override {
    if (at_ != nullptr) hand_over(window_state::more);
    begin_window(ring_.readers() > 1 && !long_run_);
  }

  // A long run needs no staging: it is copied to the ring as it is.
  void write_long(const std::byte* from, std::size_t bytes) override {
    long_run_ = bytes >= byte_staging::capacity;
    byte_sink::write_long(from, bytes);
    long_run_ = false;
  }

  void begin_window(bool staged) {
    const auto number = ring_.next();
    wait_until(
        comm_, where_, [&] { return ring_.is_free(number) && sender_.done(number); },
        [&](std::vector<int>& ranks) { append_missing(ranks); });
    staged_ = staged;
    at_ = staged ? staging_.data() : ring_.window(number).data;
    end_ = at_ + (staged ? std::min(offered_, byte_staging::capacity) : offered_);
    offered_ = std::min(2 * offered_, byte_window::capacity);
  }

  void hand_over(window_state state) {
    const auto number = ring_.next();
    auto& window = ring_.window(number);
    const auto bytes = static_cast<std::size_t>(at_ - (staged_ ? staging_.data() : window.data));
    if (staged_) staging_.copy_to(window, bytes);
    window.head = {stream_, fingerprint_, static_cast<std::uint32_t>(bytes), state};
    ring_.publish();
    sender_.send(window, number);
  }

  void settle() {
    at_ = end_ = nullptr;
    finished_ = true;
    sender_.send_padding();
    wait_until(
        comm_, where_, [&] { return sender_.all_done(); }, [&](std::vector<int>& ranks) { append_missing(ranks); });
  }

  void append_missing(std::vector<int>& ranks) const {
    sender_.append_missing(ranks);
    for (int r = 0; r < ring_.readers(); ++r)
      if (ring_.is_behind(r)) ranks.push_back(comm_.node_ranks()[static_cast<std::size_t>(r)]);
  }

  std::string_view where_;
  communicator comm_;
  std::uint64_t fingerprint_, stream_;
  ring_writer& ring_;
  window_sender sender_;
  byte_staging staging_;
  std::size_t offered_ = std::size_t{16} << 10;
  bool finished_ = false, staged_ = false, long_run_ = false;
};

void compare_calls(std::string_view where, const communicator& comm, int root, std::uint64_t fingerprint) {
  if (!current_settings().check) return;
  const auto mixed = (fingerprint ^ (fingerprint >> 32)) * 31 + static_cast<std::uint64_t>(root);
  agree_or_throw(comm, where, nullptr, static_cast<std::uint32_t>(mixed),
                 "the ranks name different roots, or broadcast different types");
}

}  // namespace

std::unique_ptr<byte_sink> open_broadcast(std::string_view where, const communicator& comm, std::uint64_t fingerprint) {
  compare_calls(where, comm, comm.rank(), fingerprint);
  auto& channels = channel_state::of(comm);
  auto& places = channels.places(comm);
  const int tag = comm.next_tag();
  auto mine = place_in_tree(places, comm.rank(), comm.rank());
  return std::make_unique<broadcast_sink>(where, comm, fingerprint, *places.mine, std::move(mine.children), tag,
                                          channels.next_broadcast());
}

std::unique_ptr<byte_source> join_broadcast(std::string_view where, const communicator& comm, int root,
                                            std::uint64_t fingerprint) {
  check_rank(where, comm, root);
  compare_calls(where, comm, root, fingerprint);
  auto& channels = channel_state::of(comm);
  auto& places = channels.places(comm);
  const int tag = comm.next_tag();
  const auto stream = channels.next_broadcast();
  auto mine = place_in_tree(places, comm.rank(), root);
  if (mine.publisher == comm.rank())
    return std::make_unique<window_source<window_relay>>(where, comm, fingerprint, nullptr, where, comm, *places.mine,
                                                         mine.parent, tag, std::move(mine.children));
  const int owner = comm.node_index(mine.publisher);
  const ring_reader reader(comm, owner, places.offsets[static_cast<std::size_t>(owner)], comm.node_index(comm.rank()));
  return std::make_unique<window_source<ring_windows>>(where, comm, fingerprint, nullptr, where, comm, reader,
                                                       mine.publisher, stream);
}

namespace {

/// A tree of all ranks: what is in flight goes by messages everywhere.
tree_place place_among_all(const communicator& comm, int root) {
  channel_state::broadcast_places all;
  for (int rank = 0; rank < comm.size(); ++rank) {
    all.first_of_node.push_back(rank);
    all.first_ranks.push_back(rank);
  }
  return place_in_tree(all, comm.rank(), root);
}

}  // namespace

byte_flight start_broadcast(std::string_view where, const communicator& comm, std::uint64_t fingerprint,
                            packed_stream&& packed) {
  compare_calls(where, comm, comm.rank(), fingerprint);
  const int tag = comm.next_tag();
  return byte_flight(std::make_unique<send_flight>(where, comm, place_among_all(comm, comm.rank()).children, tag,
                                                   fingerprint, std::move(packed).take(), tag));
}

byte_flight start_broadcast(std::string_view where, const communicator& comm, int root, std::uint64_t fingerprint) {
  check_rank(where, comm, root);
  compare_calls(where, comm, root, fingerprint);
  const int tag = comm.next_tag();
  auto mine = place_among_all(comm, root);
  return byte_flight(
      std::make_unique<receive_flight>(where, comm, mine.parent, tag, fingerprint, std::move(mine.children)));
}

}  // namespace wherry
