/// @file
/// The one exception type of the library.
///
///     try {
///       exchange();
///     } catch (const wherry::error& failure) {
///       if (failure.kind() != wherry::error_kind::timeout) throw;
///       for (const int late : failure.peers()) std::fprintf(stderr, "rank %d is late\n", late);
///       exchange.abandon();
///     }
///
/// An argument error or a mismatch that is found in a collective call is thrown on all ranks alike.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace wherry {

/// The kinds of failure. The text of the error gives the details.
enum class error_kind {
  argument,  ///< an argument is wrong by itself; nothing was sent
  mismatch,  ///< ranks disagree with one another; nothing was sent
  state,     ///< the call is not allowed now (an exchange is started twice, an object was moved from, …)
  resource,  ///< memory, shared memory or another resource is exhausted
  timeout,   ///< some rank did not arrive within `WHERRY_TIMEOUT`
  mpi,       ///< MPI reported an error; the text includes MPI's own
  lost       ///< a rank that this call waits for has died; it is among the peers
};

/// Every error that Wherry reports. `what()` is a full sentence that names the call, the argument and the rank.
class error : public std::runtime_error {
 public:
  /// @param where the public call that failed, e.g. "halo_exchange"
  /// @param text  the sentence that says what is wrong and names the argument
  /// @param rank  the rank that found it, in the communicator of the call; -1 if no communicator is involved
  /// @param peers the other ranks involved, possibly none
  error(error_kind kind, std::string_view where, std::string_view text, int rank = -1, std::vector<int> peers = {});

  error_kind kind() const noexcept { return kind_; }
  const std::string& where() const noexcept { return where_; }
  const std::string& text() const noexcept { return text_; }
  int rank() const noexcept { return rank_; }
  const std::vector<int>& peers() const noexcept { return peers_; }

 private:
  error_kind kind_;
  std::string where_, text_;
  int rank_;
  std::vector<int> peers_;
};

/// The name of a kind: "argument", "mismatch", …
std::string_view to_string(error_kind kind);

namespace detail {

/// Builds the text of an error from its parts: `text("width is ", -1)`. A part is a string, a character, a number, or a
/// type for which `to_text` can be called. (<sstream> would add to the compile time of every program.)
template <class... Parts> std::string text(const Parts&... parts);

void append(std::string& to, std::string_view words);
void append(std::string& to, char letter);
void append(std::string& to, double number);
void append(std::string& to, long long number);
void append(std::string& to, unsigned long long number);

template <class Part> void append_part(std::string& to, const Part& part) {
  if constexpr (std::is_convertible_v<const Part&, std::string_view>)
    append(to, std::string_view(part));
  else if constexpr (sizeof(Part) == 1 && std::is_integral_v<Part> && !std::is_same_v<Part, bool>)
    append(to, static_cast<char>(part));
  else if constexpr (std::is_floating_point_v<Part>)
    append(to, static_cast<double>(part));
  else if constexpr (std::is_integral_v<Part> && std::is_unsigned_v<Part>)
    append(to, static_cast<unsigned long long>(part));
  else if constexpr (std::is_integral_v<Part> || std::is_enum_v<Part>)
    append(to, static_cast<long long>(part));
  else
    append(to, std::string_view(to_text(part)));
}

}  // namespace detail

}  // namespace wherry

template <class... Parts> std::string wherry::detail::text(const Parts&... parts) {
  std::string out;
  (detail::append_part(out, parts), ...);
  return out;
}
