// WHERRY_COLL_TUNE: on a communicator's first calls implementations take turns, by collective and size, until it is
// known which is best.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "wherry/core/communicator.hpp"

#include "choices.hpp"
#include "shape_of_call.hpp"
#include "trial.hpp"

namespace wherry::collective {

struct communicator_state;

/// Who has chosen what has come of it.
inline constexpr std::string_view the_first_calls = "measuring the first calls";

/// Sizes from a power of two to the next are tried together; 0 alone.
struct size_range {
  std::int64_t from, to;
};
size_range range_of(std::int64_t bytes);
/// Calls of which not all ranks know the size (-1) are tried together, whatever it is: what is chosen is then known to
/// all without a talk.
size_range range_of(const shape_of_call& shape);

class first_calls {
 public:
  /// @param file for what is found, on the rank that writes it
  explicit first_calls(std::string file) : file_(std::move(file)) {}
  first_calls(const first_calls&) = delete;
  first_calls& operator=(const first_calls&) = delete;
  ~first_calls();

  /// Whether such a call is, or may become, somebody's turn: nothing but the defaults says who does it. Local, and the
  /// same on all ranks.
  bool tries(const shape_of_call& shape, const communicator_state& on);
  /// Whether one that is tried is not too long on any rank, so that all may take the turn. Collective, where not all
  /// ranks know its size. @throws error(timeout)
  bool fits(const call& what, const shape_of_call& shape, const communicator_state& on) const;

  /// The trial of such calls. Collective where all turns of a step have been taken: then ranks agree on the times, and
  /// what comes of it is chosen. @throws error(timeout)
  trial& of(const shape_of_call& shape, communicator_state& on);

  /// What was measured of calls of that size: "0.9 µs, MPI's own 2.4 µs"; nothing where it was not.
  std::string words_for(const shape_of_call& shape) const;

 private:
  /// Of a kind of its own where the operation does not commute: then others can do it.
  struct place {
    kind what;
    std::int64_t from;
    bool commutative;
    auto operator<=>(const place&) const = default;
  };
  trial& trial_of(const shape_of_call& shape, const communicator_state& on);
  void take_over(const shape_of_call& of, const trial& decided, communicator_state& on);

  std::map<place, trial> trials_;
  std::string file_;
};

/// Collective: null where the setting is off, or nobody is there to talk to. @throws error(argument) on all ranks,
/// where the file cannot be written
std::unique_ptr<first_calls> first_calls_on(const communicator& comm);

}  // namespace wherry::collective
