// All ranks of a communicator come to one point of their program, each with a few bytes, and leave it with what came of
// all of them, or with an error: on all ranks alike, and the agreements that follow are as if this one had not been.
//
// Small messages go up a flat tree and down again. Who waits too long leaves: it tells the first rank of the tree,
// which calls the roll and gives the agreement up, by a message to everybody that names who was missing. Those find it
// when they come. (Two generals cannot do better than this: a rank that gets no answer to its leaving, because the
// first rank is stopped, leaves alone.)
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/core/communicator.hpp"

#include "consensus_mail.hpp"
#include "patience.hpp"

namespace wherry {

class consensus {
 public:
  using bytes = std::vector<std::byte>;
  /// Takes another rank's bytes into one's own. Called in the same order whenever it is called.
  using combine = std::function<void(std::span<std::byte> into, std::span<const std::byte> from)>;

  /// Collective in that all ranks make one at the same point of their program; sends nothing. Several may be open.
  /// @param where the pattern, for error texts, and to tell places of the program apart
  consensus(const communicator& comm, std::string_view where, int branches = 64);
  consensus(const consensus&) = delete;
  consensus& operator=(const consensus&) = delete;
  /// Leaves what has not ended: then it fails everywhere.
  ~consensus();

  /// Whether all bring as many bytes, which is then made sure of before they are combined.
  enum class lengths { alike, any };

  /// This rank is here. Once.
  void enter(bytes mine, combine how, lengths expected = lengths::alike);
  bool entered() const { return entered_; }
  /// True: all ranks have entered. May be asked before this one has.
  /// @throws error(timeout) when a rank has waited too long, with those as peers that were not there; error(mismatch)
  ///   when ranks are at different places
  bool test();
  /// Enters, and waits.
  const bytes& of(bytes mine, combine how, lengths expected = lengths::alike);
  /// After `test` was true.
  const bytes& result() const { return result_; }

  /// For those who have waited too long and go on waiting: the others answer in their `test`, within this time, and
  /// each says also of whom it has heard.
  void ask_who_is_here();
  static std::chrono::duration<double> time_to_answer();
  std::vector<int> not_heard_of() const;

  /// To be called between two polls that found nothing. @throws as `test`
  void pause();

 private:
  using kind = consensus_letter::kind;
  void take(const consensus_letter& l);
  void hear(const consensus_letter& l);
  void leave() noexcept;
  void send(int to, kind what, const bytes& body = {}) { mail_.send(to, what, number_, where_, body); }
  void go_up();
  void go_down();
  void out_of_time();
  std::vector<int> call_the_roll();
  [[noreturn]] void give_up(error_kind reason, const std::string& why, const std::vector<int>& missing);
  std::size_t child_of(int rank) const { return static_cast<std::size_t>(rank - first_child_); }

  const communicator& comm_;
  consensus_mail& mail_;
  std::string where_;
  std::uint64_t number_;
  patience patience_;
  int parent_, first_child_;
  std::vector<bytes> from_children_;
  std::vector<char> has_come_;  // of the children
  std::set<int> heard_;         // ranks known to have come
  combine combine_;
  lengths lengths_ = lengths::alike;
  bytes result_;
  bool entered_ = false, went_up_ = false, ended_ = false;
  bool was_waited_for_ = true;  // what is found by the first test came before this rank did
};

}  // namespace wherry
