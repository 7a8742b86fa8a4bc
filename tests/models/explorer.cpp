#include "explorer.hpp"

#include <algorithm>
#include <deque>
#include <span>
#include <unordered_map>

#include "core/xxhash3.hpp"

namespace models {
namespace {

struct suspended {};  // a thread that has had its turn

explorer* the_current = nullptr;

bool acquires(std::memory_order order) {
  return order == std::memory_order_acquire || order == std::memory_order_acq_rel;
}
bool releases(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel;
}

void forbid_what_is_not_modelled(std::memory_order order) {
  if (order == std::memory_order_seq_cst || order == std::memory_order_consume)
    throw std::logic_error("the explorer does not know this memory order");
}

std::uint8_t after(std::size_t count) {
  if (count >= 255) throw std::logic_error("too long a program for the explorer");
  return static_cast<std::uint8_t>(count + 1);
}

template <class T> void append_bytes(std::string& to, const T* values, std::size_t count) {
  to.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

}  // namespace

void require(bool holds, const std::string& what) {
  if (!holds) throw fault(what);
}

void view::join(const view& other) {
  for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = std::max(seen[i], other.seen[i]);
  for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], other.clock[i]);
}

explorer::explorer() : outer_(std::exchange(the_current, this)) {}
explorer::~explorer() { the_current = outer_; }
explorer& explorer::current() { return *the_current; }

// --------------------------------------------------------------------------------------------------------- the memory

int explorer::make_atomic(word initial) {
  if (initial_.atomics.size() == most_atomics) throw std::logic_error("too many words for the explorer");
  initial_.atomics.push_back({{initial, false, {}}});
  return static_cast<int>(initial_.atomics.size()) - 1;
}

int explorer::make_plain(word initial) {
  initial_.plains.push_back({.value = initial});
  return static_cast<int>(initial_.plains.size()) - 1;
}

bool explorer::is_planted(int place, damage what) const {
  const auto [first, last] = planted_.equal_range(place);
  return std::any_of(first, last, [what](const auto& entry) { return entry.second == what; });
}

std::string explorer::name_of(int place) const {
  const auto found = names_.find(place);
  return found != names_.end() ? found->second : "word " + std::to_string(place);
}

word explorer::load(int place, std::memory_order order) {
  if (now_ == nullptr) return initial_.atomics[static_cast<std::size_t>(place)].front().value;
  if (replaying()) return replayed();
  forbid_what_is_not_modelled(order);
  const auto& versions = now_->atomics[static_cast<std::size_t>(place)];
  auto& seen = me().knows.seen[static_cast<std::size_t>(place)];
  take_turn(static_cast<int>(versions.size()) - seen);
  const auto& chosen = versions[versions.size() - 1 - static_cast<std::size_t>(alternative_)];
  seen = static_cast<std::uint8_t>(versions.size() - 1 - static_cast<std::size_t>(alternative_));
  if (acquires(order) && !is_planted(place, damage::weak_load)) me().knows.join(chosen.released);
  const word value = chosen.value + (is_planted(place, damage::one_more) ? 1 : 0);
  tell("loads " + name_of(place) + ", finds " + std::to_string(value) +
       (alternative_ > 0 ? ", which is " + std::to_string(alternative_) + " behind" : ""));
  remember(value);
  return value;
}

void explorer::append(int place, const version& fresh, bool releasing) {
  auto& versions = now_->atomics[static_cast<std::size_t>(place)];
  auto& mine = me().knows;
  mine.seen[static_cast<std::size_t>(place)] = after(versions.size() - 1);
  versions.push_back(fresh);
  if (!releasing) return;
  auto& clock = mine.clock[static_cast<std::size_t>(thread_)];
  clock = after(clock);
  versions.back().released.join(mine);
}

void explorer::store(int place, word value, std::memory_order order) {
  if (replaying()) return static_cast<void>(replayed());
  forbid_what_is_not_modelled(order);
  take_turn(1);
  tell("stores " + std::to_string(value) + " into " + name_of(place));
  const auto& versions = now_->atomics[static_cast<std::size_t>(place)];
  require(std::all_of(versions.begin() + me().knows.seen[static_cast<std::size_t>(place)] + 1, versions.end(),
                      [](const version& other) { return other.by_exchange; }),
          "two stores into " + name_of(place) + " that nothing orders");
  append(place, {value, false, {}}, releases(order) && !is_planted(place, damage::weak_store));
  remember(0);
}

bool explorer::compare_exchange(int place, word& expected, word desired, std::memory_order order) {
  if (replaying()) {
    expected = replayed();
    return replayed() != 0;
  }
  forbid_what_is_not_modelled(order);
  const auto& versions = now_->atomics[static_cast<std::size_t>(place)];
  auto& seen = me().knows.seen[static_cast<std::size_t>(place)];
  take_turn(static_cast<int>(versions.size()) - seen);
  const auto index = versions.size() - 1 - static_cast<std::size_t>(alternative_);
  const version chosen = versions[index];
  const bool exchanges = chosen.value == expected || is_planted(place, damage::blind_exchange);
  tell("compares " + name_of(place) + " with " + std::to_string(expected) + ", finds " + std::to_string(chosen.value) +
       (exchanges ? ", makes it " + std::to_string(desired) : ""));
  if (exchanges) {
    // Nothing comes between what an exchange reads and what it writes.
    if (index + 1 != versions.size()) {
      require(versions[index + 1].by_exchange,
              "a store into " + name_of(place) + " and an exchange that nothing orders");
      throw suspended{};
    }
    if (acquires(order) && !is_planted(place, damage::weak_load)) me().knows.join(chosen.released);
    append(place, {desired, true, chosen.released}, releases(order) && !is_planted(place, damage::weak_store));
  } else {
    seen = static_cast<std::uint8_t>(index);
    if (acquires(order) && !is_planted(place, damage::weak_load)) me().knows.join(chosen.released);
  }
  expected = chosen.value;
  remember(chosen.value);
  remember(exchanges ? 1 : 0);
  return exchanges;
}

/// Nothing comes between what it reads, the newest value there is, and what it writes.
template <class NextOf> word explorer::replace_newest(int place, std::memory_order order, NextOf&& next_of) {
  if (replaying()) return replayed();
  forbid_what_is_not_modelled(order);
  take_turn(1);
  const version newest = now_->atomics[static_cast<std::size_t>(place)].back();
  const word next = next_of(newest.value);
  tell("takes " + std::to_string(newest.value) + " from " + name_of(place) + ", leaves " + std::to_string(next));
  if (acquires(order) && !is_planted(place, damage::weak_load)) me().knows.join(newest.released);
  append(place, {next, true, newest.released}, releases(order) && !is_planted(place, damage::weak_store));
  remember(newest.value);
  return newest.value;
}

word explorer::exchange(int place, word desired, std::memory_order order) {
  return replace_newest(place, order, [=](word) { return desired; });
}

word explorer::fetch_add(int place, word addend, std::memory_order order) {
  return replace_newest(place, order, [=](word value) { return value + addend; });
}

word explorer::read(int place) {
  if (replaying()) return replayed();
  auto& p = now_->plains[static_cast<std::size_t>(place)];
  const auto& clock = me().knows.clock;
  require(p.writer == thread_ || p.written <= clock[p.writer],
          "a data race: a plain word is read while another thread writes it");
  p.read[static_cast<std::size_t>(thread_)] = after(clock[static_cast<std::size_t>(thread_)]);
  remember(p.value);
  return p.value;
}

void explorer::write(int place, word value) {
  if (replaying()) return static_cast<void>(replayed());
  auto& p = now_->plains[static_cast<std::size_t>(place)];
  const auto& clock = me().knows.clock;
  const auto mine = static_cast<std::size_t>(thread_);
  require(p.writer == thread_ || p.written <= clock[p.writer], "a data race: two threads write a plain word");
  for (std::size_t t = 0; t < p.read.size(); ++t)
    require(t == mine || p.read[t] <= clock[t], "a data race: a plain word is written while another thread reads it");
  p.value = value;
  p.writer = static_cast<std::uint8_t>(thread_);
  p.written = after(clock[mine]);
  remember(0);
}

word explorer::number_of(const std::string& bytes) {
  const auto found = std::find(long_values_.begin(), long_values_.end(), bytes);
  if (found == long_values_.end()) {
    long_values_.push_back(bytes);
    return long_values_.size() - 1;
  }
  return static_cast<word>(found - long_values_.begin());
}

const std::string& explorer::bytes_of(word number) const { return long_values_[number]; }

// -------------------------------------------------------------------------------------------------------- the threads

void explorer::add_thread(std::string name, thread_state fresh, std::function<bool(std::byte*)> step) {
  if (codes_.size() == most_threads) throw std::logic_error("too many threads for the explorer");
  codes_.push_back({std::move(name), std::move(step)});
  initial_.threads.push_back(std::move(fresh));
}

int explorer::choose(int alternatives) {
  if (replaying()) return static_cast<int>(replayed());
  take_turn(alternatives);
  tell("chooses " + std::to_string(alternative_));
  remember(static_cast<word>(alternative_));
  return alternative_;
}

/// One operation that others may see, or that has several outcomes, a turn. Plain words are not among them: what others
/// could see of them is a data race, and those are found in any order.
void explorer::take_turn(int alternatives) {
  if (std::exchange(acted_, true)) throw suspended{};
  alternatives_ = alternatives;
}

void explorer::remember(word result) {
  me().results.push_back(result);
  ++next_result_;
}

void explorer::tell(const std::string& what) {
  if (told_ != nullptr) *told_ += "\n    " + codes_[static_cast<std::size_t>(thread_)].name + " " + what;
}

/// Gives the number of outcomes there are; this was the given one.
int explorer::advance(state& s, int thread, int alternative) {
  now_ = &s;
  thread_ = thread;
  alternative_ = alternative;
  alternatives_ = 1;
  next_result_ = 0;
  acted_ = false;
  auto local = me().local;
  try {
    me().finished = codes_[static_cast<std::size_t>(thread)].step(local.data());
    me().local = std::move(local);
    me().results.clear();
  } catch (const suspended&) {
  }
  return alternatives_;
}

// --------------------------------------------------------------------------------------------------------- the search

std::uint64_t explorer::key_of(const state& s) {
  scratch_.clear();
  for (const auto& t : s.threads) {
    append_bytes(scratch_, t.local.data(), t.local.size());
    scratch_ += static_cast<char>(t.results.size());
    append_bytes(scratch_, t.results.data(), t.results.size());
    append_bytes(scratch_, &t.knows, 1);
    scratch_ += t.finished ? 'f' : 'r';
  }
  for (std::size_t a = 0; a < s.atomics.size(); ++a) {
    // What nobody can see any more makes no difference.
    std::size_t oldest = s.atomics[a].size() - 1;
    for (const auto& t : s.threads)
      if (!t.finished) oldest = std::min<std::size_t>(oldest, t.knows.seen[a]);
    scratch_ += static_cast<char>(s.atomics[a].size());
    for (std::size_t i = oldest; i < s.atomics[a].size(); ++i) {
      append_bytes(scratch_, &s.atomics[a][i].value, 1);
      append_bytes(scratch_, &s.atomics[a][i].released, 1);
    }
  }
  for (const auto& p : s.plains) {
    append_bytes(scratch_, &p.value, 1);
    scratch_ += {static_cast<char>(p.writer), static_cast<char>(p.written)};
    append_bytes(scratch_, p.read.data(), p.read.size());
  }
  return wherry::xxhash3(std::as_bytes(std::span(scratch_)));
}

std::string explorer::way_to(std::uint32_t id, int thread, int alternative) {
  std::vector<origin> steps{{0, thread, alternative}};
  for (; id != 0; id = origins_[id].parent) steps.push_back(origins_[id]);
  std::string way;
  told_ = &way;
  state s = initial_;
  try {
    for (auto step = steps.rbegin(); step != steps.rend(); ++step)
      if (step->thread >= 0) advance(s, step->thread, step->alternative);
  } catch (const fault&) {
  }
  told_ = nullptr;
  return way;
}

report explorer::explore(std::size_t most_states) {
  std::unordered_map<std::uint64_t, std::uint32_t> ids;
  std::vector<std::vector<std::uint32_t>> from;  // of each state, those before it
  std::deque<state> waiting;
  std::vector<std::uint32_t> ends;
  origins_.clear();
  const auto add = [&](state&& s, origin how) {
    const auto [place, fresh] = ids.emplace(key_of(s), static_cast<std::uint32_t>(ids.size()));
    if (fresh) {
      origins_.push_back(how);
      from.emplace_back();
      if (std::all_of(s.threads.begin(), s.threads.end(), [](const thread_state& t) { return t.finished; }))
        ends.push_back(place->second);
      waiting.push_back(std::move(s));
    }
    from[place->second].push_back(how.parent);
  };
  add(state(initial_), {0, -1, 0});
  for (std::uint32_t id = 0; !waiting.empty(); ++id, waiting.pop_front()) {
    if (ids.size() > most_states) return {"more than " + std::to_string(most_states) + " states", "", ids.size()};
    for (int thread = 0; thread < static_cast<int>(codes_.size()); ++thread) {
      if (waiting.front().threads[static_cast<std::size_t>(thread)].finished) continue;
      for (int alternative = 0, alternatives = 1; alternative < alternatives; ++alternative) {
        state next = waiting.front();
        try {
          alternatives = advance(next, thread, alternative);
        } catch (const fault& found) {
          return {found.what(), way_to(id, thread, alternative), ids.size()};
        }
        add(std::move(next), {id, thread, alternative});
      }
    }
  }
  // From everywhere there must be a way to the end.
  std::vector<bool> ends_well(ids.size(), false);
  for (; !ends.empty();) {
    const auto id = ends.back();
    ends.pop_back();
    if (ends_well[id]) continue;
    ends_well[id] = true;
    ends.insert(ends.end(), from[id].begin(), from[id].end());
  }
  const auto stuck = std::find(ends_well.begin(), ends_well.end(), false);
  if (stuck == ends_well.end()) return {"", "", ids.size()};
  const auto& last = origins_[static_cast<std::size_t>(stuck - ends_well.begin())];
  return {"a thread waits for ever", way_to(last.parent, last.thread, last.alternative), ids.size()};
}

}  // namespace models
