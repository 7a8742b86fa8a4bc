// WHERRY_COLL_TUNE: in the first calls on a communicator implementations take turns, for each collective and size,
// until the best one is known.
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

/// The source of choices that come from these measurements.
inline constexpr std::string_view the_first_calls = "measuring the first calls";

/// Sizes from one power of two to the next are tried together; 0 is tried alone.
struct size_range {
  std::int64_t from, to;
};
size_range range_of(std::int64_t bytes);
/// Calls with a size that not all ranks know (-1) are tried together, whatever their size: all ranks then know the
/// choice without communication.
size_range range_of(const shape_of_call& shape);

class first_calls {
 public:
  /// @param file the file for the results, on the rank that writes it
  explicit first_calls(std::string file) : file_(std::move(file)) {}
  first_calls(const first_calls&) = delete;
  first_calls& operator=(const first_calls&) = delete;
  ~first_calls();

  /// True if such a call is tried, or may be later: nothing but the defaults chooses its implementation. Local, and the
  /// same on all ranks.
  bool tries(const shape_of_call& shape, const communicator_state& on);
  /// True if the call is short enough on every rank to be tried. Collective, if not all ranks know its size.
  /// @throws error(timeout)
  bool fits(const call& what, const shape_of_call& shape, const communicator_state& on) const;

  /// The trial for such calls. Collective if all turns of a step have been taken: the ranks then agree on the times,
  /// and the result is chosen.
  /// @throws error(timeout)
  trial& of(const shape_of_call& shape, communicator_state& on);

  /// The measurements for calls of this size: "0.9 µs, MPI's own 2.4 µs"; empty if there are none.
  std::string words_for(const shape_of_call& shape) const;

 private:
  /// Operations that do not commute are tried separately, because other implementations can do them.
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

/// Null if the setting is off or there is only one rank. Collective.
/// @throws error(argument) on all ranks if the file cannot be written
std::unique_ptr<first_calls> first_calls_on(const communicator& comm);

}  // namespace wherry::collective
