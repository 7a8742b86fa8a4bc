#include "verdict.hpp"

#include <algorithm>
#include <cstring>

namespace wherry::sparse {
namespace {

constexpr std::size_t longest = 320;

struct side {
  std::int32_t rank = -1;
  std::uint64_t word = 0;
  char terms[longest] = "";
};

struct record {
  std::int32_t refuser = -1, kind = 0;
  char refusal[longest] = "";
  side first, other;  // `other.rank` is -1 where all agree
};

template <std::size_t N> void write(char (&to)[N], std::string_view text) {
  const auto length = std::min(text.size(), N - 1);
  text.copy(to, length);
  to[length] = '\0';
}

record read(std::span<const std::byte> bytes) {
  record one;
  std::memcpy(&one, bytes.data(), std::min(sizeof one, bytes.size()));
  return one;
}

void take_refusal(record& mine, const record& theirs) {
  if (theirs.refuser < 0 || (mine.refuser >= 0 && mine.refuser < theirs.refuser)) return;
  mine.refuser = theirs.refuser;
  mine.kind = theirs.kind;
  std::memcpy(mine.refusal, theirs.refusal, longest);
}

/// The lowest rank, and the lowest one that differs from it.
void take_terms(record& mine, const record& theirs) {
  const side all[] = {mine.first, mine.other, theirs.first, theirs.other};
  mine.first = mine.other = side{};
  for (const auto& one : all)
    if (one.rank >= 0 && (mine.first.rank < 0 || one.rank < mine.first.rank)) mine.first = one;
  for (const auto& one : all)
    if (one.rank >= 0 && one.word != mine.first.word && (mine.other.rank < 0 || one.rank < mine.other.rank))
      mine.other = one;
}

std::string_view take_line(std::string_view& text) {
  const auto line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

/// "the ranks disagree on NAME: VALUE on rank 0, VALUE on rank 2", for the first term that differs.
std::string difference(const side& a, const side& b) {
  std::string_view left = a.terms, right = b.terms;
  while (!left.empty() && !right.empty()) {
    const auto one = take_line(left), two = take_line(right);
    if (one == two) continue;
    const auto colon = one.find(": ");
    if (colon == std::string_view::npos || two.substr(0, colon) != one.substr(0, colon)) break;
    return detail::text("the ranks disagree on ", one.substr(0, colon), ": ", one.substr(colon + 2), " on rank ",
                        a.rank, ", ", two.substr(colon + 2), " on rank ", b.rank);
  }
  return detail::text("rank ", a.rank, " and rank ", b.rank, " make different calls, or with different element types");
}

}  // namespace

std::vector<std::byte> verdict::of(int rank, const error* refusal, std::uint64_t word, std::string_view terms) {
  record one;
  if (refusal != nullptr) {
    one.refuser = rank;
    one.kind = static_cast<std::int32_t>(refusal->kind());
    write(one.refusal, refusal->text());
  } else {
    one.first.rank = rank;
    one.first.word = word;
    write(one.first.terms, terms);
  }
  std::vector<std::byte> bytes(sizeof one);
  std::memcpy(bytes.data(), &one, sizeof one);
  return bytes;
}

void verdict::combine(std::span<std::byte> into, std::span<const std::byte> from) {
  auto mine = read(into);
  const auto theirs = read(from);
  take_refusal(mine, theirs);
  take_terms(mine, theirs);
  std::memcpy(into.data(), &mine, std::min(sizeof mine, into.size()));
}

error verdict::to_error(std::span<const std::byte> bytes, std::string_view where, int rank) {
  const auto all = read(bytes);
  if (all.refuser >= 0) {
    const auto kind = static_cast<error_kind>(all.kind);
    const std::string_view why(all.refusal);
    if (all.refuser == rank) return error(kind, where, why, rank);
    return error(kind, where, detail::text("on rank ", all.refuser, ": ", why), rank, {all.refuser});
  }
  if (all.other.rank < 0)
    return error(error_kind::state, where, "a rank has found a disagreement that the others have not", rank);
  return error(error_kind::mismatch, where, difference(all.first, all.other), rank, {all.first.rank, all.other.rank});
}

}  // namespace wherry::sparse
