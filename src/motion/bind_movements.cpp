#include "bind_movements.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "wherry/core/settings.hpp"
#include "wherry/plan/schedule_builder.hpp"

#include "core/collective.hpp"
#include "core/terms.hpp"
#include "staged_motions.hpp"

namespace wherry {
namespace {

constexpr const char* in_bind_movements = "mover";

/// Calls `visit` for the source and the destination of each movement in turn.
template <class Visit> void for_each_array(std::span<const detail::mover_stage> stages, Visit&& visit) {
  for (const auto& stage : stages)
    for (const auto& m : stage) {
      visit(m.source());
      visit(m.destination());
    }
}

/// A movement of the list.
struct member {
  const movement* what;
  const detail::bound_array *source, *destination;
  std::size_t stage;
  std::string name;                                // for error texts; empty if it is the only movement
  const reduction* wanted = nullptr;               // the update that the user wants
  const plans::typed_reduction* update = nullptr;  // on the destination's elements
  int operation = detail::store;                   // index of the update among all

  const detail::array_facts& source_facts() const { return what->motion().source; }
  const detail::array_facts& destination_facts() const { return what->motion().destination; }
  [[noreturn]] void fail(std::string_view problem) const {
    throw error(error_kind::argument, in_bind_movements, detail::text(name, name.empty() ? "" : ": ", problem),
                what->comm().rank());
  }
};

class movement_list {
 public:
  movement_list(std::span<const detail::mover_stage> stages, std::span<const detail::bound_array> arrays,
                const mover_options& how)
      : stages_(stages), how_(how) {
    for (std::size_t s = 0; s < stages.size(); ++s)
      for (std::size_t m = 0; m < stages[s].size(); ++m, arrays = arrays.subspan(2))
        add({&stages[s][m], &arrays[0], &arrays[1], s, name_of(s, m)});
  }

  const communicator& comm() const { return members_.front().what->comm(); }
  bool empty() const { return members_.empty(); }

  /// States everything that must be the same on all ranks. The kind of update is not stated here, because the two sides
  /// of each message compare it.
  template <class Say> void say_all(Say& say) const {
    say(stages_.size(), "the number of stages");
    for (std::size_t s = 0; s < stages_.size(); ++s) say(stages_[s].size(), "the number of movements of stage ", s);
    say(how_.carry.packet_bytes, "'packet_bytes'");
    say(static_cast<bool>(how_.inspected), "whether there is an 'inspected'");
    for (const auto& m : members_) {
      const std::string of = m.name.empty() ? "" : " in " + m.name;
      say(m.what->motion().stages, "the number of stages of the motions", of);
      say(m.source_facts().dimensions, "the number of dimensions", of);
      say(m.update != nullptr || m.wanted != nullptr, "whether there is an 'update'", of);
      say_array(m.source_facts(), "the source" + of, say);
      say_array(m.destination_facts(), "the destination" + of, say);
      say(m.what->motion().word, "the floor plans, widths, domain or stencil that the motions are made of", of,
          " (as a word)");
    }
  }

  plans::functions code() const {
    plans::functions result;
    for (const auto& m : members_)
      if (m.operation == static_cast<int>(result.reductions.size())) result.reductions.push_back(*m.update);
    if (several_operations()) result.reductions.push_back(plans::operations_by_block(result.reductions));
    return result;
  }

  /// Makes this rank's schedule. @throws error(argument)
  plans::schedule plan() const {
    check();
    plans::schedule_builder into(in_bind_movements, comm().rank(),
                                 {detail::store, several_operations() ? operations_ : detail::store});
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const auto& m = members_[i];
      if (m.source->same_as == 2 * i) add_fields(m.source_facts(), into);
      if (m.destination->same_as == 2 * i + 1) add_fields(m.destination_facts(), into);
    }
    add_staged(staged(into), into);
    return into.finish();
  }

  /// Compares the entries of all motions. Collective.
  void compare() const {
    for (const auto& m : members_)
      for (std::size_t step = 0; m.what->motion().compare && step < m.what->motion().stages; ++step)
        m.what->motion().compare(step, comm());
  }

 private:
  std::string name_of(std::size_t stage, std::size_t number) const {
    if (stages_.size() > 1) return detail::text("movement ", number, " of stage ", stage);
    return stages_[stage].size() > 1 ? detail::text("movement ", number) : std::string();
  }

  void add(member m) {
    const auto& own = m.what->update();
    if (const auto& wanted = own ? own : how_.update) m.wanted = &*wanted;
    if (m.wanted != nullptr)
      m.update = m.wanted->on(m.destination_facts().type);
    else if (m.what->conversion())
      m.update = &*m.what->conversion();
    // Movements that use the mover's update share one operation.
    const auto same =
        std::find_if(members_.begin(), members_.end(), [&](const member& o) { return o.update == m.update; });
    if (m.update != nullptr) m.operation = same != members_.end() ? same->operation : operations_++;
    members_.push_back(std::move(m));
  }

  bool several_operations() const {
    return std::any_of(members_.begin(), members_.end(),
                       [this](const member& m) { return m.operation != members_.front().operation; });
  }

  template <class Say> static void say_array(const detail::array_facts& a, const std::string& name, Say& say) {
    say(a.element, "the bytes of an element of ", name);
    say(a.components, "the number of components of ", name);
    say(a.interleaved, "whether the components are interleaved in ", name);
    say(a.boxes, "the number of boxes of ", name);
    for (std::size_t d = 0; d < static_cast<std::size_t>(a.dimensions); ++d)
      say(a.layout[d], "the layout of ", name, " in dimension ", d);
    say.many(a.floor, [&](auto& tell) {
      tell(a.floor != 0, "whether the floor plan of ", name, " is complete");
      if (!a.parts_of_floor) return tell(a.floor, "the floor plan of ", name);
      for (const auto& [part, value] : a.parts_of_floor()) tell(value, part, " of the floor plan of ", name);
    });
  }

  void check() const {
    const auto fail = [&](std::string_view problem) {
      throw error(error_kind::argument, in_bind_movements, problem, comm().rank());
    };
    if (how_.in_parts && how_.carry.snapshot)
      fail("'snapshot' cannot be used with parts, because a snapshot is sent as a whole at start");
    for (std::size_t s = 0; s < stages_.size(); ++s)
      if (stages_[s].empty()) fail(detail::text("stage ", s, " has no movements"));
    if (operations_ >= std::numeric_limits<std::int16_t>::max())
      fail(detail::text("there are ", operations_, " updates, expected fewer than 32767"));
    for (const auto& m : members_) {
      if (m.what->motion().stages == 0) m.fail("its motions have no stages");
      if (m.what->comm().size() != comm().size() || m.what->comm().rank() != comm().rank())
        m.fail(detail::text("its arrays belong to rank ", m.what->comm().rank(), " of ", m.what->comm().size(),
                            ", but those before it to rank ", comm().rank(), " of ", comm().size()));
      check_elements(m);
    }
  }

  static void check_elements(const member& m) {
    const auto &source = m.source_facts(), &destination = m.destination_facts();
    if (source.components != destination.components)
      m.fail(detail::text("the source has ", source.components, " components, and the destination has ",
                          destination.components));
    if (m.wanted != nullptr && m.update == nullptr)
      m.fail(detail::text("the update '", m.wanted->name(), "' has no meaning for elements that are ",
                          to_string(destination.type), "; make_reduction makes one of a function of yours"));
    if (!m.update) return;
    const auto& op = *m.update;
    const auto element = static_cast<index_t>(op.element), arriving = static_cast<index_t>(op.arriving());
    if (element == arriving ? source.element != destination.element || destination.element % element != 0
                            : destination.element != element || source.element != arriving)
      m.fail(detail::text("the update '", op.name, "' makes elements of ", element, " bytes from ", arriving,
                          ", but the destination has elements of ", destination.element, " and the source of ",
                          source.element));
  }

  static void add_fields(const detail::array_facts& facts, plans::schedule_builder& into) {
    for (const auto bytes : facts.bytes)
      into.add_field({std::string(facts.name), facts.element, 0, bytes, facts.space, facts.type, nullptr});
  }

  std::vector<staged_motion> staged(plans::schedule_builder& into) const {
    std::vector<staged_motion> list;
    list.reserve(members_.size());
    for (const auto& m : members_)
      list.push_back({&m.what->motion(),
                      {into, comm().rank(), static_cast<std::int32_t>(m.source->first),
                       static_cast<std::int32_t>(m.destination->first), m.source->same_as == m.destination->same_as,
                       m.operation != detail::store, list.size(), how_.carry.packet_bytes, m.name},
                      m.stage,
                      m.operation});
    return list;
  }

  std::span<const detail::mover_stage> stages_;
  const mover_options& how_;
  std::vector<member> members_;
  int operations_ = 0;
};

}  // namespace

std::vector<detail::bound_array> list_arrays(std::span<const detail::mover_stage> stages) {
  std::vector<const void*> shapes;
  std::vector<detail::bound_array> arrays;
  std::size_t end = 0;
  for_each_array(stages, [&](const detail::moved_array& a) {
    const auto found = static_cast<std::size_t>(std::find(shapes.begin(), shapes.end(), a.shape) - shapes.begin());
    const bool is_new = found == shapes.size();
    shapes.push_back(a.shape);
    arrays.push_back({a.fingerprint, found, is_new ? end : arrays[found].first, a.memory.size(), a.figures(a.shape)});
    if (is_new) end += a.memory.size();
  });
  return arrays;
}

std::vector<void*> table_of(std::span<const detail::mover_stage> stages, std::span<const detail::bound_array> arrays) {
  std::vector<void*> table;
  std::size_t i = 0;
  for_each_array(stages, [&](const detail::moved_array& a) {
    if (arrays[i].same_as == i) table.insert(table.end(), a.memory.begin(), a.memory.end());
    ++i;
  });
  return table;
}

exchange bind_movements(std::span<const detail::mover_stage> stages, std::span<const detail::bound_array> arrays,
                        std::span<void* const> table, const mover_options& how) {
  const movement_list list(stages, arrays, how);
  if (list.empty()) throw error(error_kind::argument, in_bind_movements, "'movements' is empty, expected at least one");
  const auto& comm = list.comm();
  plans::schedule plan;
  collectively_on(terms([&](auto& say) { list.say_all(say); }), comm, in_bind_movements, [&] { plan = list.plan(); });
  if (how.inspected) {
    for (auto& stage : plan.stages)
      for (auto& copies : stage.copies) copies.inspected = false;  // the user's function may change the copies
    detail::collectively(comm, in_bind_movements, [&] { how.inspected(plan); });
  }
  exchange bound(comm, std::move(plan), list.code(), how.carry);
  bound.set_fields(table);
  if (current_settings().check) list.compare();
  return bound;
}

}  // namespace wherry
