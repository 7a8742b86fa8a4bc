#include "wherry/core/error.hpp"

#include <array>
#include <charconv>
#include <utility>

#include "wherry/core/owned.hpp"

namespace wherry {
namespace {

std::string sentence(error_kind kind, std::string_view where, std::string_view what, int rank) {
  std::string out = detail::text("wherry: ", where);
  if (rank >= 0) out += detail::text(", rank ", rank);
  return out += detail::text(": ", what, " [", to_string(kind), "]");
}

}  // namespace

namespace detail {

void throw_moved_from(const char* handle) {
  throw error(error_kind::state, handle, text("this ", handle, " was moved from"));
}

void append(std::string& to, std::string_view words) { to += words; }
void append(std::string& to, char letter) { to += letter; }
void append(std::string& to, double number) {
  std::array<char, 32> digits;  // as %g prints, in any locale
  const auto end = std::to_chars(digits.begin(), digits.end(), number, std::chars_format::general, 6).ptr;
  to.append(digits.begin(), end);
}
void append(std::string& to, long long number) { to += std::to_string(number); }
void append(std::string& to, unsigned long long number) { to += std::to_string(number); }

}  // namespace detail

error::error(error_kind kind, std::string_view where, std::string_view text, int rank, std::vector<int> peers)
    : std::runtime_error(sentence(kind, where, text, rank)),
      kind_(kind),
      where_(where),
      text_(text),
      rank_(rank),
      peers_(std::move(peers)) {}

std::string_view to_string(error_kind kind) {
  switch (kind) {
    case error_kind::argument:
      return "argument";
    case error_kind::mismatch:
      return "mismatch";
    case error_kind::state:
      return "state";
    case error_kind::resource:
      return "resource";
    case error_kind::timeout:
      return "timeout";
    case error_kind::mpi:
      return "mpi";
    case error_kind::lost:
      return "lost";
  }
  return "unknown";
}

}  // namespace wherry
