#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/core/hash.hpp"
#include "wherry/plan/copy_engine.hpp"

#include "interleaved.hpp"
#include "kernels.hpp"
#include "shape_figures.hpp"
#include "two_sides.hpp"

namespace wherry {
namespace {

constexpr std::uint32_t buffered = ~std::uint32_t{0}, nothing = buffered - 1;
constexpr std::uint32_t first_joint = kernels::pair_kernels;

/// Copies of a list, in the role of `Rows` in interleaved.hpp.
struct listed_copies {
  std::span<const plans::copy_row> rows;
  const std::uint32_t* ways;
  const plans::shape_table* shapes;
  plans::field_table sources, targets;  // empty: not known yet

  std::size_t size() const { return rows.size(); }
  bool is_moved(std::size_t i) const { return sources.empty() || field_of(rows[i].from, sources) != nullptr; }
  bool is_like(std::size_t i, std::size_t other) const {
    const auto &one = rows[i], &two = rows[other];
    return one.from.shape == two.from.shape && one.to.shape == two.to.shape && one.from.field != two.from.field &&
           ways[i] == ways[other] && ways[i] < first_joint;  // both are copied by kernels of strided shapes
  }
  const std::int32_t* from_words(std::size_t i) const { return shapes->strided_words(rows[i].from.shape); }
  const std::int32_t* to_words(std::size_t i) const { return shapes->strided_words(rows[i].to.shape); }
  bool is_of_one_field(std::size_t i, std::size_t other) const {
    const auto &one = rows[i], &two = rows[other];
    return one.from.shape == two.from.shape && one.to.shape == two.to.shape && one.from.field == two.from.field &&
           one.to.field == two.to.field && ways[i] < nothing && from_words(i) != nullptr && to_words(i) != nullptr;
  }
  std::int64_t from_offset(std::size_t i) const { return rows[i].from.offset; }
  std::int64_t to_offset(std::size_t i) const { return rows[i].to.offset; }
  const std::byte* from(std::size_t i) const { return field_of(rows[i].from, sources) + rows[i].from.offset; }
  std::byte* to(std::size_t i) const { return field_of(rows[i].to, targets) + rows[i].to.offset; }
  static std::size_t dense_bytes(std::size_t) { return 0; }

 private:
  static std::byte* field_of(const plans::block_row& row, plans::field_table fields) {
    return static_cast<std::byte*>(fields[static_cast<std::size_t>(row.field)]);
  }
};

}  // namespace

/// The pairs of shapes that were joined, so that each is compiled and kept once. Used only while binding.
class detail::joint_index {
 public:
  static constexpr std::uint32_t unknown = buffered - 2;

  /// @param copies the number of copies, with which the memory of recent pairs grows
  explicit joint_index(std::size_t copies)
      : lately_(std::clamp<std::size_t>(std::bit_ceil(copies / 16 + 1), 8, 4096)) {}

  /// The way of a pair that was met recently; `unknown` for all others.
  std::uint32_t& lately(std::uint32_t from, std::uint32_t to) {
    const auto key = std::uint64_t{from} << 32 | to;
    auto& found = lately_[detail::hashed(0, key) & (lately_.size() - 1)];
    if (found.key != key) found = {key, unknown};
    return found.way;
  }

  std::uint32_t& of(std::uint32_t from, std::uint32_t to) {
    if (2 * used_ >= slots_.size()) grow();
    auto& found = slot(std::uint64_t{from} << 32 | to);
    if (found.way == unknown) ++used_;
    return found.way;
  }

 private:
  struct entry {
    std::uint64_t key = ~std::uint64_t{0};
    std::uint32_t way = unknown;
  };
  entry& slot(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = detail::hashed(0, key) & mask;; at = (at + 1) & mask) {
      if (slots_[at].way == unknown) slots_[at].key = key;
      if (slots_[at].key == key) return slots_[at];
    }
  }
  void grow() {
    const auto old = std::exchange(slots_, std::vector<entry>(std::max<std::size_t>(64, 2 * slots_.size())));
    for (const auto& e : old)
      if (e.way != unknown) slot(e.key).way = e.way;
  }

  std::vector<entry> slots_;
  std::vector<entry> lately_;
  std::size_t used_ = 0;
};

detail::direct_copies::direct_copies(std::span<const plans::copy_list> lists, const plans::schedule& plan,
                                     detail::shape_kernels& kernels, const plans::functions& code, bool careful)
    : lists_(lists), plan_(&plan), kernels_(&kernels), code_(&code) {
  std::size_t count = 0;
  for (const auto& list : lists_) count += list.count;
  detail::joint_index known(count);
  ways_.reserve(count);
  for (const auto& list : lists_) {
    by_team_.push_back(is_for_team(list) ? 1 : 0);
    for (const auto& c : plan.rows_of(list)) {
      const bool direct = list.operation == detail::store && !list.overlaps && !(careful && c.from.field != c.to.field);
      if (direct) {
        auto& way = known.lately(c.from.shape, c.to.shape);
        ways_.push_back(way != detail::joint_index::unknown ? way : way = way_of(c, by_team_.back() != 0, known));
      } else {
        ways_.push_back(buffered);
      }
      if (ways_.back() != buffered) continue;
      kernels.require(c.from.shape);
      kernels.require(c.to.shape);
      buffer_.resize(std::max(buffer_.size(), kernels.of(c.from).bytes));
    }
  }
  find_together();
  find_plain();
}

/// True if there is enough work for a team. No entry of a plan writes what another one reads (motion_plan.hpp), so the
/// copies may be made at the same time.
bool detail::direct_copies::is_for_team(const plans::copy_list& list) const {
  if (kernels_->team().size() == 1 || list.operation != detail::store || list.overlaps) return false;
  std::size_t bytes = 0;
  for (const auto& c : plan_->rows_of(list)) {
    bytes += static_cast<std::size_t>(wire_bytes_of(plan_->shapes, c.from.shape));
    if (kernels_->is_for_team(bytes)) return true;
  }
  return false;
}

void detail::direct_copies::find_together() {
  std::size_t base = 0;
  for (std::size_t number = 0; number < lists_.size(); ++number) {
    const auto rows = plan_->rows_of(lists_[number]);
    const listed_copies copies{rows, ways_.data() + base, &plan_->shapes, {}, {}};
    if (by_team_[number] == 0)
      kernels::find_together(copies, base, together_);
    else
      kernels::find_two_sides(copies, base, together_.pairs);
    base += rows.size();
  }
}

/// Fields are looked up once for a stretch of copies, and nothing else is tested for each copy: for small boxes that
/// saves a tenth.
void detail::direct_copies::find_plain() {
  constexpr std::size_t worth_while = 16;
  std::size_t base = 0;
  for (const auto& list : lists_) {
    const auto rows = plan_->rows_of(list);
    const auto is_plain = [&](std::size_t i) { return ways_[base + i] < first_joint; };
    for (std::size_t begin = 0, end; begin < rows.size(); begin = end) {
      end = begin + 1;
      if (!is_plain(begin)) continue;
      const auto &from = rows[begin].from, &to = rows[begin].to;
      while (end < rows.size() && is_plain(end) && rows[end].from.field == from.field && rows[end].to.field == to.field)
        ++end;
      if (end - begin >= worth_while) plain_.push_back({base + begin, base + end});
    }
    base += rows.size();
  }
}

/// @param by_team long copies are made in parts
std::uint32_t detail::direct_copies::way_of(const plans::copy_row& c, bool by_team, detail::joint_index& known) {
  const auto& shapes = plan_->shapes;
  const auto* from = shapes.strided_words(c.from.shape);
  const bool in_parts = by_team && wire_bytes_of(shapes, c.from.shape) >= detail::shape_kernels::piece_bytes;
  if (const auto number = kernels::pair_kernel_for(from, shapes.strided_words(c.to.shape));
      number != kernels::no_pair_kernel && !in_parts)
    return number;
  auto& way = known.of(c.from.shape, c.to.shape);
  if (way != detail::joint_index::unknown) return way;
  const plans::block source = shapes[c.from.shape], target = shapes[c.to.shape];
  detail::joint_shape shape;
  if (source.bytes() == 0) return way = nothing;
  if (!kernels::join(source, target, shape)) return way = buffered;
  way = first_joint + static_cast<std::uint32_t>(joints_.size());
  joints_.push_back({loops_.add(shape), in_parts});
  return way;
}

void detail::direct_copies::run(plans::field_table from, plans::field_table to) const {
  const auto make = [](const kernels::interleaved_copies& together) { together.make(); };
  std::size_t base = 0;
  auto plain = plain_.begin();
  for (std::size_t number = 0; number < lists_.size(); ++number) {
    const auto& list = lists_[number];
    const auto rows = plan_->rows_of(list);
    const auto* const ways = ways_.data() + base;
    if (by_team_[number] != 0) {
      run_by_team(list, base, from, to);
      base += rows.size();
      continue;
    }
    const listed_copies copies{rows, ways, &plan_->shapes, from, to};
    const auto run_until = [&](std::size_t begin, std::size_t end) {
      while (begin < end) {
        while (plain != plain_.end() && plain->end <= base + begin) ++plain;
        const bool is_plain = plain != plain_.end() && plain->begin <= base + begin;
        const auto stop = plain == plain_.end() ? end : std::min(end, (is_plain ? plain->end : plain->begin) - base);
        if (is_plain)
          run_plain(list, begin, stop, ways, from, to);
        else
          run_rows(list, begin, stop, ways, from, to);
        begin = stop;
      }
    };
    kernels::rows_ahead ahead;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto moved = ahead.next(i, rows.size());
      const auto stop = together_.marked.next(base + i, base + moved) - base;
      run_until(i, stop);
      i = stop;
      if (stop < moved && copies.is_moved(i) && !kernels::move_together(copies, base, i, together_, ahead, make))
        run_rows(list, i, i + 1, ways, from, to);
    }
    base += rows.size();
  }
}

void detail::direct_copies::run_plain(const plans::copy_list& list, std::size_t begin, std::size_t end,
                                      const std::uint32_t* ways, plans::field_table from, plans::field_table to) const {
  const auto words_of = plan_->shapes.known_strided_words();
  const auto* c = plan_->rows_of(list).data() + begin;
  const auto* const source = static_cast<const std::byte*>(from[static_cast<std::size_t>(c->from.field)]);
  auto* const target = static_cast<std::byte*>(to[static_cast<std::size_t>(c->to.field)]);
  if (source == nullptr) return;
  for (const auto *way = ways + begin, *last = ways + end; way != last; ++way, ++c)
    kernels::all_pair_kernels[*way](words_of[c->from.shape], words_of[c->to.shape], source + c->from.offset,
                                    target + c->to.offset);
}

/// Makes the copies one after the other.
void detail::direct_copies::run_rows(const plans::copy_list& list, std::size_t begin, std::size_t end,
                                     const std::uint32_t* ways, plans::field_table from, plans::field_table to) const {
  const auto words_of = plan_->shapes.known_strided_words();
  const auto* c = plan_->rows_of(list).data() + begin;
  for (const auto *way = ways + begin, *last = ways + end; way != last; ++way, ++c) {
    const auto* source = static_cast<const std::byte*>(from[static_cast<std::size_t>(c->from.field)]);
    auto* target = static_cast<std::byte*>(to[static_cast<std::size_t>(c->to.field)]);
    if (source == nullptr) continue;
    if (*way < first_joint)
      kernels::all_pair_kernels[*way](words_of[c->from.shape], words_of[c->to.shape], source + c->from.offset,
                                      target + c->to.offset);
    else if (*way < nothing)
      loops_.run(joints_[*way - first_joint].how, source + c->from.offset, target + c->to.offset);
    else if (*way == buffered)
      run_buffered(*c, list.operation, source, target);
  }
}

/// Makes the copies at the same time: each thread makes a part of every long copy, and some consecutive short ones.
void detail::direct_copies::run_by_team(const plans::copy_list& list, std::size_t base, plans::field_table from,
                                        plans::field_table to) const {
  const auto rows = plan_->rows_of(list);
  const auto* const ways = ways_.data() + base;
  const listed_copies copies{rows, ways, &plan_->shapes, from, to};
  const auto& team = kernels_->team();
  const auto is_in_parts = [&](std::uint32_t way) {
    return way >= first_joint && way < nothing && joints_[way - first_joint].in_parts;
  };
  team.run([&](int number) {
    const auto threads = static_cast<std::size_t>(team.size()), thread = static_cast<std::size_t>(number);
    const auto begin = rows.size() * thread / threads, end = rows.size() * (thread + 1) / threads;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto &source = rows[i].from, &target = rows[i].to;
      if (ways[i] == buffered) continue;  // there is only one buffer
      if (!is_in_parts(ways[i])) {
        if (i >= begin && i < end) run_rows(list, i, i + 1, ways, from, to);
        continue;
      }
      if (together_.pairs.has_second(base + i)) continue;
      const auto* const first = static_cast<const std::byte*>(from[static_cast<std::size_t>(source.field)]);
      auto* const into = static_cast<std::byte*>(to[static_cast<std::size_t>(target.field)]);
      if (first == nullptr) continue;
      if (const auto* pair = together_.pairs.at(base + i)) {
        kernels::two_sides(copies, {i, pair->second - base, 0}).make_part(number, team.size());
        continue;
      }
      loops_.run_part(joints_[ways[i] - first_joint].how, first + source.offset, into + target.offset, number,
                      team.size());
    }
  });
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (ways[i] == buffered) run_rows(list, i, i + 1, ways, from, to);
}

void detail::direct_copies::run_buffered(const plans::copy_row& c, int operation, const std::byte* from,
                                         std::byte* to) const {
  if (kernels_->of(c.from).bytes == 0) return;
  kernels_->gather(c.from, kernels_->of(c.from), *code_, from, buffer_.data());
  if (operation == detail::store)
    kernels_->scatter(c.to, kernels_->of(c.to), *code_, buffer_.data(), to);
  else
    kernels_->combine(c.to, code_->reductions[static_cast<std::size_t>(operation)], buffer_.data(), to);
}

}  // namespace wherry
