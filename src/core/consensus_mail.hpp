// The letters of agreements on one communicator. Each letter bears the number of its agreement, so that a letter that
// comes early, or that belongs to an agreement that was given up, is never taken for one of another agreement.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/core/communicator.hpp"

#include "reserved_tags.hpp"

namespace wherry {

/// The part of a pattern's name that a letter carries.
inline std::string_view shortened(std::string_view where) { return where.substr(0, 51); }

struct consensus_letter {
  enum class kind : std::uint32_t {
    up,         // the combination of the sender and of all ranks below it
    down,       // the combination of all ranks
    left,       // the sender waits no longer; the body says why
    disputed,   // the sender has heard of a rank at another place of its program
    roll_call,  // the first rank asks which ranks have come
    here,       // the answer to a roll call
    failed      // the agreement is given up, on all ranks
  };
  kind what = kind::here;
  int from = 0;
  std::uint64_t number = 0;
  std::string where;  // the pattern's name, as `shortened` cuts it
  std::vector<std::byte> body;
};

class consensus_mail {
 public:
  static constexpr int tag = reserved_tag::agreements;

  /// The mail of a communicator, which keeps it. Collective the first time. @throws error(state) if MPI has ended
  static consensus_mail& of(const communicator& comm);

  consensus_mail(MPI_Comm comm, std::uint64_t numbers_before)
      : comm_(comm), serial_(numbers_before), number_(numbers_before) {}
  consensus_mail(const consensus_mail&) = delete;
  consensus_mail& operator=(const consensus_mail&) = delete;
  ~consensus_mail();

  /// A number that is the same on all ranks and that no earlier communicator had. (MPIs give the identity of a freed
  /// communicator to the next one.)
  std::uint64_t serial() const { return serial_; }

  /// Begins the next agreement. Its number is the same on all ranks. It allocates nothing if no more agreements are
  /// open than before.
  std::uint64_t open() { return open_some(1); }
  /// Begins some agreements with consecutive numbers, and returns the first one.
  std::uint64_t open_some(std::uint64_t count);
  /// Ends an agreement, whose letters are then dropped.
  void close(std::uint64_t number) { close_some(number, 1); }
  void close_some(std::uint64_t first, std::uint64_t count);

  void send(int to, consensus_letter::kind what, std::uint64_t number, std::string_view where,
            const std::vector<std::byte>& body);
  /// Takes the letters of this agreement that have come since the last call. Letters of other agreements that are open,
  /// or will be, are kept.
  std::vector<consensus_letter> take(std::uint64_t number);
  /// True if MPI has sent all letters.
  bool all_sent();

 private:
  struct sent {
    MPI_Request request;
    std::unique_ptr<std::byte[]> bytes;
  };
  void receive_all();
  void post(int to, consensus_letter::kind what, std::uint64_t number, std::string_view where,
            const std::vector<std::byte>& body);
  bool outbox_is_empty();

  MPI_Comm comm_;
  const std::uint64_t serial_;
  std::mutex guard_;  // because several threads may drive flights that take part in agreements
  std::uint64_t number_;
  std::vector<std::uint64_t> open_;  // in ascending order
  std::vector<sent> outbox_;
  std::vector<consensus_letter> inbox_;
};

}  // namespace wherry
