// All ranks of a communicator come to one point of their program, each with a few bytes. They leave it with the
// combination of all ranks' bytes, or with an error, on all ranks alike. Later agreements are not affected by a failed
// one.
//
// Small messages go up a flat tree and down again. A rank that has waited too long leaves: it tells the first rank of
// the tree, which calls the roll and gives the agreement up, by a message to all ranks that names the missing ones. The
// missing ranks find that message when they come. (Two generals cannot do better: a rank that gets no answer when it
// leaves, because the first rank is stopped, leaves alone.)
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
  /// Combines another rank's bytes with one's own. It is called in the same order every time.
  using combine = std::function<void(std::span<std::byte> into, std::span<const std::byte> from)>;

  /// Collective: all ranks make one at the same point of their program. It sends nothing yet. Several may be open.
  /// @param where the pattern, for the texts of errors and to tell places of the program apart
  consensus(const communicator& comm, std::string_view where, int branches = 64)
      : consensus(comm, where, consensus_mail::of(comm).open(), branches) {}
  /// Local. Makes the agreement whose number all ranks have opened in the mail of the communicator.
  consensus(const communicator& comm, std::string_view where, std::uint64_t number, int branches);
  consensus(const consensus&) = delete;
  consensus& operator=(const consensus&) = delete;
  /// Leaves an agreement that has not ended, which then fails on all ranks.
  ~consensus();

  /// `alike`: all ranks bring the same number of bytes, which is checked before they are combined.
  enum class lengths { alike, any };

  /// Enters, once: this rank has come.
  void enter(bytes mine, combine how, lengths expected = lengths::alike);
  bool entered() const { return entered_; }
  /// Ends an agreement for which this rank has no use: the work about which the ranks would have agreed is complete.
  void end_unused() { ended_ = true; }
  /// True if all ranks have entered. It may be called before this rank enters.
  /// @throws error(timeout) if a rank has waited too long; the peers are the missing ranks. error(mismatch) if ranks
  ///   are at different places
  bool test();
  /// Enters and waits.
  const bytes& of(bytes mine, combine how, lengths expected = lengths::alike);
  /// The combination. Call it after `test` was true.
  const bytes& result() const { return result_; }

  /// For a rank that has waited too long and continues to wait: the other ranks answer in their `test`, within this
  /// time, and each of them also names the ranks of which it has heard.
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
  std::vector<char> has_come_;  // for each child in the tree
  std::set<int> heard_;         // ranks that are known to have come
  combine combine_;
  lengths lengths_ = lengths::alike;
  bytes result_;
  bool entered_ = false, went_up_ = false, ended_ = false;
  bool was_waited_for_ = true;  // letters that the first `test` finds came before this rank did
};

}  // namespace wherry
