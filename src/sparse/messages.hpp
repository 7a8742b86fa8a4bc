// Lists of elements as messages between ranks that all expect one from each other. The first message of a list begins
// with a head and has as many elements as it can take; the others follow in pieces, which are received where the
// elements belong.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "wherry/core/communicator.hpp"

namespace wherry::sparse {

/// The beginning of a list's first message.
struct message_head {
  std::uint64_t word;  ///< in which the ranks' calls must agree
  std::int64_t bytes;  ///< of elements; -1: the sender has nothing for the receiver
};
static_assert(sizeof(message_head) == 16);

class list_messages {
 public:
  /// Forgets the lists of a call that has ended, and keeps the memory.
  void clear();
  /// Begins to receive the first message of each rank in `from`.
  void begin(const communicator& comm, int tag, std::span<const int> from);
  /// Sends a list. `list` has room for a head, followed by the elements; it stays until `sent()`.
  void send(int to, std::byte* list, const message_head& head);

  /// True if all first messages have come.
  bool heads_have_come();
  /// The head of the list at `place` in `from`, after its message has come; null before.
  const message_head* head(std::size_t place) const;
  /// Receives the elements of the list at `place`, which are `head(place)->bytes`, to `to`.
  /// Elements of the first message are there when this returns.
  void receive(std::size_t place, std::byte* to);
  /// Receives the elements of a list without keeping them.
  void drop(std::size_t place);
  /// The same for elements that travel without a head, because the receiver knows of them. They stay until `sent()`.
  void send_elements(int to, const std::byte* elements, std::size_t bytes) { send_pieces(to, elements, 0, bytes); }
  void receive_elements(int from, std::size_t bytes, std::byte* to) { receive_pieces(from, to, 0, bytes); }
  void drop_elements(int from, std::size_t bytes) { drop_pieces(from, 0, bytes); }
  bool received();
  bool sent();
  /// True if MPI still uses memory of this object, or of the lists.
  bool under_way() const;
  void append_missing(std::vector<int>& ranks) const;

 private:
  struct piece {
    int from;
    std::size_t bytes;
  };
  std::size_t room_of_first() const;
  std::size_t bytes_of(std::size_t place) const;
  void send_piece(int to, const std::byte* from, std::size_t bytes);
  std::byte* first_message(std::size_t place) { return firsts_.data() + place * room_of_first(); }
  const std::byte* first_message(std::size_t place) const { return firsts_.data() + place * room_of_first(); }
  // Elements from byte `have` to byte `all`.
  void send_pieces(int to, const std::byte* elements, std::size_t have, std::size_t all);
  void receive_pieces(int from, std::byte* to, std::size_t have, std::size_t all);
  void drop_pieces(int from, std::size_t have, std::size_t all);
  void receive_dropped();

  MPI_Comm comm_ = MPI_COMM_NULL;
  int tag_ = 0, ranks_ = 1;
  std::vector<int> from_, completed_;
  std::vector<std::byte> firsts_;  // room for each first message
  std::vector<char> has_come_;     // for each place in `from_`
  std::vector<MPI_Request> heads_, bodies_, sends_;
  std::vector<int> body_ranks_, send_ranks_;  // of each request
  std::vector<piece> dropped_;
  std::vector<std::byte> trash_;
  std::size_t coming_ = 0;
};

}  // namespace wherry::sparse
