// Runs a few small programs, each a thread, in all interleavings and with all that C++'s memory model lets a load see,
// and reports the shortest way to a fault: a data race, a requirement that fails, a state that no way leads out of.
//
// How: a state is the threads' own values, what each has seen, and of every atomic word all values it has had, each
// with what its writer had released. A load may take any value that is not older than what its thread has seen; an
// acquiring load sees what was released with it (release sequences as in C++20). Plain words have vector clocks, as in
// a race detector. Not modelled: fences, memory_order_seq_cst, a load that takes a value from a store which another
// processor has brought forward over its own earlier loads (only relaxed words could tell), and stores into two words
// that come in other orders than any interleaving of their threads has: two stores into one word that nothing orders
// are a fault; a store and an exchange may be.
//
// A thread is a trivially copyable value with `bool step()`, true at its end. To take it one operation further it is
// run again from its last step, with what its loads have given so far: so the protocol under test is the library's own
// code, unchanged, and needs no fibres.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace models {

using word = std::uint64_t;

constexpr int most_threads = 4;
constexpr int most_atomics = 24;

/// What a thread knows: of every atomic word the newest value it has seen, of every thread how far it has got.
struct view {
  std::array<std::uint8_t, most_atomics> seen{};
  std::array<std::uint8_t, most_threads> clock{};
  void join(const view& other);
};

/// A value that an atomic word has had.
struct version {
  word value = 0;
  bool by_exchange = false;
  view released;
};

struct plain_word {
  word value = 0;
  std::uint8_t writer = 0, written = 0;  // thread, and its clock then
  std::array<std::uint8_t, most_threads> read{};
};

struct thread_state {
  std::vector<std::byte> local;
  std::vector<word> results;  // of the operations since the last step
  view knows;
  bool finished = false;
};

struct state {
  std::vector<thread_state> threads;
  std::vector<std::vector<version>> atomics;
  std::vector<plain_word> plains;
};

/// What is wrong with a program.
struct fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct report {
  std::string fault;  // empty: none
  std::string way;    // to it, an operation a line
  std::size_t states = 0;
};

class explorer {
 public:
  /// Deliberate damage to the protocol, through the words it uses.
  enum class damage { weak_load, weak_store, blind_exchange, one_more };

  explorer();
  ~explorer();
  explorer(const explorer&) = delete;
  explorer& operator=(const explorer&) = delete;
  /// The one that the words being made or used belong to.
  static explorer& current();

  /// A thread. Words must have been made before.
  template <class Program> void run(std::string name, const Program& program) {
    static_assert(std::is_trivially_copyable_v<Program>, "it is copied from state to state");
    thread_state fresh;
    fresh.local.resize(sizeof program);
    std::memcpy(fresh.local.data(), &program, sizeof program);
    add_thread(std::move(name), std::move(fresh),
               [](std::byte* local) { return std::launder(reinterpret_cast<Program*>(local))->step(); });
  }
  /// @param w an atomic word; the name is for the way to a fault
  template <class Word> void call(const Word& w, std::string name) { names_[w.index()] = std::move(name); }
  template <class Word> void plant(const Word& w, damage what) { planted_.emplace(w.index(), what); }

  report explore(std::size_t most_states = 2'000'000);

  // For the programs.
  int choose(int alternatives);

  // For the words.
  int make_atomic(word initial);
  int make_plain(word initial);
  word load(int place, std::memory_order order);
  void store(int place, word value, std::memory_order order);
  bool compare_exchange(int place, word& expected, word desired, std::memory_order order);
  word exchange(int place, word desired, std::memory_order order);
  word fetch_add(int place, word addend, std::memory_order order);
  word read(int place);
  void write(int place, word value);
  /// A number for a value that is longer than a word, and back.
  word number_of(const std::string& bytes);
  const std::string& bytes_of(word number) const;

 private:
  void add_thread(std::string name, thread_state fresh, std::function<bool(std::byte*)> step);
  int advance(state& s, int thread, int alternative);
  std::string way_to(std::uint32_t id, int thread, int alternative);
  std::uint64_t key_of(const state& s);
  thread_state& me() { return now_->threads[static_cast<std::size_t>(thread_)]; }
  bool replaying() { return next_result_ < me().results.size(); }
  word replayed() { return me().results[next_result_++]; }
  void take_turn(int alternatives);
  void remember(word result);
  void tell(const std::string& what);
  bool is_planted(int place, damage what) const;
  void append(int place, const version& fresh, bool releases);
  template <class NextOf> word replace_newest(int place, std::memory_order order, NextOf&& next_of);
  std::string name_of(int place) const;

  struct code {
    std::string name;
    std::function<bool(std::byte*)> step;
  };
  struct origin {
    std::uint32_t parent;
    int thread, alternative;
  };

  explorer* outer_;
  std::vector<code> codes_;
  state initial_;
  std::map<int, std::string> names_;
  std::multimap<int, damage> planted_;
  std::vector<origin> origins_;
  std::vector<std::string> long_values_;
  std::string scratch_;
  // While a thread is taken one operation further:
  state* now_ = nullptr;
  int thread_ = 0, alternative_ = 0, alternatives_ = 1;
  std::size_t next_result_ = 0;
  bool acted_ = false;
  std::string* told_ = nullptr;
};

/// What must hold, said by a program.
void require(bool holds, const std::string& what);

}  // namespace models
