#include "schedule_of.hpp"

#include <algorithm>
#include <string>

#include "wherry/core/error.hpp"

namespace wherry::collective {
namespace {

constexpr std::int32_t input_field = 0, work_field = 1;
constexpr int operation_of(arrival how) {
  return how == arrival::store ? wherry::detail::store : how == arrival::combine_after ? 0 : 1;
}
constexpr std::int32_t field_of(buffer where) { return where == buffer::input ? input_field : work_field; }

class converter {
 public:
  converter(const algorithm& what, const place& at, std::span<const std::int64_t> work_bytes,
            std::span<const std::int64_t> input_bytes)
      : what_(what), at_(at), title_(std::string(what.name) + " " + std::string(name_of(what.pattern))) {
    plan_.pattern = title_;
    add_field("input", input_bytes.empty() ? work_bytes : input_bytes, begins_[0]);
    add_field("work", work_bytes, begins_[1]);
  }

  plans::schedule convert() {
    collective::stage now;
    for (int k = 0; k < what_.stages(at_); ++k) {
      what_.make_stage(at_, k, now);
      plan_.stages.emplace_back();
      for (const auto& t : now.sends) add_message(plan_.stages.back().sends, now, t, wherry::detail::store);
      for (const auto& t : now.receives) receive(now, t);
      sort(plan_.stages.back().sends);
      sort(plan_.stages.back().receives);
    }
    return std::move(plan_);
  }

 private:
  void add_field(const char* name, std::span<const std::int64_t> bytes, std::vector<std::int64_t>& begins) {
    if (std::ssize(bytes) != what_.blocks(at_))
      throw error(error_kind::argument, title_,
                  wherry::detail::text("'", name, "' has ", bytes.size(), " sizes, expected ", what_.blocks(at_),
                                       ", one for each block"),
                  at_.rank);
    begins = {0};
    constexpr wherry::detail::checked sum{"collective", "number of bytes"};
    for (const auto b : bytes) {
      if (b < 0)
        throw error(error_kind::argument, title_,
                    wherry::detail::text("'", name, "' has a block of ", b, " bytes, expected 0 or more"), at_.rank);
      begins.push_back(sum.sum(begins.back(), b));
    }
    plan_.fields.push_back({.name = name, .element = 1, .lowest = 0, .highest = begins.back()});
  }

  plans::block block_of(const block_range& r, std::int32_t field) const {
    const auto& begins = begins_[static_cast<std::size_t>(field)];
    const auto first = begins[static_cast<std::size_t>(r.first)],
               end = begins[static_cast<std::size_t>(r.first + r.count)];
    plans::block one;
    one.field = field;
    one.offset = first;
    one.run = end - first;
    return one;
  }

  void add_message(std::vector<plans::message>& to, const collective::stage& from, const transfer& t, int operation) {
    std::vector<plans::block> blocks;
    const bool send = &to == &plan_.stages.back().sends;
    for (const auto& r : from.ranges_of(t)) blocks.push_back(block_of(r, send ? field_of(r.where) : work_field));
    to.push_back(plan_.make_message(t.peer, operation, blocks));
  }

  void receive(const collective::stage& from, const transfer& t) {
    auto& stage = plan_.stages.back();
    const bool own = t.peer == at_.rank;
    for (const auto& r : from.ranges_of(t)) {
      if (own)
        add_copy(r, operation_of(t.how));
      else if (t.how != arrival::store && r.where == buffer::input)
        add_copy(r, wherry::detail::store);
    }
    if (!own) add_message(stage.receives, from, t, operation_of(t.how));
  }

  void add_copy(const block_range& r, int operation) {
    const auto to = block_of(r, work_field);
    if (to.run > 0) plan_.add_copy(plan_.stages.back(), {block_of(r, input_field), to, operation});
  }

  static void sort(std::vector<plans::message>& list) {
    std::sort(list.begin(), list.end(),
              [](const plans::message& a, const plans::message& b) { return a.peer < b.peer; });
  }

  const algorithm& what_;
  place at_;
  std::string title_;
  std::vector<std::int64_t> begins_[2];
  plans::schedule plan_;
};

}  // namespace

plans::schedule schedule_of(const algorithm& what, const place& at, std::span<const std::int64_t> work_bytes,
                            std::span<const std::int64_t> input_bytes) {
  return converter(what, at, work_bytes, input_bytes).convert();
}

}  // namespace wherry::collective
