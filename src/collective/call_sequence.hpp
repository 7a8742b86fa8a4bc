// Where this rank is in the order of a communicator's calls, and what the others say of theirs: a rank that refuses a
// call, or gives one up, tells the others, who may be waiting for it.
//
// What a rank has called before, and what it has refused, is its history, a few bits of which go with all that it shows
// and sends. So ranks of which one has made a call more, or had an error of its own, are told apart as soon as one of
// them hears of another; and where all had the same error, all goes on.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "wherry/core/communicator.hpp"

#include "call_terms.hpp"

namespace wherry::collective {

/// What a rank says of one of its calls.
struct call_notice {
  std::uint64_t number = 0;  ///< of the call
  std::uint64_t error = 0;   ///< the hash of the error for which it was refused; 0: it was given up
  std::int32_t kind = 0;     ///< of the error
  char text[232] = "";
};

/// Where a rank of a node says so, for the node's other ranks: the last one.
class shared_notice {
 public:
  void say(const call_notice& said);
  /// The last one, where there is one that is newer than this version, which it becomes.
  std::optional<call_notice> newer_than(std::uint64_t& version) const;
  /// This rank has been waiting for a while in the call of this number.
  void wait_in(std::uint64_t number, std::uint64_t says) {
    says_.store(says, std::memory_order_relaxed);
    waits_in_.store(number, std::memory_order_release);
  }
  /// Where it waits, or has waited last: what it says there, if it is that call.
  std::optional<std::uint64_t> said_in(std::uint64_t number) const {
    if (waits_in_.load(std::memory_order_acquire) != number) return std::nullopt;
    const auto says = says_.load(std::memory_order_acquire);
    return waits_in_.load(std::memory_order_relaxed) == number ? std::optional(says) : std::nullopt;
  }
  /// Somebody is about to say something.
  bool is_changing() const { return version_.load(std::memory_order_relaxed) % 2 != 0; }

 private:
  static constexpr std::size_t words = sizeof(call_notice) / sizeof(std::uint64_t);
  std::atomic<std::uint64_t> version_{0};  // odd: it is being written
  std::array<std::atomic<std::uint64_t>, words> words_{};
  std::atomic<std::uint64_t> waits_in_{0}, says_{0};
};

/// One rank's, as the others see it.
struct notice_board {
  shared_notice* mine = nullptr;
  std::atomic<std::uint64_t>* news = nullptr;  ///< not 0: somebody has said something since
};

class call_sequence {
 public:
  explicit call_sequence(const communicator& comm) : comm_(comm) {}
  call_sequence(const call_sequence&) = delete;
  call_sequence& operator=(const call_sequence&) = delete;

  /// Those of the node, by member; the others, and all where this is never said, are reached by messages.
  void share(std::vector<notice_board> members, int me);
  /// Never by messages: another sequence of this communicator's has those.
  void keeps_to_the_node() { by_messages_ = false; }

  /// Of the last call that has begun, or was refused.
  std::uint64_t number() const { return number_; }
  /// The next call begins, which says so much about itself. Gives what came before it.
  std::uint64_t begin(std::uint64_t mark) {
    ++number_;
    const auto before = history_;
    history_ = 3 * before + mark;
    if (has_news()) look(number_);
    return before;
  }
  call_terms begin(const call_terms& call) { return call.after(begin(call.mark())); }
  /// One of MPI's, of which nothing is compared.
  void begin_of_mpi() {
    ++number_;
    if (has_news() && !has_given_up_) look(number_);
  }

  /// This rank will not make the call that comes next.
  void refuse(const error& why);
  /// This rank has given up one of its calls, for what is being handled just now: the others are told, unless they find
  /// out in the same way.
  void give_up(std::uint64_t number) noexcept;

  bool has_news() const { return news_->load(std::memory_order_relaxed) != 0; }
  /// Whether others have said anything against this rank's calls up to this number. @throws error as they had it
  void look(std::uint64_t number);
  /// The same for those who wait in a call, between two looks for what they wait for: now and then it is also compared
  /// with where the others of the node wait. @throws error(mismatch), too
  /// @param says with any bytes; 0: it is one of MPI's
  /// @param mark as for `begin`
  void look_from_wait(std::uint64_t number, std::uint64_t says, std::uint64_t mark);
  /// The same for calls by messages, before they begin.
  void look_far(std::uint64_t number);
  /// Another rank's word is not this one's. @throws error(mismatch), or what that rank has said
  /// Another rank has ended the call without what this one waits for. @throws as `disagree`
  [[noreturn]] void miss(std::uint64_t mine, int rank);
  [[noreturn]] void disagree(std::uint64_t mine, int rank, std::uint64_t theirs);

 private:
  struct heard {
    int from;
    call_notice said;
  };
  struct refused {
    std::uint64_t number, error;
    std::string text;
  };
  void tell(const call_notice& said);
  void compare_waits(std::uint64_t number, std::uint64_t says, std::uint64_t mark);
  void read_near();
  void read_far();
  void judge(std::uint64_t number);
  /// Whether that is nothing against this rank's calls. @throws where it is
  bool is_settled(const heard& one, std::uint64_t number) const;
  bool has_far() const { return by_messages_ && static_cast<int>(members_.size()) < comm_.size(); }

  communicator comm_;
  std::uint64_t number_ = 0, history_ = 0;
  static std::atomic<std::uint64_t> no_news_;
  std::atomic<std::uint64_t>* news_ = &no_news_;  // for this rank
  bool by_messages_ = true, has_given_up_ = false;
  std::atomic<unsigned> looks_{0}, waits_{0};
  int me_ = 0;
  std::mutex guard_;  // of what follows: several threads may wait for calls
  std::vector<notice_board> members_;
  std::vector<std::uint64_t> versions_;  // read last
  std::vector<heard> heard_;             // and not judged yet
  std::vector<refused> refused_;         // by this rank, the newest
};

}  // namespace wherry::collective
