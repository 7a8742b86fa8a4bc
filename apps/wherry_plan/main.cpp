// wherry_plan: predicts a halo exchange on another machine. Plans are pure data, so one process makes the plans of all
// ranks. It reports messages, bytes on and off the nodes, the worst rank, the best process grid, a picture, and the
// expected time by the calibration (calibration.hpp).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "wherry/motion/decompose.hpp"

#include "common/text_file.hpp"
#include "floor_plan_file.hpp"
#include "forecast.hpp"
#include "grids.hpp"
#include "harness/arguments.hpp"
#include "harness/text.hpp"
#include "picture.hpp"

namespace {

using planning::forecast;

constexpr const char* usage =
    "usage: wherry_plan halo CELLS --ranks R [--node K] [--grid EXTENTS] [options]     CELLS, EXTENTS: 512x512x512\n"
    "       wherry_plan boxes FILE.json [--node K] [options]        FILE.json: what floor_plan::to_json() gives\n"
    "  --node K          ranks a node, one after the other (default 1)\n"
    "  --width W         halo cells (1)            --fields F   fields (1)        --element B   bytes of an element "
    "(8)\n"
    "  --periodic 101    one digit a dimension: 1 where it wraps (all)\n"
    "  --faces           neighbours across faces only\n"
    "  --picture F.svg   which boxes are on which node; of three dimensions and more the first layer\n"
    "No machine is needed, and no mpirun: these are the plans that the library would make there.\n";

struct request {
  planning::settings how;
  std::vector<bool> periodic;  // empty: everywhere
  std::string picture;
};

std::vector<std::int64_t> extents_in(const std::string& option, const std::string& words) {
  std::vector<std::int64_t> all{0};
  for (const char letter : words) {
    if (letter == 'x')
      all.push_back(0);
    else if (letter >= '0' && letter <= '9' && all.back() < 100'000'000)
      all.back() = 10 * all.back() + (letter - '0');
    else
      all.back() = -1;
    if (all.back() < 0) break;
  }
  for (const auto extent : all)
    if (extent < 1 || all.size() > 4)
      throw bench::usage_error(option + " is '" + words + "', expected 1 to 4 numbers: 512x512x512");
  return all;
}

/// Checks that the largest figure, the number of bytes of all cells, stays exact.
void check_size(const std::vector<std::int64_t>& lengths, const planning::settings& how) {
  double bytes = static_cast<double>(how.element) * static_cast<double>(how.fields);
  for (const auto length : lengths) bytes *= static_cast<double>(length) + 2.0 * static_cast<double>(how.width);
  if (bytes > 9e15) throw bench::usage_error(bench::text("the fields have ", bytes, " bytes, expected at most 9e15"));
}

std::string in_words(const auto& extents) {
  std::string all;
  for (const auto extent : extents) all += bench::text(all.empty() ? "" : "x", extent);
  return all;
}

std::string in_bytes(std::int64_t bytes) {
  char words[32];
  if (bytes < 10'000)
    std::snprintf(words, sizeof words, "%ld B", static_cast<long>(bytes));
  else if (bytes < 10'000'000)
    std::snprintf(words, sizeof words, "%.1f kB", static_cast<double>(bytes) / 1e3);
  else
    std::snprintf(words, sizeof words, "%.1f MB", static_cast<double>(bytes) / 1e6);
  return words;
}

std::vector<bool> periodicity(const request& asked, std::size_t dimensions) {
  if (asked.periodic.empty()) return std::vector<bool>(dimensions, true);
  if (asked.periodic.size() != dimensions)
    throw bench::usage_error(
        bench::text("--periodic has ", asked.periodic.size(), " digits for ", dimensions, " dimensions"));
  return asked.periodic;
}

void print_heading() {
  std::printf("  %-14s %-12s %15s %13s %13s %14s %10s\n", "process grid", "placed", "messages (far)", "off the node",
              "on the node", "a node sends", "worst rank");
}

void print(const std::string& grid, const std::string& placed, const forecast& all) {
  const auto& worst = all.worst_rank();
  const auto messages = bench::text(worst.messages, " (", worst.messages_off_node, ")");
  std::printf("  %-14s %-12s %15s %13s %13s %14s %7.1f us\n", grid.c_str(), placed.c_str(), messages.c_str(),
              in_bytes(worst.bytes_off_node).c_str(), in_bytes(worst.bytes_on_node).c_str(),
              in_bytes(all.most_bytes_of_node).c_str(), worst.microseconds);
}

void print_whole(const forecast& all) {
  std::int64_t messages = 0, on = 0, off = 0, own = 0;
  for (const auto& r : all.of_rank) {
    messages += r.messages;
    on += r.bytes_on_node;
    off += r.bytes_off_node;
    own += r.bytes_to_itself;
  }
  std::printf(
      "all ranks: %ld messages, %s off the nodes, %s inside them, %s from ranks to themselves; worst: rank %d\n",
      static_cast<long>(messages), in_bytes(off).c_str(), in_bytes(on).c_str(), in_bytes(own).c_str(), all.worst);
}

template <int N>
wherry::domain<N> space_of(const std::vector<std::int64_t>& lower, const std::vector<std::int64_t>& upper,
                           const std::vector<bool>& periodic) {
  wherry::domain<N> space;
  for (std::size_t d = 0; d < N; ++d) {
    space.cells.lower[d] = lower[d];
    space.cells.upper[d] = upper[d];
    space.periodic[d] = periodic[d];
  }
  return space;
}

/// Draws the boxes that have cells in the first layer of all dimensions beyond the second.
template <int N>
void draw(const request& asked, const wherry::floor_plan<N>& plan, const wherry::box<N>& bounds, const forecast& all,
          const std::function<int(int)>& rank_of, const std::string& title) {
  if (asked.picture.empty()) return;
  std::vector<planning::tile> tiles;
  for (int number = 0; number < plan.size(); ++number) {
    const auto& b = plan[number];
    bool shown = !b.empty();
    for (std::size_t d = 2; d < N; ++d) shown = shown && b.lower[d] == bounds.lower[d];
    if (!shown) continue;
    planning::tile t;
    t.x = static_cast<double>(b.lower[0] - bounds.lower[0]);
    t.width = static_cast<double>(b.extent(0));
    t.height = 1;
    if constexpr (N > 1) {
      t.y = static_cast<double>(b.lower[1] - bounds.lower[1]);
      t.height = static_cast<double>(b.extent(1));
    }
    t.rank = rank_of(number);
    t.node = t.rank / asked.how.ranks_a_node;
    t.worst = t.rank == all.worst;
    tiles.push_back(t);
  }
  if (!apps::write_text(asked.picture, picture_of(tiles, title)))
    throw bench::usage_error("cannot write the file of --picture, '" + asked.picture + "'");
  std::printf("%s shows which boxes are on which node (the worst rank's is framed)\n", asked.picture.c_str());
}

template <int N>
void plan_halo(const request& asked, const std::vector<std::int64_t>& cells, int ranks, const std::vector<int>& given) {
  constexpr std::size_t shown = 4;
  const auto periodic = periodicity(asked, N);
  auto grids = given.empty() ? planning::grids_of(ranks, cells) : std::vector<std::vector<int>>{given};
  if (grids.empty())
    throw bench::usage_error(bench::text(ranks, " ranks make no grid over ", in_words(cells), " cells"));
  std::stable_sort(grids.begin(), grids.end(), [&](const auto& a, const auto& b) {
    return planning::surface_of(a, cells, periodic) < planning::surface_of(b, cells, periodic);
  });
  // With this many ranks a grid has millions of entries, so only the best grid is examined.
  grids.resize(std::min(grids.size(), ranks > 100'000 ? std::size_t{1} : shown));
  const auto space = space_of<N>(std::vector<std::int64_t>(N, 0), cells, periodic);
  print_heading();
  forecast best;
  std::vector<int> best_grid, best_brick;
  for (const auto& grid : grids) {
    wherry::point<N> pieces;
    std::copy(grid.begin(), grid.end(), pieces.begin());
    const auto plan = wherry::even_blocks<N>(space.cells, pieces);
    const std::vector<int> rows(N, 1), brick = wherry::detail::node_brick(grid, periodic, asked.how.ranks_a_node);
    std::vector<std::vector<int>> placements{rows};
    if (brick != rows) placements.push_back(brick);
    for (const auto& placed : placements) {
      const auto placement = wherry::detail::rank_placement::in_rows(grid, placed);
      const auto all = planning::forecast_of<N>(plan, space, asked.how, ranks,
                                                [&](int number) { return planning::rank_of_box(number, placement); });
      print(in_words(grid), placed == rows ? std::string("in rows") : bench::text("bricks ", in_words(placed)), all);
      if (!best_grid.empty() && all.worst_rank().microseconds >= best.worst_rank().microseconds) continue;
      best = all;
      best_grid = grid;
      best_brick = placed;
    }
  }
  const bool in_bricks = best_brick != std::vector<int>(N, 1);
  std::printf(
      "best: process_grid(comm, {.periodic = …, .extents = {%s}%s})\n",
      [&] {
        std::string list;
        for (const int extent : best_grid) list += bench::text(list.empty() ? "" : ", ", extent);
        return list;
      }()
          .c_str(),
      in_bricks ? ", .order = rank_order::node_bricks" : "");
  print_whole(best);
  wherry::point<N> pieces;
  std::copy(best_grid.begin(), best_grid.end(), pieces.begin());
  draw<N>(
      asked, wherry::even_blocks<N>(space.cells, pieces), space.cells, best,
      [placement = wherry::detail::rank_placement::in_rows(best_grid, best_brick)](int number) {
        return planning::rank_of_box(number, placement);
      },
      bench::text(in_words(best_grid), in_bricks ? " ranks in node bricks" : " ranks in rows", ", ",
                  asked.how.ranks_a_node, " a node"));
}

template <int N> void plan_boxes(const request& asked, const std::vector<planning::listed_box>& boxes) {
  wherry::floor_plan<N> plan;
  int ranks = 1;
  auto lower = boxes.front().lower, upper = boxes.front().upper;
  for (const auto& b : boxes) {
    wherry::box<N> cells;
    std::copy(b.lower.begin(), b.lower.end(), cells.lower.begin());
    std::copy(b.upper.begin(), b.upper.end(), cells.upper.begin());
    plan.add(cells, b.owner);
    ranks = std::max(ranks, b.owner + 1);
    for (std::size_t d = 0; d < N; ++d) {
      lower[d] = std::min(lower[d], b.lower[d]);
      upper[d] = std::max(upper[d], b.upper[d]);
    }
  }
  std::vector<std::int64_t> lengths;
  for (std::size_t d = 0; d < N; ++d) lengths.push_back(std::max<std::int64_t>(0, upper[d] - lower[d]));
  check_size(lengths, asked.how);
  const auto space = space_of<N>(lower, upper, periodicity(asked, N));
  const auto owner = [&](int number) { return plan.owner(number); };
  const auto all = planning::forecast_of<N>(plan, space, asked.how, ranks, owner);
  print_heading();
  print(bench::text(boxes.size(), " boxes"), "as they are", all);
  print_whole(all);
  draw<N>(asked, plan, space.cells, all, owner, bench::text(boxes.size(), " boxes on ", ranks, " ranks"));
}

template <class Plan> void in_dimensions(std::size_t dimensions, Plan&& plan) {
  if (dimensions == 1) return plan.template operator()<1>();
  if (dimensions == 2) return plan.template operator()<2>();
  if (dimensions == 3) return plan.template operator()<3>();
  plan.template operator()<4>();
}

request read_options(bench::arguments& words) {
  request asked;
  asked.how.width = words.integer("--width", 1, 1, 1 << 20);
  asked.how.fields = words.integer("--fields", 1, 1, 1 << 20);
  asked.how.element = words.integer("--element", 8, 1, 1 << 20);
  asked.how.ranks_a_node = static_cast<int>(words.integer("--node", 1, 1, 1 << 20));
  asked.how.faces_only = words.flag("--faces");
  for (const char digit : words.text("--periodic")) {
    if (digit != '0' && digit != '1') throw bench::usage_error("--periodic is made of 0 and 1, one a dimension: 101");
    asked.periodic.push_back(digit == '1');
  }
  asked.picture = words.text("--picture");
  return asked;
}

int run(bench::arguments& words) {
  const auto halo = words.text("halo"), boxes = words.text("boxes");
  const auto asked = read_options(words);
  const auto ranks = static_cast<int>(words.integer("--ranks", 0, 0, 1 << 20));
  const auto grid_words = words.text("--grid");
  words.finish();
  if (halo.empty() == boxes.empty()) throw bench::usage_error("expected 'halo CELLS' or 'boxes FILE.json'");
  std::printf("halos of %ld, %ld field%s of %ld bytes a cell, %d ranks a node; times by %s\n",
              static_cast<long>(asked.how.width), static_cast<long>(asked.how.fields), asked.how.fields == 1 ? "" : "s",
              static_cast<long>(asked.how.element), asked.how.ranks_a_node,
              wherry::transports::current_calibration().source.c_str());
  if (!boxes.empty()) {
    if (ranks != 0 || !grid_words.empty())
      throw bench::usage_error("boxes have owners: --ranks and --grid say nothing");
    const auto listed = planning::read_floor_plan(boxes);
    in_dimensions(listed.front().lower.size(), [&]<int N>() { plan_boxes<N>(asked, listed); });
    return 0;
  }
  const auto cells = extents_in("halo", halo);
  std::vector<int> grid;
  if (!grid_words.empty())
    for (const auto extent : extents_in("--grid", grid_words)) grid.push_back(static_cast<int>(extent));
  std::int64_t in_grid = 1;
  for (const int extent : grid) in_grid = std::min<std::int64_t>(in_grid * extent, std::int64_t{1} << 40);
  if (!grid.empty() && (grid.size() != cells.size() || (ranks != 0 && in_grid != ranks) || in_grid > (1 << 20)))
    throw bench::usage_error(bench::text("--grid is '", grid_words, "', ", in_grid, " ranks in ", grid.size(),
                                         " dimensions, for ", halo, " cells and --ranks ", ranks));
  if (grid.empty() && ranks == 0) throw bench::usage_error("--ranks is missing");
  check_size(cells, asked.how);
  in_dimensions(cells.size(),
                [&]<int N>() { plan_halo<N>(asked, cells, grid.empty() ? ranks : static_cast<int>(in_grid), grid); });
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return bench::run_alone(argc, argv, usage, run); }
