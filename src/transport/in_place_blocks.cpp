#include "in_place_blocks.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "wherry/plan/schedule_builder.hpp"

#include "core/cache_line.hpp"
#include "plan/shape_figures.hpp"

namespace wherry {
namespace {

// The list that a sender makes has, for each block, its place, field and offset, and then its shape. A shape of small
// numbers is stored as in a shape table, and begins with its number of loops. Otherwise `whole_block` and the whole
// block follow, or only `same_shape` if the block before has the same shape.
constexpr std::int32_t whole_block = -1, same_shape = -2;
constexpr std::size_t place_words = 4, block_words = (sizeof(plans::block) + 3) / 4;

/// Walks along a list that `shareable_blocks` has made.
class shared_block_reader {
 public:
  explicit shared_block_reader(std::span<const std::int32_t> words) : at_(words.data()), end_(at_ + words.size()) {}

  bool next() {
    if (at_ == end_) return false;
    place_ = at_;
    at_ += place_words;
    const auto head = *at_;
    if (head != same_shape) shape_ = at_;
    at_ += head == same_shape ? 1 : head == whole_block ? 1 + block_words : 3 + 2 * static_cast<std::size_t>(head);
    return true;
  }
  std::size_t place() const { return static_cast<std::uint32_t>(place_[0]); }
  std::int64_t run() const { return is_small() ? shape_[1] : what().run; }
  plans::block what() const {
    plans::block b;
    if (is_small()) {
      b.loops = static_cast<std::int8_t>(shape_[0]);
      b.run = shape_[1];
      b.element = shape_[2];
      for (std::size_t d = 0; d < static_cast<std::size_t>(b.loops); ++d)
        b.loop[d] = {shape_[3 + 2 * d], shape_[4 + 2 * d]};
    } else {
      std::memcpy(static_cast<void*>(&b), shape_ + 1, sizeof b);
    }
    b.field = place_[1];
    std::memcpy(&b.offset, place_ + 2, sizeof b.offset);
    return b;
  }

 private:
  bool is_small() const { return shape_[0] >= 0; }

  const std::int32_t *at_, *end_, *place_ = nullptr, *shape_ = nullptr;
};

class shared_block_writer {
 public:
  void add(std::size_t place, const plans::block_row& row, const plans::schedule& plan) {
    const small_shape small(plan.shapes, row.shape);
    const plans::block whole = small ? plans::block{} : plan.shapes[row.shape];
    if (whole.kind != plans::block::form::strided) return;
    add_place(place, row);
    if (before_ == row.shape) return words_.push_back(same_shape);
    before_ = row.shape;
    if (small) {
      words_.insert(words_.end(), small.words(), small.words() + small.length());
      return;
    }
    words_.push_back(whole_block);
    const auto at = words_.size();
    words_.resize(at + block_words);
    std::memcpy(words_.data() + at, &whole, sizeof whole);
  }

  std::vector<std::int32_t> finish() { return std::move(words_); }

 private:
  void add_place(std::size_t place, const plans::block_row& row) {
    std::int32_t offset[2];
    std::memcpy(offset, &row.offset, sizeof offset);
    words_.insert(words_.end(), {static_cast<std::int32_t>(place), row.field, offset[0], offset[1]});
  }

  std::vector<std::int32_t> words_;
  std::uint32_t before_ = std::numeric_limits<std::uint32_t>::max();
};

}  // namespace

std::vector<std::int32_t> shareable_blocks(const plans::message& m, const transports::bind_request& request,
                                           bool any_host_memory) {
  const auto rows = request.plan.rows_of(m);
  if (request.snapshot || rows.size() > std::numeric_limits<std::uint32_t>::max()) return {};
  shared_block_writer result;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto space = request.plan.fields[static_cast<std::size_t>(rows[i].field)].space;
    if (space == memory_space::node_shared || (any_host_memory && space == memory_space::host))
      result.add(i, rows[i], request.plan);
  }
  return result.finish();
}

namespace {

/// Calls `visit(place in the message, from, to)` for each block that can be read in place.
template <class Visit>
void for_each_in_place(std::span<const std::int32_t> theirs, const plans::message& mine,
                       const transports::bind_request& request, std::int64_t row, const Visit& visit) {
  if (mine.operation != detail::store) return;
  const auto rows = request.plan.rows_of(mine);
  for (shared_block_reader sent(theirs); sent.next();) {
    if (sent.run() < row) continue;
    const auto from = sent.what(), to = request.plan.what(rows[sent.place()]);
    if (to.kind != plans::block::form::strided || to.run < row || from.bytes() != to.bytes()) continue;
    visit(sent.place(), from, to);
  }
}

/// @param group_of gives for a field of the sender the number of its group, counted from 1; 0: its blocks are not read
///   in place
template <class GroupOf>
std::vector<std::uint8_t> choose(std::span<const std::int32_t> theirs, const plans::message& mine,
                                 const transports::bind_request& request, std::int64_t row, planned_copies& copies,
                                 const GroupOf& group_of) {
  std::vector<std::uint8_t> chosen;
  plans::schedule_builder pairs(request.plan.pattern, request.comm.rank());
  for_each_in_place(theirs, mine, request, row,
                    [&](std::size_t place, const plans::block& from, const plans::block& to) {
                      const std::uint8_t group = group_of(from.field);
                      if (group == 0) return;
                      chosen.resize(mine.count, 0);
                      chosen[place] = group;
                      pairs.copy(from, to);
                    });
  if (!chosen.empty()) copies = planned_copies(pairs.finish(), request.kernels.team());
  return chosen;
}

}  // namespace

std::vector<std::uint8_t> choose_in_place(std::span<const std::int32_t> theirs, const plans::message& mine,
                                          const transports::bind_request& request, std::int64_t row,
                                          planned_copies& copies) {
  return choose(theirs, mine, request, row, copies, [](std::int32_t) { return std::uint8_t{1}; });
}

std::vector<std::uint8_t> choose_in_place_by_field(std::span<const std::int32_t> theirs, const plans::message& mine,
                                                   const transports::bind_request& request, std::int64_t row,
                                                   std::vector<std::int32_t>& fields, planned_copies& copies) {
  constexpr std::size_t most = std::numeric_limits<std::uint8_t>::max();
  return choose(theirs, mine, request, row, copies, [&](std::int32_t field) {
    const auto known = std::find(fields.begin(), fields.end(), field);
    const auto group = static_cast<std::size_t>(known - fields.begin()) + 1;
    if (group > most) return std::uint8_t{0};
    if (known == fields.end()) fields.push_back(field);
    return static_cast<std::uint8_t>(group);
  });
}

message_parts::message_parts(const plans::message& m, std::vector<std::uint8_t> chosen,
                             const transports::bind_request& request)
    : staged(m, request.plan, request.kernels, request.code), direct(std::move(chosen)) {
  if (!direct.empty()) {
    in_place = staged;
    in_place.choose(direct, 1);
    staged.choose(direct, 0);
  }
  in_place_offset = in_lines(staged.bytes());
}

}  // namespace wherry
