#include "layered_exchanges.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

#include "wherry/core/settings.hpp"
#include "wherry/device/field_memory.hpp"

#include "arrival.hpp"
#include "core/called.hpp"
#include "plan_indices.hpp"

namespace wherry {
namespace {

void* address_of(const detail::erased_array& array) {
  static std::byte nowhere;
  return array.data != nullptr || array.count > 0 ? array.data : &nowhere;
}

std::string_view call_name(detail::layered_way which) {
  return which == detail::layered_way::all       ? "exchange"
         : which == detail::layered_way::missing ? "exchange_if_needed"
                                                 : "reduce_to_owners";
}

}  // namespace

ghost_layers::state::state(std::shared_ptr<const detail::layer_core> layers, const layer_options& given)
    : core(std::move(layers)), options(given) {}

std::string ghost_layers::state::where() const { return full_name(in_ghost_layers, options.carry.name); }

void ghost_layers::state::fail(error_kind kind, const std::string& what) const {
  throw error(kind, where(), what, rank());
}

std::size_t ghost_layers::state::arrays_end(std::size_t argument) const {
  return argument + 1 < call.arguments.size() ? call.arguments[argument + 1].first : call.arrays.size();
}

std::string ghost_layers::state::name_of(std::size_t argument) const {
  const auto* const marks = call.arguments[argument].marks;
  return full_name(detail::text("field ", argument), marks != nullptr ? (*marks)->name : "");
}

std::uint64_t ghost_layers::state::hash_of(std::size_t argument) const {
  auto hash = first_hash;
  for (auto i = call.arguments[argument].first; i < arrays_end(argument); ++i)
    hash = core->hash_of_owned(call.arrays[i], hash);
  return hash;
}

void ghost_layers::state::check_call(int depth) const {
  if (depth < 1 || depth > core->depth())
    fail(error_kind::argument, detail::text("'depth' is ", depth, ", expected 1 to ", core->depth()));
  for (std::size_t a = 0; a < call.arguments.size(); ++a)
    if (const auto* marks = call.arguments[a].marks; marks != nullptr && (*marks)->layers != core)
      fail(error_kind::argument, detail::text(name_of(a), " was made for other layers than these"));
}

/// @param bound the exchange that will move the arrays, or null. The memory space of arrays that it has moved last is
///        known
void ghost_layers::state::check_arrays(int depth, const bound_layers* bound) const {
  const auto needed = core->elements[static_cast<std::size_t>(depth)];
  for (std::size_t k = 0; k < moving_.size(); ++k) {
    const auto& array = call.arrays[moving_[k].array];
    if (array.count < needed)
      fail(error_kind::argument, detail::text(name_of(moving_[k].field), " has ", array.count, " elements, expected ",
                                              needed, " or more for depth ", depth));
    if (array.space == memory_space::device || (bound != nullptr && bound->table[k] == array.data)) continue;
    if (detail::space_of(array.data, array.space) == memory_space::device)
      fail(error_kind::argument,
           detail::text(name_of(moving_[k].field),
                        " is in device memory: pass a view with the 'space' memory_space::device"));
  }
}

terms ghost_layers::state::terms_of(int depth, way which, bool is_bound) const {
  return terms([this, depth, which, is_bound](auto& say) {
    say(call_name(which), "the call");
    say(depth, "the depth");
    say(call.arguments.size(), "the number of fields");
    for (std::size_t a = 0; a < call.arguments.size(); ++a) {
      say(call.arguments[a].first_layer - 1, "the clean depth of field ", a);
      say(arrays_end(a) - call.arguments[a].first, "the number of arrays of field ", a);
    }
    for (std::size_t i = 0; i < call.arrays.size(); ++i) {
      say(call.arrays[i].element, "the bytes of an element of array ", i);
      say(to_string(call.arrays[i].type), "the element type of array ", i);
    }
    say(is_bound, "whether an exchange of these fields is bound, by their element types, strides and memory spaces");
  });
}

/// With WHERRY_CHECK: finds a field that has clean layers which this call does not fill, although its owned values are
/// no longer those that the ghosts have.
void ghost_layers::state::refuse_changed(int depth, way which) const {
  if (which == way::to_owners) return;
  for (std::size_t a = 0; a < call.arguments.size(); ++a) {
    if (call.arguments[a].marks == nullptr || call.arguments[a].first == arrays_end(a)) continue;
    const auto& marks = **call.arguments[a].marks;
    const auto kept = which == way::missing ? marks.clean : std::max(0, marks.clean - depth);
    if (kept == 0 || marks.hash == 0 || hash_of(a) == marks.hash) continue;
    char address[32];
    std::snprintf(address, sizeof address, "%p", call.arrays[call.arguments[a].first].data);
    fail(error_kind::state, detail::text(name_of(a), " at ", address, " counts as clean to depth ", marks.clean,
                                         ", but its owned values have changed: call mark_written after writing them"));
  }
}

void ghost_layers::state::choose(int depth) {
  moving_.clear();
  kinds_.clear();
  for (std::size_t a = 0; a < call.arguments.size(); ++a) {
    const auto& argument = call.arguments[a];
    if (argument.first_layer > depth) continue;
    for (auto i = argument.first; i < arrays_end(a); ++i) {
      const auto& array = call.arrays[i];
      moving_.push_back({i, a});
      kinds_.push_back(
          {argument.first_layer, array.element, array.stride, array.type, array.space == memory_space::device});
    }
  }
}

ghost_layers::state::bound_layers* ghost_layers::state::find(int depth, bool reverse) {
  const auto found = std::find_if(bound_.begin(), bound_.end(), [&](const auto& one) {
    return one->depth == depth && one->reverse == reverse && one->kinds == kinds_;
  });
  return found == bound_.end() ? nullptr : found->get();
}

ghost_layers::state::bound_layers& ghost_layers::state::bind(int depth, way which) {
  const bool reverse = which == way::to_owners;
  const auto& comm = core->comm;
  plans::functions code;
  plans::schedule steps;
  const auto& carry = options.carry;
  told_as(where(), in_ghost_layers, [&] {
    return collectively_on(terms_of(depth, which, false), comm, in_ghost_layers, [&] {
      check_arrays(depth, nullptr);
      std::map<int, index_lists> lists;  // by the first layer
      std::vector<const index_lists*> list_of;
      std::vector<detail::index_field> fields;
      std::vector<arriving_field> arriving;
      for (std::size_t k = 0; k < moving_.size(); ++k) {
        const auto first = kinds_[k].first_layer;
        if (!lists.contains(first)) lists[first] = core->lists_from(first, depth);
        list_of.push_back(&lists[first]);
        const auto& array = call.arrays[moving_[k].array];
        fields.push_back({name_of(moving_[k].field), array.data, array.element, array.stride,
                          core->elements[static_cast<std::size_t>(depth)],
                          detail::space_of(comm, array.data, array.space), array.type});
        arriving.push_back({fields.back().name, array.type, array.element});
      }
      auto update = reverse ? std::optional(options.update) : std::nullopt;
      auto made = arrival_of(update, arriving, in_ghost_layers, comm.rank());
      code = std::move(made.code);
      steps = plan_indices(list_of, fields, {reverse ? "reverse ghost layers" : in_ghost_layers, reverse},
                           made.operations, comm.rank(), carry.packet_bytes);
      if (reverse) check_reverse(steps, code, comm.rank());
    });
  });
  bound_.push_back(std::make_unique<bound_layers>(
      bound_layers{depth, reverse, kinds_, wherry::exchange(comm, std::move(steps), std::move(code), carry),
                   std::vector<void*>(moving_.size())}));
  return *bound_.back();
}

void ghost_layers::state::start(int depth, way which) {
  check_call(depth);
  for (auto& argument : call.arguments) argument.first_layer = which == way::missing ? (*argument.marks)->clean + 1 : 1;
  choose(depth);
  const bool nothing = which == way::missing && moving_.empty();
  auto* const found = nothing ? nullptr : find(depth, which == way::to_owners);
  if (current_settings().check)
    told_as(where(), in_ghost_layers, [&] {
      return collectively_on(terms_of(depth, which, found != nullptr), core->comm, in_ghost_layers,
                             [&] { refuse_changed(depth, which); });
    });
  if (found != nullptr) check_arrays(depth, found);
  in_flight_ = nothing ? nullptr : found != nullptr ? found : &bind(depth, which);
  if (in_flight_ != nullptr) {
    for (std::size_t k = 0; k < moving_.size(); ++k) in_flight_->table[k] = address_of(call.arrays[moving_[k].array]);
    in_flight_->carried.start(in_flight_->table);
  }
  started = true;
  await(depth, which);
}

void ghost_layers::state::await(int depth, way which) {
  depth_in_flight_ = depth;
  arrivals_.clear();
  for (std::size_t a = 0; a < call.arguments.size(); ++a) {
    const auto& argument = call.arguments[a];
    if (argument.marks == nullptr || argument.first_layer > depth) continue;
    auto& marks = **argument.marks;
    if (which == way::to_owners)
      detail::mark_written(marks, 0);
    else
      arrivals_.push_back({*argument.marks, marks.writes, current_settings().check ? hash_of(a) : 0});
  }
}

void ghost_layers::state::finish() {
  for (const auto& [marks, writes, hash] : arrivals_) {
    if (marks->writes != writes) continue;
    marks->clean = std::max(marks->clean, depth_in_flight_);
    marks->hash = hash;
  }
  arrivals_.clear();
  in_flight_ = nullptr;
  started = false;
}

bool ghost_layers::state::test() {
  if (!started) return true;
  if (in_flight_ != nullptr && !in_flight_->carried.test()) return false;
  finish();
  return true;
}

void ghost_layers::state::wait() {
  if (!started) fail(error_kind::state, "'wait' was called without 'start'");
  if (in_flight_ != nullptr) in_flight_->carried.wait();
  finish();
}

void ghost_layers::state::abandon() noexcept {
  if (!started) return;
  if (in_flight_ == nullptr) return finish();
  in_flight_->carried.abandon();
  given_up = true;
}

exchange_statistics ghost_layers::state::statistics() const {
  exchange_statistics sum;
  for (const auto& one : bound_) sum += one->carried.statistics();
  return sum;
}

std::string ghost_layers::state::explain() const {
  std::string out = detail::text(where(), ": ", core->depth(), " layers\n");
  const auto side = [&](const std::vector<peer_indices>& lists, std::string_view what, std::string_view preposition) {
    std::size_t elements = 0;
    for (const auto& list : lists) elements += list.at.size();
    detail::append(out,
                   detail::text(elements, what, lists.size(), lists.size() == 1 ? " rank" : " ranks", preposition));
  };
  for (int d = 1; d <= core->depth(); ++d) {
    out += detail::text("layer ", d, ": ");
    side(core->layers[static_cast<std::size_t>(d - 1)].receives, " ghosts of ", ", ");
    side(core->layers[static_cast<std::size_t>(d - 1)].sends, " elements for ", "\n");
  }
  for (const auto& one : bound_) {
    out += detail::text(one->reverse ? "to the owners" : "to the ghosts", ", depth ", one->depth, ", from layer");
    for (const auto& kind : one->kinds) out += detail::text(' ', kind.first_layer);
    out += detail::text(":\n", one->carried.explain());
  }
  return out;
}

}  // namespace wherry
