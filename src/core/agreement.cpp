#include "agreement.hpp"

#include <algorithm>
#include <cstring>

#include "consensus.hpp"

namespace wherry {
namespace {

/// What one rank, or what came of several, says. The lowest failure wins; `quote` is its text.
struct ballot {
  std::int64_t failure = 0;  // the rank that fails, a mismatch behind all other kinds; more: nobody
  std::int64_t least_fingerprint = 0, most_fingerprint = 0, vote = 1;
  std::int32_t kind = 0;
  char quote[508] = "";
};

void combine(std::span<std::byte> into, std::span<const std::byte> from) {
  ballot ours, theirs;
  std::memcpy(&ours, into.data(), sizeof ours);
  std::memcpy(&theirs, from.data(), sizeof theirs);
  ballot both = theirs.failure < ours.failure ? theirs : ours;
  both.least_fingerprint = std::min(ours.least_fingerprint, theirs.least_fingerprint);
  both.most_fingerprint = std::max(ours.most_fingerprint, theirs.most_fingerprint);
  both.vote = std::min(ours.vote, theirs.vote);
  std::memcpy(into.data(), &both, sizeof both);
}

ballot decide(const communicator& comm, std::string_view where, const ballot& mine) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&mine);
  ballot all;
  consensus agreement(comm, where);
  std::memcpy(&all, agreement.of({bytes, bytes + sizeof mine}, combine).data(), sizeof all);
  return all;
}

}  // namespace

void agree_or_throw(const communicator& comm, std::string_view where, const error* mine, std::uint32_t fingerprint,
                    std::string_view on_disagreement) {
  agree_and_vote(comm, where, mine, fingerprint, [&] { return std::string(on_disagreement); }, true);
}

bool agree_and_vote(const communicator& comm, std::string_view where, const error* mine, std::uint32_t fingerprint,
                    const std::function<std::string()>& disagreement, bool vote) {
  const std::int64_t size = comm.size(), nobody = 2 * size;
  ballot paper{nobody, fingerprint, fingerprint, vote ? 1 : 0};
  if (mine != nullptr) {
    paper.failure = comm.rank() + (mine->kind() == error_kind::mismatch ? size : 0);
    paper.kind = static_cast<std::int32_t>(mine->kind());
    std::strncpy(paper.quote, mine->text().c_str(), sizeof paper.quote - 1);
  }
  const auto all = decide(comm, where, paper);
  if (all.failure == nobody) {
    if (all.least_fingerprint != all.most_fingerprint)
      throw error(error_kind::mismatch, where, disagreement(), comm.rank());
    return all.vote != 0;
  }
  if (mine != nullptr && (all.failure >= size || mine->kind() != error_kind::mismatch))
    throw error(mine->kind(), mine->where(), mine->text(), comm.rank(), mine->peers());
  const int first = static_cast<int>(all.failure % size);
  throw error(static_cast<error_kind>(all.kind), where, text("rank ", first, " reports: ", all.quote), comm.rank(),
              {first});
}

}  // namespace wherry
