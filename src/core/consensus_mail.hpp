// The letters of agreements on one communicator. Each bears the number of its agreement, so that one that comes too
// early, or belongs to an agreement that was given up, is never taken for another's.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/core/communicator.hpp"

#include "reserved_tags.hpp"

namespace wherry {

/// As much of a pattern's name as a letter bears.
inline std::string_view shortened(std::string_view where) { return where.substr(0, 51); }

struct consensus_letter {
  enum class kind : std::uint32_t {
    up,         // what came of the sender and all below it
    down,       // what came of all
    left,       // the sender does not wait any longer; says why
    disputed,   // the sender has heard of a rank that is in another place of its program
    roll_call,  // the first rank asks who is there
    here,       // the answer
    failed      // the agreement is given up, on all ranks
  };
  kind what = kind::here;
  int from = 0;
  std::uint64_t number = 0;
  std::string where;  // the pattern, `shortened`
  std::vector<std::byte> body;
};

class consensus_mail {
 public:
  static constexpr int tag = reserved_tag::agreements;

  /// Of the communicator, which keeps it; collective the first time. @throws error(state) when MPI has ended
  static consensus_mail& of(const communicator& comm);

  consensus_mail(MPI_Comm comm, std::uint64_t numbers_before)
      : comm_(comm), serial_(numbers_before), number_(numbers_before) {}
  consensus_mail(const consensus_mail&) = delete;
  consensus_mail& operator=(const consensus_mail&) = delete;
  ~consensus_mail();

  /// The same on all ranks, and of no communicator before this one: MPIs give what identified a freed one to the next.
  std::uint64_t serial() const { return serial_; }

  /// The next agreement begins here; its number is the same on all ranks.
  std::uint64_t open();
  /// It is forgotten.
  void close(std::uint64_t number);

  void send(int to, consensus_letter::kind what, std::uint64_t number, std::string_view where,
            const std::vector<std::byte>& body);
  /// The letters of this agreement that have come since. Those of others that are open, or will be, are kept.
  std::vector<consensus_letter> take(std::uint64_t number);
  /// True when MPI has no letter of ours any more.
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
  std::mutex guard_;  // flights that several threads drive may be part of agreements
  std::uint64_t number_;
  std::set<std::uint64_t> open_;
  std::vector<sent> outbox_;
  std::vector<consensus_letter> inbox_;
};

}  // namespace wherry
