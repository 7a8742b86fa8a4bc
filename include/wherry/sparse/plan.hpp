/// @file
/// A sparse exchange that is repeated: the ranks find out once who sends to whom, and exchange values any number of
/// times. It also carries an answer to each value back to the rank that sent it, as a request and its reply.
///
///     wherry::sparse_plan<long, double> ask(comm, owners);   // collective; owners[i] knows about the index asked[i]
///     for (int step = 0; step < steps; ++step) {
///       const auto& asked_of_me = ask.exchange(asked);
///       for (std::size_t i = 0; i < asked_of_me.all.size(); ++i) replies.push_back(table[asked_of_me.all[i] - first]);
///       use(ask.answer(replies));                            // one reply for each entry of `asked`, in its order
///     }
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/core/error.hpp"
#include "wherry/sparse/arrivals.hpp"
#include "wherry/sparse/send_to.hpp"
#include "wherry/transport/exchange.hpp"

namespace wherry {

namespace detail {

/// The elements of this rank by destination, and those that arrive by source.
struct sparse_pattern {
  std::vector<int> destinations;     ///< of each element of this rank
  std::vector<int> sources;          ///< the ranks that send to this one, ascending
  std::vector<std::size_t> offsets;  ///< where the elements of each of them begin
  std::size_t arriving = 0;          ///< the number of elements that arrive
};

/// Finds the pattern of these destinations. Collective. @throws as `send_to`
sparse_pattern find_pattern(const communicator& comm, std::span<const int> destinations, const sparse_options& options);

/// Binds the exchange of elements along a pattern, or back. Its fields are the elements that leave and those that
/// arrive. Collective.
exchange bind_pattern(const communicator& comm, const sparse_pattern& along, bool back, const sparse_elements& elements,
                      const carry_options& carry);

/// @throws error(argument) that names both figures
void require_length(const char* argument, std::size_t given, std::size_t wanted, int rank);

}  // namespace detail

/// A sparse exchange of elements of type `T` that is made once and repeated, and of an answer of type `Reply` to each
/// of them. Movable. Exchanges and answers allocate nothing. An exchange and an answer may be under way at the same
/// time; each of them is local to start, and each rank must start it as often as the others. Arrivals and answers are
/// valid until the next start.
template <detail::sparse_element T, detail::sparse_element Reply = T> class sparse_plan {
 public:
  /// Element i of every exchange will go to rank `destinations[i]`. Collective over `comm`.
  /// @throws as `send_to`, and as the constructor of `exchange`
  sparse_plan(const communicator& comm, std::span<const int> destinations, const sparse_options& options = {},
              const carry_options& carry = {})
      : pattern_(detail::find_pattern(comm, destinations, options)),
        there_(detail::bind_pattern(comm, pattern_, false, detail::elements_of<T>(), carry)),
        back_(detail::bind_pattern(comm, pattern_, true, detail::elements_of<Reply>(), carry)),
        answers_(destinations.size()) {
    arrived_.all.resize(pattern_.arriving);
    arrived_.ranks_to_fill() = pattern_.sources;
    arrived_.offsets_to_fill() = pattern_.offsets;
  }

  /// Sends `values[i]` to rank `destinations[i]`, for each i, and returns the elements that have arrived.
  /// @throws as `start` and `wait`
  const arrivals<T>& exchange(std::span<const T> values) {
    start(values);
    return wait();
  }
  /// Starts an exchange. The values must stay, unchanged, until it has ended.
  /// @throws error(argument) on this rank for another number of values than of destinations, before anything moves;
  ///   others as `exchange::start`
  void start(std::span<const T> values) {
    detail::require_length("values", values.size(), pattern_.destinations.size(), there_.comm().rank());
    begin(there_, values.data(), arrived_.all.data());
  }
  /// True if the exchange has ended. @throws as `exchange::test`
  bool test() { return there_.test(); }
  /// @throws as `exchange::wait`: error(timeout) names the ranks that have not come, and `wait` may be called again
  const arrivals<T>& wait() {
    there_.wait();
    return arrived_;
  }

  /// Sends `replies[i]` to the rank that sent element i of `exchange(…).all`. Returns the reply to each value that this
  /// rank sent, in the order of the destinations.
  /// @throws as `start_answer` and `wait_answer`
  std::span<const Reply> answer(std::span<const Reply> replies) {
    start_answer(replies);
    return wait_answer();
  }
  /// Starts to send the replies, which must stay until the answer has ended.
  /// @throws error(argument) on this rank for another number of replies than of elements that arrive
  void start_answer(std::span<const Reply> replies) {
    detail::require_length("replies", replies.size(), pattern_.arriving, back_.comm().rank());
    begin(back_, replies.data(), answers_.data());
  }
  bool test_answer() { return back_.test(); }
  std::span<const Reply> wait_answer() {
    back_.wait();
    return answers_;
  }

  /// The ranks that send to this one, and the number of elements that they send together.
  std::span<const int> sources() const { return pattern_.sources; }
  std::size_t arriving() const { return pattern_.arriving; }
  std::string transport() const { return there_.transport(); }
  std::string explain() const { return there_.explain() + back_.explain(); }

 private:
  // The transport only reads the first field.
  static void begin(wherry::exchange& by, const void* from, void* to) {
    static std::byte nothing;
    void* const fields[] = {from != nullptr ? const_cast<void*>(from) : &nothing, to != nullptr ? to : &nothing};
    by.start(fields);
  }

  detail::sparse_pattern pattern_;
  wherry::exchange there_, back_;
  arrivals<T> arrived_;
  std::vector<Reply> answers_;
};

}  // namespace wherry
