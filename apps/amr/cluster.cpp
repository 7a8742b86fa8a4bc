#include "cluster.hpp"

#include <array>
#include <cstdlib>
#include <utility>

namespace amr {
namespace {

struct cut {
  int dimension = 0;
  index_t place = 0;
};

using counts = std::vector<index_t>;

/// The empty row that is nearest to the middle; 0 if there is none.
index_t hole_in(const counts& tags, index_t least) {
  const auto n = std::ssize(tags);
  index_t best = 0;
  for (index_t i = least; i <= n - least; ++i)
    if (tags[static_cast<std::size_t>(i)] == 0 && std::abs(2 * i - n) < std::abs(2 * best - n)) best = i;
  return best;
}

/// The place where the second difference of the counts changes its sign most.
std::pair<index_t, index_t> turn_in(const counts& tags, index_t least) {
  const auto at = [&](index_t i) { return tags[static_cast<std::size_t>(i)]; };
  const auto bend = [&](index_t i) { return at(i + 1) - 2 * at(i) + at(i - 1); };
  std::pair<index_t, index_t> best{0, 0};  // strength, place
  for (index_t i = std::max<index_t>(least, 2); i <= std::ssize(tags) - std::max<index_t>(least, 2); ++i)
    if (bend(i - 1) * bend(i) < 0) best = std::max(best, {std::abs(bend(i - 1) - bend(i)), i});
  return best;
}

struct clustering {
  const std::function<bool(const point2&)>& tagged;
  const cluster_options& how;
  wherry::box_list<2> result{};

  void add(const box2& from) {
    box2 tight;
    index_t tags = 0;
    for_each_point(from, [&](const point2& p) {
      if (!tagged(p)) return;
      ++tags;
      tight = bounding_box(tight, {p, {p[0] + 1, p[1] + 1}});
    });
    if (tags == 0) return;
    const auto [dimension, place] = best_cut(tight);
    const bool too_large = std::max(tight.extent(0), tight.extent(1)) > how.largest;
    const bool good = static_cast<double>(tags) >= how.filled * static_cast<double>(tight.size());
    if (place == 0 || (good && !too_large)) {
      result.push_back(tight);
      return;
    }
    auto low = tight, high = tight;
    const auto d = static_cast<std::size_t>(dimension);
    low.upper[d] = high.lower[d] = tight.lower[d] + place;
    add(low);
    add(high);
  }

  /// Place 0 means that the box is too small to be cut.
  cut best_cut(const box2& b) const {
    std::array<counts, 2> tags;
    for (int d = 0; d < 2; ++d) tags[static_cast<std::size_t>(d)].assign(static_cast<std::size_t>(b.extent(d)), 0);
    for_each_point(b, [&](const point2& p) {
      if (tagged(p))
        for (std::size_t d = 0; d < 2; ++d) ++tags[d][static_cast<std::size_t>(p[d] - b.lower[d])];
    });
    const int longer = b.extent(1) > b.extent(0) ? 1 : 0;
    for (const int d : {longer, 1 - longer})
      if (const auto place = hole_in(tags[static_cast<std::size_t>(d)], how.least); place > 0) return {d, place};
    const auto in = [&](int d) { return turn_in(tags[static_cast<std::size_t>(d)], how.least); };
    const auto x = in(0), y = in(1);
    if (std::max(x, y).first > 0) return x.first > y.first ? cut{0, x.second} : cut{1, y.second};
    return {longer, b.extent(longer) >= 2 * how.least ? b.extent(longer) / 2 : 0};
  }
};

}  // namespace

wherry::box_list<2> cluster(const box2& whole, const std::function<bool(const point2&)>& tagged,
                            const cluster_options& how) {
  clustering work{tagged, how};
  work.add(whole);
  return std::move(work.result);
}

}  // namespace amr
