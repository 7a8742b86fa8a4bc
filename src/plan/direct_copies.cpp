#include <algorithm>
#include <bit>

#include "wherry/core/error.hpp"
#include "wherry/core/hash.hpp"
#include "wherry/plan/copy_engine.hpp"

#include "interleaved.hpp"
#include "kernels.hpp"
#include "shape_figures.hpp"

namespace wherry {
namespace {

constexpr std::uint32_t buffered = ~std::uint32_t{0}, nothing = buffered - 1;
constexpr std::uint32_t first_joint = kernels::pair_kernels;

std::byte* place_of(const block_row& row, field_table fields) {
  return static_cast<std::byte*>(fields[static_cast<std::size_t>(row.field)]) + row.offset;
}

/// Makes this copy and those after it that lie between it on both sides, which are noted. Mostly there are none, which
/// is to be seen at once. False: nothing was made.
bool copy_interleaved(std::span<const copy_row> rows, std::size_t index, const std::uint32_t* ways,
                      const shape_table& shapes, field_table from, field_table to, kernels::rows_ahead& ahead) {
  const auto& first = rows[index];
  const auto *from_words = shapes.strided_words(first.from.shape), *to_words = shapes.strided_words(first.to.shape);
  if (!kernels::leaves_gaps(from_words) || !kernels::leaves_gaps(to_words)) return false;
  kernels::interleaved_copies together;
  together.add(place_of(first.from, from), place_of(first.to, to));
  const kernels::row_ranges reads(from_words), writes(to_words);
  kernels::rows_before before(kernels::is_nested(to_words));
  before.add_joined(reads.of(from_words, together.from[0]), writes.of(to_words, together.to[0]));
  const auto end = std::min(rows.size(), index + kernels::rows_ahead::most);
  for (auto i = index + 1; i < end && together.count < together.most; ++i) {
    const auto& next = rows[i];
    if (from[static_cast<std::size_t>(next.from.field)] == nullptr) continue;
    const auto *source = place_of(next.from, from), *last = together.from[together.count - 1];
    auto* const target = place_of(next.to, to);
    const auto read = reads.of(shapes.strided_words(next.from.shape), source),
               written = writes.of(shapes.strided_words(next.to.shape), target);
    if (ways[i] == ways[index] && next.from.shape == first.from.shape && next.to.shape == first.to.shape &&
        next.from.field != first.from.field && kernels::lies_between(from_words, together.from[0], last, source) &&
        kernels::lies_between(to_words, together.to[0], together.to[together.count - 1], target) && !ahead.has(i) &&
        before.let_join(read, written)) {
      together.add(source, target);
      ahead.add(i);
      before.add_joined(read, written);
    } else if (!before.add_passed(read, written)) {
      break;
    }
  }
  if (together.count == 1) return false;
  kernels::set_walk(together, from_words, to_words);
  together.make();
  return true;
}

}  // namespace

/// Which pairs of shapes have been joined, so that each is compiled and kept once. Used while binding only.
class joint_index {
 public:
  static constexpr std::uint32_t unknown = buffered - 2;

  /// @param copies how many there are: what is remembered grows with them
  explicit joint_index(std::size_t copies)
      : lately_(std::clamp<std::size_t>(std::bit_ceil(copies / 16 + 1), 8, 4096)) {}

  /// Of the pairs met lately; `unknown` for all others.
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

direct_copies::direct_copies(std::span<const copy_list> lists, const schedule& plan, shape_kernels& kernels,
                             const functions& code, bool careful)
    : lists_(lists), plan_(&plan), kernels_(&kernels), code_(&code) {
  std::size_t count = 0;
  for (const auto& list : lists_) count += list.count;
  joint_index known(count);
  ways_.reserve(count);
  for (const auto& list : lists_)
    for (const auto& c : plan.rows_of(list)) {
      const bool direct = list.operation == store && !list.overlaps && !(careful && c.from.field != c.to.field);
      if (direct) {
        auto& way = known.lately(c.from.shape, c.to.shape);
        ways_.push_back(way != joint_index::unknown ? way : way = way_of(c, known));
      } else {
        ways_.push_back(buffered);
      }
      if (ways_.back() != buffered) continue;
      kernels.require(c.from.shape);
      kernels.require(c.to.shape);
      buffer_.resize(std::max(buffer_.size(), kernels.of(c.from).bytes));
    }
}

std::uint32_t direct_copies::way_of(const copy_row& c, joint_index& known) {
  const auto& shapes = plan_->shapes;
  const auto* from = shapes.strided_words(c.from.shape);
  const bool by_team = kernels_->team().size() > 1 &&
                       kernels_->is_for_team(static_cast<std::size_t>(wire_bytes_of(shapes, c.from.shape)));
  if (const auto number = kernels::pair_kernel_for(from, shapes.strided_words(c.to.shape));
      number != kernels::no_pair_kernel && !by_team)
    return number;
  auto& way = known.of(c.from.shape, c.to.shape);
  if (way != joint_index::unknown) return way;
  const block source = shapes[c.from.shape], target = shapes[c.to.shape];
  joint_shape shape;
  if (source.bytes() == 0) return way = nothing;
  if (!kernels::join(source, target, shape)) return way = buffered;
  way = first_joint + static_cast<std::uint32_t>(joints_.size());
  joints_.push_back({loops_.add(shape), by_team});
  return way;
}

void direct_copies::run(field_table from, field_table to) const {
  const auto* way = ways_.data();
  const auto& shapes = plan_->shapes;
  for (const auto& list : lists_) {
    const auto rows = plan_->rows_of(list);
    const auto* const ways = way;
    way += rows.size();
    kernels::rows_ahead ahead;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto& c = rows[i];
      const auto number = ways[i];
      if (from[static_cast<std::size_t>(c.from.field)] == nullptr) continue;
      if (ahead.reach(i) || (number < first_joint && copy_interleaved(rows, i, ways, shapes, from, to, ahead)))
        continue;
      const auto* source = static_cast<const std::byte*>(from[static_cast<std::size_t>(c.from.field)]);
      auto* target = static_cast<std::byte*>(to[static_cast<std::size_t>(c.to.field)]);
      if (number < first_joint)
        kernels::all_pair_kernels[number](shapes.strided_words(c.from.shape), shapes.strided_words(c.to.shape),
                                          source + c.from.offset, target + c.to.offset);
      else if (number < nothing)
        run_joint(joints_[number - first_joint], source + c.from.offset, target + c.to.offset);
      else if (number == buffered)
        run_buffered(c, list.operation, source, target);
    }
  }
}

/// One after the other, also by a team: what one writes the next may read.
void direct_copies::run_joint(const joint& what, const std::byte* from, std::byte* to) const {
  if (!what.by_team) return loops_.run(what.how, from, to);
  const auto& team = kernels_->team();
  team.run([&](int number) { loops_.run_part(what.how, from, to, number, team.size()); });
}

void direct_copies::run_buffered(const copy_row& c, int operation, const std::byte* from, std::byte* to) const {
  if (kernels_->of(c.from).bytes == 0) return;
  kernels_->gather(c.from, kernels_->of(c.from), *code_, from, buffer_.data());
  if (operation == store)
    kernels_->scatter(c.to, kernels_->of(c.to), *code_, buffer_.data(), to);
  else
    kernels_->combine(c.to, code_->reductions[static_cast<std::size_t>(operation)], buffer_.data(), to);
}

}  // namespace wherry
