// Finds the owners of global ids. Each range of ids has a home rank, to which owners announce their ids and which
// answers the questions of other ranks.
#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "wherry/core/hash.hpp"
#include "wherry/halo/index_lists.hpp"

#include "core/collective.hpp"
#include "core/sparse_exchange.hpp"

namespace wherry {
namespace {

constexpr const char* in_resolve_ids = "resolve_ids";

/// The number of consecutive ids with the same home. Consecutive ids mostly belong to one rank and then travel as one
/// run.
constexpr std::int64_t range = 4096;

struct id_run {
  std::int64_t first = 0, count = 0, there = 0;
};
struct found_id {
  std::int64_t owner = -1, there = 0;
};

int home_of(std::int64_t id, int ranks) {
  return static_cast<int>(detail::hashed(0, static_cast<std::uint64_t>(id / range)) %
                          static_cast<std::uint64_t>(ranks));
}

[[noreturn]] void fail(const communicator& comm, std::string_view what) {
  throw error(error_kind::argument, in_resolve_ids, what, comm.rank());
}

void check_ids(const communicator& comm, const detail::integer_span& ids, std::string_view what) {
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (ids[i] < 0) fail(comm, detail::text("the id of ", what, ' ', i, " is ", ids[i], ", expected 0 or more"));
}

std::map<int, std::vector<id_run>> announcements(const detail::integer_span& rows, int ranks) {
  std::map<int, std::vector<id_run>> all;
  std::vector<id_run>* list = nullptr;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto id = rows[i];
    const bool goes_on = list != nullptr && list->back().first + list->back().count == id && id % range != 0;
    if (goes_on) {
      ++list->back().count;
      continue;
    }
    list = &all[home_of(id, ranks)];
    list->push_back({id, 1, static_cast<std::int64_t>(i)});
  }
  return all;
}

/// The knowledge of a home rank: the runs of all owners, ascending.
class directory {
 public:
  directory(const communicator& comm, const bytes_by_peer& said) : comm_(comm) {
    for (const auto& [owner, bytes] : said)
      for (const auto& run : from_bytes<id_run>(bytes)) runs_.push_back({run, owner});
    std::sort(runs_.begin(), runs_.end(), [](const entry& a, const entry& b) { return a.ids.first < b.ids.first; });
  }

  void check() const {
    for (std::size_t i = 1; i < runs_.size(); ++i) {
      const auto &before = runs_[i - 1], &after = runs_[i];
      if (before.ids.first + before.ids.count > after.ids.first)
        fail(comm_,
             detail::text("id ", after.ids.first, " is a row of both rank ", before.owner, " and rank ", after.owner));
    }
  }

  found_id find(std::int64_t id) const {
    auto next = std::upper_bound(runs_.begin(), runs_.end(), id,
                                 [](std::int64_t wanted, const entry& e) { return wanted < e.ids.first; });
    if (next == runs_.begin()) return {};
    const auto& [ids, owner] = *--next;
    return id < ids.first + ids.count ? found_id{owner, ids.there + id - ids.first} : found_id{};
  }

 private:
  struct entry {
    id_run ids;
    int owner;
  };
  const communicator& comm_;
  std::vector<entry> runs_;
};

/// For each home, the indices in `externals` of the ids that it is asked for, in the order of the questions.
using questions = std::map<int, std::vector<std::size_t>>;

std::vector<ghost> ghosts_of(const communicator& comm, const detail::integer_span& rows,
                             const detail::integer_span& externals, const questions& asked,
                             const bytes_by_peer& answers) {
  std::vector<ghost> ghosts;
  for (const auto& [home, places] : asked) {
    const auto found = from_bytes<found_id>(answers.at(home));
    for (std::size_t k = 0; k < places.size(); ++k) {
      const auto place = places[k];
      if (found[k].owner < 0)
        fail(comm, detail::text("external ", place, " has the id ", externals[place], ", which is a row of no rank"));
      ghosts.push_back({static_cast<int>(found[k].owner), found[k].there, static_cast<index_t>(rows.size() + place)});
    }
  }
  return ghosts;
}

void check_twice(const communicator& comm, const detail::integer_span& externals) {
  std::unordered_map<std::int64_t, std::size_t> seen;
  for (std::size_t i = 0; i < externals.size(); ++i)
    if (const auto [known, fresh] = seen.try_emplace(externals[i], i); !fresh)
      fail(comm,
           detail::text("id ", externals[i], " is listed twice: as external ", known->second, " and as external ", i));
}

}  // namespace

index_lists resolve_ids(const communicator& comm, const detail::integer_span& rows,
                        const detail::integer_span& externals) {
  detail::collectively(comm, in_resolve_ids, [&] {
    check_ids(comm, rows, "row");
    check_ids(comm, externals, "external");
    check_twice(comm, externals);
  });
  bytes_by_peer said;
  for (const auto& [home, runs] : announcements(rows, comm.size())) said[home] = to_bytes(runs);
  const directory known(comm, exchange_sparsely(comm, std::move(said), in_resolve_ids));
  detail::collectively(comm, in_resolve_ids, [&] { known.check(); });

  questions asked;
  for (std::size_t i = 0; i < externals.size(); ++i) asked[home_of(externals[i], comm.size())].push_back(i);
  bytes_by_peer wanted, answers;
  for (const auto& [home, places] : asked) {
    std::vector<std::int64_t> ids;
    for (const auto place : places) ids.push_back(externals[place]);
    wanted[home] = to_bytes(ids);
  }
  for (const auto& [peer, bytes] : exchange_sparsely(comm, std::move(wanted), in_resolve_ids)) {
    std::vector<found_id> found;
    for (const auto id : from_bytes<std::int64_t>(bytes)) found.push_back(known.find(id));
    answers[peer] = to_bytes(found);
  }
  const auto heard = exchange_sparsely(comm, std::move(answers), in_resolve_ids);
  std::vector<ghost> ghosts;
  detail::collectively(comm, in_resolve_ids, [&] { ghosts = ghosts_of(comm, rows, externals, asked, heard); });
  return resolve_ghosts(comm, ghosts);
}

}  // namespace wherry
