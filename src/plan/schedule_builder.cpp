#include "wherry/plan/schedule_builder.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "wherry/core/error.hpp"

namespace wherry::plans {
namespace {

/// Gives back memory that was reserved in vain, if there is enough of it to be worth a copy, which itself needs memory.
template <class T> void trim(std::vector<T>& list) {
  if (list.capacity() - list.size() > list.size() / 4) list.shrink_to_fit();
}

}  // namespace

schedule_builder::schedule_builder(std::string_view pattern, int rank, const options& how) : rank_(rank), how_(how) {
  plan_.pattern = pattern;
  plan_.stages.emplace_back();
  copies_.operation = how_.operation;
}

std::int32_t schedule_builder::add_field(field_shape shape) {
  plan_.fields.push_back(std::move(shape));
  return static_cast<std::int32_t>(plan_.fields.size() - 1);
}

block_row schedule_builder::row_of(const block& b) {
  if (how_.mixture == detail::store) return plan_.row_of(b);
  block marked = b;
  marked.operation = static_cast<std::int16_t>(how_.operation);
  return plan_.row_of(marked);
}

void schedule_builder::arrives_by(int operation) {
  if (copies_.operation == operation) return;
  end_copies();
  how_.operation = copies_.operation = operation;
}

bool schedule_builder::before(const part& a, const part& b) {
  return std::tie(a.what, a.peer, a.key) < std::tie(b.what, b.peer, b.key);
}

void schedule_builder::add(role what, int peer, const block& b, const wire_key& key) {
  if (b.bytes() > 0) add(what, peer, row_of(b), key);
}

void schedule_builder::add(role what, int peer, const block_row& row, const wire_key& key) {
  const part added{what, static_cast<std::int16_t>(how_.operation), peer, key, row};
  sorted_ = sorted_ && (parts_.empty() || !before(added, parts_.back()));
  to_itself_ = to_itself_ || peer == rank_;
  parts_.push_back(added);
}

void schedule_builder::copy(const block& from, const block& to) {
  if (to.bytes() > 0) copy(row_of(from), row_of(to));
}

void schedule_builder::end_copies() {
  if (copies_.count > 0) plan_.stages.back().copies.push_back(copies_);
  copies_ = {how_.operation, false, plan_.copies.size()};
}

/// Copies the k-th block that the rank sends to itself to the k-th block that it receives from itself.
void schedule_builder::copy_own() {
  const auto own = [this](role what) {
    const part like{what, detail::store, rank_, {}, {}};
    return std::equal_range(parts_.begin(), parts_.end(), like, [](const part& a, const part& b) {
      return std::tie(a.what, a.peer) < std::tie(b.what, b.peer);
    });
  };
  const auto [from, from_end] = own(role::send);
  const auto [to, to_end] = own(role::receive);
  if (from_end - from != to_end - to)
    throw error(error_kind::argument, plan_.pattern,
                detail::text("the rank sends itself ", from_end - from, " parts, but expects ", to_end - to,
                             " parts from itself"),
                rank_);
  const int now = how_.operation;
  for (auto f = from, t = to; f != from_end; ++f, ++t) {
    arrives_by(t->operation);
    copy(f->row, t->row);
  }
  arrives_by(now);
}

void schedule_builder::end_stage() {
  auto& into = plan_.stages.back();
  if (!sorted_) std::stable_sort(parts_.begin(), parts_.end(), before);
  if (to_itself_) copy_own();
  end_copies();
  plan_.rows.reserve(plan_.rows.size() + parts_.size());
  for (const auto& p : parts_) {
    if (p.peer == rank_) continue;
    auto& list = p.what == role::send ? into.sends : into.receives;
    if (list.empty() || list.back().peer != p.peer) list.push_back({p.peer, p.operation, plan_.rows.size(), 0});
    if (list.back().operation != p.operation) list.back().operation = how_.mixture;
    ++list.back().count;
    plan_.rows.push_back(p.row);
  }
  parts_.clear();
  sorted_ = true;
  to_itself_ = false;
}

void schedule_builder::next_stage() {
  end_stage();
  plan_.stages.emplace_back();
}

schedule schedule_builder::finish() {
  end_stage();
  plan_.shapes.settle();
  plan_.indices.settle();
  trim(plan_.rows);
  trim(plan_.copies);
  return std::move(plan_);
}

}  // namespace wherry::plans
