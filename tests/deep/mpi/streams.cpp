// Byte streams between ranks, on bytes alone: every way they travel, every pair of ways to send and receive.
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "wherry/core/settings.hpp"
#include "wherry/transport/byte_channels.hpp"

#include "support/case_runner.hpp"
#include "support/content.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::byte_sink;
using wherry::byte_source;
using wherry::communicator;
using wherry::error_kind;
using wherry::detail::byte_flight;
using wherry::detail::packed_stream;
using wherry::detail::stream_tag;

namespace {

constexpr std::string_view here = "test";
constexpr std::uint64_t type = 0x1234;

// Lengths around all that is cut somewhere: the first message, short windows, whole windows, the ring.
const std::vector<std::size_t>& lengths() {
  static const std::vector<std::size_t> list{0,     1,      3967,   3968,   3969,   20000,  32767,   32768,
                                             32769, 131007, 131008, 131009, 163840, 500000, 1048576, 3000001};
  return list;
}

// In pieces of any length, in both ways.
void write(byte_sink& sink, std::uint64_t seed, std::size_t bytes) {
  const auto all = distinct_bytes(seed, bytes);
  random_numbers random(hash(seed, bytes));
  for (std::size_t at = 0; at < bytes;) {
    if (random.chance(50)) {
      const auto part = std::min<std::size_t>(bytes - at, static_cast<std::size_t>(random.between(1, 300000)));
      sink.write(all.data() + at, part);
      at += part;
    } else {
      const auto part = std::min<std::size_t>(bytes - at, static_cast<std::size_t>(random.between(1, 4096)));
      std::memcpy(sink.reserve(part), all.data() + at, part);
      sink.advance(part);
      at += part;
    }
  }
}

void read_and_check(byte_source& source, std::uint64_t seed, std::size_t bytes) {
  std::vector<std::byte> all(bytes);
  random_numbers random(hash(seed, bytes, 77));
  for (std::size_t at = 0; at < bytes;) {
    if (random.chance(50)) {
      const auto part = std::min<std::size_t>(bytes - at, static_cast<std::size_t>(random.between(1, 300000)));
      source.read(all.data() + at, part);
      at += part;
    } else {
      const auto part = std::min<std::size_t>(bytes - at, static_cast<std::size_t>(random.between(1, 4096)));
      std::memcpy(all.data() + at, source.peek(part), part);
      source.skip(part);
      at += part;
    }
  }
  source.finish();
  CHECK(all == distinct_bytes(seed, bytes));
}

std::uint64_t seed_of(int from, int to, std::size_t number) {
  return hash(static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(to), number) % 10007;
}

void send(const communicator& comm, int to, int tag, std::size_t number, std::size_t bytes) {
  const auto sink = wherry::detail::open_send(here, comm, to, stream_tag::of_user(comm, tag, here), type);
  write(*sink, seed_of(comm.rank(), to, number), bytes);
  sink->finish();
}

int receive(const communicator& comm, int from, int tag, std::size_t number, std::size_t bytes) {
  auto [source, rank] = wherry::detail::open_receive(here, comm, from, stream_tag::of_user(comm, tag, here), type);
  read_and_check(*source, seed_of(rank, comm.rank(), number), bytes);
  return rank;
}

byte_flight start_send(const communicator& comm, int to, int tag, std::size_t number, std::size_t bytes) {
  packed_stream packed(here, comm);
  write(packed, seed_of(comm.rank(), to, number), bytes);
  packed.finish();
  return wherry::detail::start_send(here, comm, to, stream_tag::of_user(comm, tag, here), type, std::move(packed));
}

byte_flight start_receive(const communicator& comm, int from, int tag) {
  return wherry::detail::start_receive(here, comm, from, stream_tag::of_user(comm, tag, here), type);
}

void wait_and_check(const communicator& comm, byte_flight& flight, std::size_t number, std::size_t bytes) {
  flight.wait();
  read_and_check(*flight.bytes(), seed_of(flight.source(), comm.rank(), number), bytes);
}

}  // namespace

// Each rank to the next; both forms on both sides.
WHERRY_TEST(streams_in_a_ring_of_ranks, ranks(1, 2, 3, 4, 8).not_simulated("megabytes a rank")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list()) {
    const communicator comm(c);
    const int to = (test.rank + 1) % test.size, from = (test.rank + test.size - 1) % test.size;
    std::size_t number = 0;
    for (const auto bytes : lengths())
      for (const bool flying_send : {false, true})
        for (const bool flying_receive : {false, true}) {
          test.note(std::to_string(bytes) + (flying_send ? " start_send" : " send") +
                    (flying_receive ? " start_receive" : " receive"));
          ++number;
          byte_flight arriving, leaving;
          if (flying_receive) arriving = start_receive(comm, from, 5);
          const auto take = [&] {
            flying_receive ? wait_and_check(comm, arriving, number, bytes)
                           : static_cast<void>(receive(comm, from, 5, number, bytes));
          };
          if (flying_send) {
            leaving = start_send(comm, to, 5, number, bytes);
            take();
            leaving.wait();
          } else if (test.rank == 0) {  // somebody begins
            send(comm, to, 5, number, bytes);
            take();
          } else {
            take();
            send(comm, to, 5, number, bytes);
          }
        }
  }
}

// One source and tag: in order. Other tags: in any order.
WHERRY_TEST(streams_keep_their_order, ranks(2, 3, 4, 8).not_simulated("megabytes a rank")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list()) {
    const communicator comm(c);
    if (test.rank == 0) {
      for (std::size_t i = 0; i < lengths().size(); ++i)
        for (int to = 1; to < test.size; ++to) send(comm, to, 1, i, lengths()[i]);
    } else {
      for (std::size_t i = 0; i < lengths().size(); ++i) receive(comm, 0, 1, i, lengths()[i]);
    }
    std::vector<byte_flight> flights;
    if (test.rank == 0) {
      for (std::size_t i = 0; i < lengths().size(); ++i)
        for (int to = 1; to < test.size; ++to)
          flights.push_back(start_send(comm, to, static_cast<int>(i), i, lengths()[i]));
    } else {
      for (std::size_t i = lengths().size(); i-- > 0;) receive(comm, 0, static_cast<int>(i), i, lengths()[i]);
    }
  }
}

WHERRY_TEST(streams_from_any_source, ranks(2, 3, 4, 8).not_simulated("megabytes a rank")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list()) {
    const communicator comm(c);
    int tag = 0;
    for (const auto bytes : lengths()) {
      ++tag;  // else a fast rank's next stream could be taken for this one
      const int root = tag % test.size;
      if (test.rank != root) {
        send(comm, root, tag, 9, bytes);
        continue;
      }
      std::vector<int> seen(static_cast<std::size_t>(test.size), 0);
      seen[static_cast<std::size_t>(root)] = 1;
      for (int i = 1; i < test.size; ++i)
        ++seen[static_cast<std::size_t>(receive(comm, MPI_ANY_SOURCE, tag, 9, bytes))];
      for (const int times : seen) CHECK_EQUAL(times, 1);
    }
  }
}

WHERRY_TEST(streams_to_oneself, ranks(1, 2).not_simulated("megabytes a rank")) {
  const communicator comm(test.comm);
  for (const auto bytes : lengths()) {
    send(comm, test.rank, 3, 1, bytes);  // kept until it is received
    send(comm, test.rank, 3, 2, bytes);
    receive(comm, test.rank, 3, 1, bytes);
    auto second = start_receive(comm, test.rank, 3);
    wait_and_check(comm, second, 2, bytes);
  }
}

WHERRY_TEST(broadcast_streams, ranks(1, 2, 3, 4, 8).not_simulated("many roots")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list()) {
    const communicator comm(c);
    std::size_t number = 0;
    for (const auto bytes : lengths())
      for (int root = 0; root < test.size; ++root) {
        test.note(std::to_string(bytes) + " bytes of rank " + std::to_string(root));
        const auto seed = seed_of(root, root, ++number);
        if (test.rank == root) {
          const auto sink = wherry::detail::open_bcast(here, comm, type);
          write(*sink, seed, bytes);
          sink->finish();
          wherry_test::pass();  // the root's part: it ends
        } else {
          read_and_check(*wherry::detail::join_bcast(here, comm, root, type), seed, bytes);
        }
      }
  }
}

// In flight together, from several roots, waited for in an order of each rank's own.
WHERRY_TEST(broadcasts_in_flight, ranks(1, 2, 3, 4, 8).not_simulated("megabytes a rank")) {
  const communicator comm(test.comm);
  random_numbers random(hash(test.seed, static_cast<std::uint64_t>(test.rank)));
  for (int round = 0; round < 4; ++round) {
    std::vector<byte_flight> flights;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < lengths().size(); ++i) {
      const int root = static_cast<int>(i) % test.size;
      order.push_back(i);
      if (test.rank == root) {
        packed_stream packed(here, comm);
        write(packed, seed_of(root, root, i), lengths()[i]);
        packed.finish();
        flights.push_back(wherry::detail::start_bcast(here, comm, type, std::move(packed)));
      } else {
        flights.push_back(wherry::detail::start_bcast(here, comm, root, type));
      }
    }
    random.shuffle(order);
    for (const auto i : order) {
      const int root = static_cast<int>(i) % test.size;
      flights[i].wait();
      if (test.rank != root) {
        read_and_check(*flights[i].bytes(), seed_of(root, root, i), lengths()[i]);
      } else {
        wherry_test::pass();  // the root's part: it ends
      }
    }
  }
}
