#include "agreement.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "consensus.hpp"

namespace wherry {
namespace {

/// The statement of one rank, or the combination of several; the figures follow. The lowest failure wins, and `quote`
/// is its text.
struct ballot {
  std::int64_t failure = 0;  // the rank that fails, a mismatch behind all other kinds; larger: none
  std::int64_t least_fingerprint = 0, most_fingerprint = 0;
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
  std::memcpy(into.data(), &both, sizeof both);
  // If ranks have different numbers of figures, one has failed or the fingerprints differ, and the sums are not used.
  for (auto at = sizeof both; at + sizeof(double) <= std::min(into.size(), from.size()); at += sizeof(double)) {
    double sum = 0, more = 0;
    std::memcpy(&sum, into.data() + at, sizeof sum);
    std::memcpy(&more, from.data() + at, sizeof more);
    sum += more;
    std::memcpy(into.data() + at, &sum, sizeof sum);
  }
}

/// Leaves the sums in `figures`.
ballot decide(const communicator& comm, std::string_view where, const ballot& mine, std::vector<double>& figures) {
  consensus::bytes paper(sizeof mine + figures.size() * sizeof(double));
  std::memcpy(paper.data(), &mine, sizeof mine);
  if (!figures.empty()) std::memcpy(paper.data() + sizeof mine, figures.data(), figures.size() * sizeof(double));
  consensus agreement(comm, where);
  const auto& said = agreement.of(std::move(paper), combine, consensus::lengths::any);
  ballot all;
  std::memcpy(&all, said.data(), sizeof all);
  const auto sums = std::min(figures.size() * sizeof(double), said.size() - sizeof all);
  if (sums > 0) std::memcpy(figures.data(), said.data() + sizeof all, sums);
  return all;
}

}  // namespace

void detail::agree_or_throw(const communicator& comm, std::string_view where, const error* mine,
                            std::uint32_t fingerprint, std::string_view on_disagreement) {
  agree_and_add_up(comm, where, mine, fingerprint, [&] { return std::string(on_disagreement); }, {});
}

std::vector<double> agree_and_add_up(const communicator& comm, std::string_view where, const error* mine,
                                     std::uint32_t fingerprint, const std::function<std::string()>& disagreement,
                                     const std::vector<double>& figures) {
  const std::int64_t size = comm.size(), nobody = 2 * size;
  ballot paper{nobody, fingerprint, fingerprint};
  if (mine != nullptr) {
    paper.failure = comm.rank() + (mine->kind() == error_kind::mismatch ? size : 0);
    paper.kind = static_cast<std::int32_t>(mine->kind());
    std::strncpy(paper.quote, mine->text().c_str(), sizeof paper.quote - 1);
  }
  auto sums = figures;
  const auto all = decide(comm, where, paper, sums);
  if (all.failure == nobody) {
    if (all.least_fingerprint != all.most_fingerprint)
      throw error(error_kind::mismatch, where, disagreement(), comm.rank());
    return sums;
  }
  if (mine != nullptr && (all.failure >= size || mine->kind() != error_kind::mismatch))
    throw error(mine->kind(), mine->where(), mine->text(), comm.rank(), mine->peers());
  const int first = static_cast<int>(all.failure % size);
  throw error(static_cast<error_kind>(all.kind), where, detail::text("rank ", first, " reports: ", all.quote),
              comm.rank(), {first});
}

}  // namespace wherry
