#include "simulated_ranks.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "support/random.hpp"

namespace collective_tests {

using namespace wherry::collective;

element composed(const element& f, const element& g) { return {f.a * g.a, f.a * g.b + f.b}; }
element added(const element& f, const element& g) { return {f.a + g.a, f.b + g.b}; }
element hashed(const element& f, const element& g) {
  const auto h = wherry_test::hash(f.a, f.b, g.a, g.b);
  return {static_cast<std::uint32_t>(h), static_cast<std::uint32_t>(h >> 32)};
}

block_memory::block_memory(const std::vector<int>& sizes) {
  begins.push_back(0);
  for (const int s : sizes) begins.push_back(begins.back() + static_cast<std::size_t>(s));
  data.assign(begins.back(), {0xdeadbeefu, 0xbadcafeu});
}
int block_memory::size(int block) const {
  return static_cast<int>(begins[static_cast<std::size_t>(block) + 1] - begins[static_cast<std::size_t>(block)]);
}
element& block_memory::at(int block, int place) {
  return data[begins[static_cast<std::size_t>(block)] + static_cast<std::size_t>(place)];
}
const element& block_memory::at(int block, int place) const {
  return data[begins[static_cast<std::size_t>(block)] + static_cast<std::size_t>(place)];
}

namespace {

struct wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class... Parts> [[noreturn]] void fail(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  throw wrong(out.str());
}

struct flying {
  int from = 0;
  std::int64_t ready = 0;  // when the sender gets to it
  std::size_t first = 0, count = 0;
};

// One rank on its way through its stages.
struct traveller {
  place at;
  int k = 0, stages = 0;
  stage now;
  bool in_stage = false;
  int untaken = 0;  // sends of this stage
  std::vector<flying> got;
  std::vector<bool> has_got;
  std::int64_t clock = 0, sent = 0;
  std::vector<flying> arriving;  // in the order in which they were sent

  bool ended() const { return k == stages && !in_stage; }
};

class run {
 public:
  explicit run(simulation& of) : all_(of), what_(*of.what), size_(of.at.size), travellers_(of.ranks.size()) {
    for (int r = 0; r < size_; ++r) {
      auto& t = traveller_of(r);
      t.at = of.at;
      t.at.rank = r;
      t.stages = what_.stages(t.at);
      if (t.stages < 0) fail("rank ", r, " has ", t.stages, " stages");
      const auto held = what_.held(t.at);
      const int blocks = rank_of(r).work.blocks();
      rank_of(r).touched.assign(static_cast<std::size_t>(blocks), false);
      if (held.count < 0 || held.count > blocks || (held.count > 0 && (held.first < 0 || held.first >= blocks)))
        fail("rank ", r, " holds blocks ", held.first, " + ", held.count);
    }
  }

  void go() {
    for (bool more = true; more;) {
      more = false;
      for (int r = 0; r < size_; ++r)
        while (advance(r)) more = true;
    }
    for (int r = 0; r < size_; ++r) {
      const auto& t = traveller_of(r);
      if (!t.ended()) fail("rank ", r, " waits for ever in stage ", t.k, " of ", t.stages);
      if (!t.arriving.empty()) fail("nobody takes what rank ", t.arriving[0].from, " sends to rank ", r);
      rank_of(r).end = t.clock;
    }
  }

 private:
  simulated_rank& rank_of(int r) { return all_.ranks[static_cast<std::size_t>(r)]; }
  traveller& traveller_of(int r) { return travellers_[static_cast<std::size_t>(r)]; }
  block_memory& input_of(int r) { return all_.in_place ? rank_of(r).work : rank_of(r).input; }
  block_memory& memory(int r, buffer where) { return where == buffer::work ? rank_of(r).work : input_of(r); }

  bool advance(int r) {
    auto& t = traveller_of(r);
    if (t.ended()) return false;
    if (!t.in_stage) {
      begin(r);
      return true;
    }
    const bool taken = take(r);
    if (t.untaken > 0 || std::find(t.has_got.begin(), t.has_got.end(), false) != t.has_got.end()) return taken;
    end(r);
    return true;
  }

  void begin(int r) {
    auto& t = traveller_of(r);
    what_.make_stage(t.at, t.k, t.now);
    check(r, t.now);
    t.in_stage = true;
    t.sent = t.clock;
    t.untaken = static_cast<int>(t.now.sends.size());
    for (const auto& s : t.now.sends) send(r, s);
    t.got.assign(t.now.receives.size(), {});
    t.has_got.assign(t.now.receives.size(), false);
  }

  void send(int r, const transfer& s) {
    auto& me = rank_of(r);
    const auto first = bytes_.size();
    for (const auto& range : traveller_of(r).now.ranges_of(s)) {
      const auto& from = memory(r, range.where);
      for (int b = range.first; b < range.first + range.count; ++b)
        for (int i = 0; i < from.size(b); ++i) bytes_.push_back(from.at(b, i));
      me.blocks_sent += range.count;
    }
    ++me.messages;
    me.elements_sent += static_cast<std::int64_t>(bytes_.size() - first);
    traveller_of(s.peer).arriving.push_back({r, traveller_of(r).sent++, first, bytes_.size() - first});
  }

  bool take(int r) {
    auto& t = traveller_of(r);
    bool any = false;
    for (std::size_t i = 0; i < t.now.receives.size(); ++i) {
      const int peer = t.now.receives[i].peer;
      if (t.has_got[i]) continue;
      if (peer == r) {
        t.has_got[i] = any = true;
        continue;
      }
      const auto found =
          std::find_if(t.arriving.begin(), t.arriving.end(), [&](const flying& f) { return f.from == peer; });
      if (found == t.arriving.end()) continue;
      t.got[i] = *found;
      t.arriving.erase(found);
      t.has_got[i] = any = true;
      --traveller_of(peer).untaken;
    }
    return any;
  }

  void end(int r) {
    auto& t = traveller_of(r);
    std::vector<std::int64_t> ready;
    for (std::size_t i = 0; i < t.now.receives.size(); ++i) {
      const auto& receive = t.now.receives[i];
      if (receive.peer != r) ready.push_back(t.got[i].ready);
      apply(r, receive, t.got[i]);
    }
    std::sort(ready.begin(), ready.end());
    for (const auto at : ready) t.clock = std::max(t.clock, at) + 1;
    t.clock = std::max(t.clock, t.sent);
    t.in_stage = false;
    ++t.k;
  }

  void apply(int r, const transfer& receive, const flying& message) {
    std::size_t at = message.first;
    for (const auto& range : traveller_of(r).now.ranges_of(receive))
      for (int b = range.first; b < range.first + range.count; ++b) {
        auto& to = rank_of(r).work;
        for (int i = 0; i < to.size(b); ++i) {
          if (receive.peer != r && at == message.first + message.count)
            fail("rank ", r, " gets ", message.count, " elements from ", receive.peer, ": too few");
          const auto came = receive.peer == r ? input_of(r).at(b, i) : bytes_[at++];
          const auto& there = memory(r, range.where).at(b, i);
          to.at(b, i) = receive.how == arrival::store            ? came
                        : receive.how == arrival::combine_before ? all_.combine(came, there)
                                                                 : all_.combine(there, came);
        }
      }
    if (at != message.first + message.count)
      fail("rank ", r, " gets ", message.count, " elements from ", receive.peer, ": too many");
  }

  // What algorithms promise of each stage.
  void check(int r, const stage& s) {
    if (s.empty()) fail("stage ", traveller_of(r).k, " of rank ", r, " is empty");
    for (const auto* list : {&s.sends, &s.receives}) {
      std::vector<bool> named(static_cast<std::size_t>(size_), false);
      for (const auto& t : *list) {
        if (t.peer < 0 || t.peer >= size_ || (list == &s.sends && t.peer == r))
          fail("rank ", r, " names rank ", t.peer);
        if (named[static_cast<std::size_t>(t.peer)]) fail("rank ", r, " names rank ", t.peer, " twice");
        named[static_cast<std::size_t>(t.peer)] = true;
        check_ranges(r, s, t);
      }
    }
    if (!s.overwrites) check_apart(r, s);
  }

  void check_ranges(int r, const stage& s, const transfer& t) {
    const auto held = what_.held(traveller_of(r).at);
    const int blocks = rank_of(r).work.blocks();
    std::vector<int> touched[2];
    for (const auto& range : s.ranges_of(t)) {
      if (range.first < 0 || range.count <= 0 || range.first > blocks - range.count)
        fail("rank ", r, " names blocks ", range.first, " + ", range.count, " of ", blocks);
      for (int b = range.first; b < range.first + range.count; ++b) {
        touched[range.where == buffer::work].push_back(b);
        const bool is_send = &t >= s.sends.data() && &t < s.sends.data() + s.sends.size();
        if (is_send && range.where == buffer::input) continue;
        if ((b - held.first + blocks) % blocks >= held.count) fail("rank ", r, " does not hold block ", b);
        rank_of(r).touched[static_cast<std::size_t>(b)] = true;
        // In gatherv and scatterv the root alone knows more sizes.
        if ((what_.pattern == pattern::gather || what_.pattern == pattern::scatter) && r != all_.at.root &&
            what_.sizes == sizes_known::told && b != r)
          fail("rank ", r, " does not know the size of block ", b);
      }
    }
    for (auto& list : touched) {
      std::sort(list.begin(), list.end());
      if (std::adjacent_find(list.begin(), list.end()) != list.end()) fail("rank ", r, " names a block twice");
    }
  }

  // What is stored may be received at once.
  void check_apart(int r, const stage& s) {
    std::vector<bool> leaves[2] = {std::vector<bool>(static_cast<std::size_t>(rank_of(r).work.blocks())),
                                   std::vector<bool>(static_cast<std::size_t>(rank_of(r).work.blocks()))};
    const auto mark = [&](std::vector<bool>& list, const block_range& range) {
      for (int b = range.first; b < range.first + range.count; ++b) list[static_cast<std::size_t>(b)] = true;
    };
    for (const auto& t : s.sends)
      for (const auto& range : s.ranges_of(t)) mark(leaves[what_.in_place ? 0 : range.where == buffer::work], range);
    for (const auto& t : s.receives)
      for (const auto& range : s.ranges_of(t))
        for (int b = range.first; b < range.first + range.count; ++b)
          if (t.how == arrival::store && leaves[what_.in_place ? 0 : 1][static_cast<std::size_t>(b)] &&
              !(t.peer == r && what_.in_place))
            fail("rank ", r, " stores into block ", b, ", which it sends");
  }

  simulation& all_;
  const algorithm& what_;
  int size_;
  std::vector<traveller> travellers_;
  std::vector<element> bytes_;
};

}  // namespace

std::string simulation::run() {
  try {
    collective_tests::run(*this).go();
    return {};
  } catch (const wrong& what_is) {
    return name() + ": " + what_is.what();
  }
}

std::int64_t simulation::rounds() const {
  std::int64_t last = 0;
  for (const auto& r : ranks) last = std::max(last, r.end);
  return last;
}

std::string simulation::name() const {
  std::ostringstream out;
  out << what->name << " " << name_of(what->pattern) << ", " << at.size << " ranks, root " << at.root << ", "
      << at.segments << " segments" << (at.commutative ? ", commutative" : "") << (in_place ? ", in place" : "");
  return out.str();
}

}  // namespace collective_tests
