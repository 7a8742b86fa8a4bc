// This rank's position in the sequence of a communicator's calls, and the notices of other ranks about theirs. A rank
// that refuses a call, or gives one up, tells the other ranks, which may be waiting for it.
//
// The calls that a rank has made, and those that it has refused, are its history; a few bits of it travel with
// everything that the rank shows or sends. If one rank has made one call more, or had an error of its own, the
// difference is found as soon as two such ranks hear of each other. If all ranks had the same error, everything goes
// on.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "wherry/core/communicator.hpp"

#include "call_terms.hpp"

namespace wherry::collective {

/// A notice of a rank about one of its calls.
struct call_notice {
  std::uint64_t number = 0;  ///< the number of the call
  /// The hash of the errors for which this call and earlier ones were refused; 0: the call was given up
  std::uint64_t error = 0;
  std::int32_t kind = 0;      ///< the kind of the error
  std::int32_t refusals = 0;  ///< the number of calls that the rank has refused so far
  char text[232] = "";
};

/// The memory in which a rank publishes its last notice to the other ranks of its node.
class shared_notice {
 public:
  void say(const call_notice& said);
  /// The last notice, if it is newer than `version`, which is then updated.
  std::optional<call_notice> newer_than(std::uint64_t& version) const;
  /// Publishes that this rank has been waiting for a while in the call of this number.
  void wait_in(std::uint64_t number, std::uint64_t says) {
    says_.store(says, std::memory_order_relaxed);
    waits_in_.store(number, std::memory_order_release);
  }
  /// The word of the call in which the rank waits, or has waited last, if this is its number.
  std::optional<std::uint64_t> said_in(std::uint64_t number) const {
    if (waits_in_.load(std::memory_order_acquire) != number) return std::nullopt;
    const auto says = says_.load(std::memory_order_acquire);
    return waits_in_.load(std::memory_order_relaxed) == number ? std::optional(says) : std::nullopt;
  }
  /// True while a notice is being written.
  bool is_changing() const { return version_.load(std::memory_order_relaxed) % 2 != 0; }

 private:
  static constexpr std::size_t words = sizeof(call_notice) / sizeof(std::uint64_t);
  std::atomic<std::uint64_t> version_{0};  // odd while a notice is being written
  std::array<std::atomic<std::uint64_t>, words> words_{};
  std::atomic<std::uint64_t> waits_in_{0}, says_{0};
};

/// The notice board of one rank, as the others see it.
struct notice_board {
  shared_notice* mine = nullptr;
  std::atomic<std::uint64_t>* news = nullptr;  ///< not 0: another rank has published a notice since
};

/// Numbers the calls of a communicator and tells errors to the other ranks.
class call_sequence {
 public:
  explicit call_sequence(const communicator& comm) : comm_(comm) {}
  call_sequence(const call_sequence&) = delete;
  call_sequence& operator=(const call_sequence&) = delete;

  /// Sets the boards of the node's ranks, by member. All other ranks are reached by messages, and so are all ranks if
  /// this is never called.
  void share(std::vector<notice_board> members, int me);
  /// Uses no messages: another sequence of this communicator receives them.
  void keeps_to_the_node() { by_messages_ = false; }

  /// The number of the last call that has begun or was refused.
  std::uint64_t number() const { return number_; }
  /// Begins the next call, with this mark, and returns the history before it.
  std::uint64_t begin(std::uint64_t mark) {
    ++number_;
    const auto before = history_;
    history_ = 3 * before + mark;
    if (has_news()) look(number_);
    return before;
  }
  call_terms begin(const call_terms& call) { return call.after(begin(call.mark())); }
  /// Begins a call of MPI's own, of which nothing is compared. If this rank has refused a call, it waits until all
  /// other ranks have refused the same one: otherwise MPI would take this call for the one that was refused.
  void begin_of_mpi() {
    ++number_;
    if (unsettled_ || has_disagreed_) [[unlikely]]
      settle();
    else if (has_news() && !has_given_up_)
      look(number_);
  }

  /// Refuses the next call: this rank will not make it.
  void refuse(const error& why);
  /// Gives up one of this rank's calls, because of the exception that is being handled. The other ranks are told,
  /// unless they find out in the same way.
  void give_up(std::uint64_t number) noexcept;

  bool has_news() const { return news_->load(std::memory_order_relaxed) != 0; }
  /// Checks whether other ranks have objected to this rank's calls up to this number.
  /// @throws error with the objection
  void look(std::uint64_t number);
  /// As `look`, for a wait in a call, between two looks at its condition. Now and then it also compares the call with
  /// those in which other ranks of the node wait.
  /// @throws error(mismatch), too
  /// @param says the call's word, with any bytes; 0: a call of MPI's own
  /// @param mark as for `begin`
  void look_from_wait(std::uint64_t number, std::uint64_t says, std::uint64_t mark);
  /// As `look`, for calls by messages, before they begin.
  void look_far(std::uint64_t number);
  /// Reports that another rank has ended the call without showing the data that this rank waits for.
  /// @throws as `disagree`
  [[noreturn]] void miss(std::uint64_t mine, int rank);
  /// Reports that another rank's word differs from this one's.
  /// @throws error(mismatch), or the error that the other rank has announced
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
  /// The last refusal that another rank has told.
  struct last_refusal {
    std::uint64_t number, error;
    std::int32_t refusals;
  };
  void tell(const call_notice& said);
  void hear(int from, const call_notice& said);
  void settle();
  /// True if all ranks have refused the calls that this rank has refused.
  bool have_all_refused();
  bool has_refused_as_well(int rank) const;
  void compare_waits(std::uint64_t number, std::uint64_t says, std::uint64_t mark);
  void read_near();
  void read_far();
  void judge(std::uint64_t number);
  /// True if the notice is no objection to this rank's calls.
  /// @throws if it is one
  bool is_settled(const heard& one, std::uint64_t number) const;
  bool has_far() const { return by_messages_ && static_cast<int>(members_.size()) < comm_.size(); }

  communicator comm_;
  std::uint64_t number_ = 0, history_ = 0;
  static std::atomic<std::uint64_t> no_news_;
  std::atomic<std::uint64_t>* news_ = &no_news_;  // set for this rank
  bool by_messages_ = true, has_given_up_ = false;
  bool has_disagreed_ = false;  // it was given up because ranks have made different calls
  bool unsettled_ = false;      // other ranks may have made a call that this rank has refused
  std::int32_t refusals_ = 0;
  std::atomic<unsigned> looks_{0}, waits_{0};
  int me_ = 0;
  std::mutex guard_;  // protects the members below: several threads may wait for calls
  std::vector<notice_board> members_;
  std::vector<std::uint64_t> versions_;  // the versions that were read last
  std::vector<heard> heard_;             // notices that have not been judged yet
  std::vector<refused> refused_;         // the newest calls that this rank has refused
  std::map<int, last_refusal> refusals_of_others_;
};

}  // namespace wherry::collective
