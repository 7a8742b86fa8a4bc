/// @file
/// The one exception type of the library.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace wherry {

/// What kind of thing went wrong; the text says the rest.
enum class error_kind {
  argument,  ///< an argument is wrong by itself; nothing was sent
  mismatch,  ///< ranks disagree with one another; nothing was sent
  state,     ///< the call is not allowed now (exchange before setup, start twice, …)
  resource,  ///< memory, shared memory or another resource is exhausted
  timeout,   ///< some rank did not arrive within `WHERRY_TIMEOUT`
  mpi        ///< MPI reported an error; its own text is included
};

/// Every error that Wherry reports. `what()` is a full sentence that names the call, the argument and the rank.
class error : public std::runtime_error {
 public:
  /// @param where the public call that failed, e.g. "halo_exchange"
  /// @param text  what is wrong, naming the argument
  /// @param rank  the rank that found it, in the communicator of the call; -1 when no communicator is involved
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

/// The word for a kind: "argument", "mismatch", …
std::string_view to_string(error_kind kind);

/// Builds an error text from parts: `text("width is ", -1)`.
template <class... Parts> std::string text(const Parts&... parts);

}  // namespace wherry

#include <sstream>

template <class... Parts> std::string wherry::text(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return std::move(out).str();
}
