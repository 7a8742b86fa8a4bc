// Reading and writing when each allocation fails in its turn, alone or with all that follow: an error of the library's
// own, nothing is lost, nothing dangles.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "wherry/deep/polymorphic.hpp"

#include "deep/unit/support.hpp"

namespace {

long until_failure = -1;      // allocations; negative: none fails
bool fails_for_good = false;  // or once
long alive = 0;               // allocations

void* taken(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  ++alive;
  return memory;
}
void look_at_limit(std::size_t bytes) {
  if (bytes > std::size_t{1} << 40) throw std::bad_alloc();
  if (until_failure < 0) return;
  if (until_failure > 0) {
    --until_failure;
    return;
  }
  if (!fails_for_good) until_failure = -1;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) {
  look_at_limit(bytes);
  return taken(std::malloc(bytes == 0 ? 1 : bytes));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  look_at_limit(bytes);
  const auto unit = static_cast<std::size_t>(alignment);
  return taken(std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit));
}
// The library's own call the two above; a sanitizer's do not.
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void* operator new[](std::size_t bytes, std::align_val_t alignment) { return operator new(bytes, alignment); }
void operator delete(void* memory) noexcept {
  if (memory != nullptr) --alive;
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { operator delete(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { operator delete(memory); }
void operator delete[](void* memory) noexcept { operator delete(memory); }
void operator delete[](void* memory, std::size_t) noexcept { operator delete(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { operator delete(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { operator delete(memory); }

using namespace deep_tests;

namespace {

struct leaf {
  std::string name = "a name that is too long to lie in the string itself";
  leaf* below = nullptr;
  template <class Message> void describe(Message& m) {
    m(name);
    m.owned(below);
  }
};

struct vertex {
  std::vector<vertex*> links;
  template <class Message> void describe(Message& m) { m(links); }
};

struct figure {
  std::string label;  // its constructor must not fail
  virtual ~figure() = default;
  template <class Message> void describe(Message& m) { m(label); }
};
struct drawing : figure {
  std::vector<std::shared_ptr<figure>> parts;
  std::unique_ptr<figure> frame;
  template <class Message> void describe(Message& m) {
    m.template base<figure>(*this);
    m(parts, frame);
  }
};
const wherry::deep::registered<drawing, figure> drawing_is_known("drawing that fails");

struct seen_before_owned {
  leaf* seen = nullptr;
  std::unique_ptr<leaf> owner;
  template <class Message> void describe(Message& m) {
    m.observed(seen);
    m.shared(owner);
  }
};

// Keys that are put in when all is there.
struct by_name {
  bool operator()(const leaf* a, const leaf* b) const { return a->name < b->name; }
};
struct key {
  std::string name;
  leaf* behind = nullptr;
  bool operator==(const key& other) const { return name == other.name; }
  template <class Message> void describe(Message& m) {
    m(name);
    m.owned(behind);
  }
};
struct hash_of_key {
  std::size_t operator()(const key& x) const { return std::hash<std::string>()(x.name); }
};

struct late_sets {
  std::set<leaf*, by_name> by_names;
  std::unordered_map<key, std::unique_ptr<leaf>, hash_of_key> hashed;
  std::set<leaf*> by_address;
  std::map<leaf*, std::vector<leaf>> lists;
  std::unordered_multiset<key, hash_of_key> several;
  template <class Message> void describe(Message& m) { m(by_names, hashed, by_address, lists, several); }
};

void fill(late_sets& x) {
  for (int i = 0; i < 20; ++i) {
    const auto name = std::to_string(i) + " is a name that is too long to lie in the string itself";
    auto* const each = new leaf{name, new leaf};
    x.by_names.insert(each);
    x.by_address.insert(new leaf);
    if (i > 15) x.lists[new leaf].resize(2);
    x.hashed.emplace(key{name, new leaf}, i % 2 == 0 ? std::make_unique<leaf>() : nullptr);
    x.several.insert({name, i % 3 == 0 ? new leaf : nullptr});
  }
}

struct everything {
  leaf* many[70] = {};  // more than the first stack holds
  std::vector<vertex*> graph;
  leaf* array = nullptr;
  int length = 0;
  std::unique_ptr<leaf[]> owned_array;
  seen_before_owned both;
  figure* shown = nullptr;
  std::shared_ptr<figure> drawn, drawn_again;
  std::shared_ptr<leaf> first, second;
  std::weak_ptr<leaf> third;
  std::map<std::string, std::vector<leaf>> lists;
  std::unordered_map<int, std::unique_ptr<leaf>> leaves;
  std::list<leaf> row;
  std::optional<leaf> perhaps;
  std::variant<int, leaf> either;
  std::vector<std::string> words;
  template <class Message> void describe(Message& m) {
    for (leaf*& each : many) m.owned(each);
    m(graph);
    m.owned(array, length);
    m.owned(owned_array, length);
    m(both);
    m.owned(shown);
    m(drawn, drawn_again, first, second, third, lists, leaves, row, perhaps, either, words);
  }
};

void fill(everything& x) {
  for (leaf*& each : x.many) each = new leaf;
  for (int i = 0; i < 40; ++i) x.graph.push_back(new vertex);
  for (auto* each : x.graph) each->links = x.graph;
  x.length = 3;
  x.array = new leaf[3];
  x.array[1].below = new leaf;
  x.owned_array.reset(new leaf[3]);
  x.both.owner.reset(new leaf);
  x.both.seen = x.both.owner.get();
  const auto part = std::make_shared<figure>();
  auto* shown = new drawing;
  shown->parts = {std::make_shared<drawing>(), std::make_shared<figure>()};
  shown->frame.reset(new drawing);
  shown->label = shown->frame->label = "another name that is long";
  x.shown = shown;
  auto whole = std::make_shared<drawing>();
  whole->parts = {part, part};
  x.drawn = x.drawn_again = whole;
  x.first = x.second = std::make_shared<leaf>();
  x.third = x.first;
  x.lists["a list with a name that is long"].resize(3);
  x.lists["another list with such a name"].resize(2);
  for (int i = 0; i < 3; ++i) x.leaves[i] = std::make_unique<leaf>();
  x.row.resize(3);
  x.row.back().below = new leaf;
  x.perhaps.emplace();
  x.either.emplace<leaf>();
  x.words.assign(5, "words that are longer than a string itself");
}

/// Reads while the allocation after `limit` others fails. @return whether one did
template <class Structure> bool read_within(const std::vector<std::byte>& bytes, long limit, bool in_arena) {
  bool failed = false;
  const long before = alive;
  {
    wherry::deep::arena arena;
    Structure x;
    memory_source source(bytes.data(), bytes.size());
    until_failure = limit;
    try {
      wherry::deep::unpack(source, x, {.arena = in_arena ? &arena : nullptr});
    } catch (const wherry::error& problem) {
      failed = true;
      until_failure = -1;
      CHECK(problem.kind() == wherry::error_kind::resource);
    }
    until_failure = -1;
    if (in_arena)
      x = Structure();
    else
      wherry::deep::destroy(x);
  }
  CHECK_EQUAL(alive, before);
  return failed;
}

bool write_within(const everything& x, long limit) {
  const long before = alive;
  bool failed = false;
  {
    until_failure = limit;
    try {
      memory_sink sink;
      wherry::deep::pack(sink, x);
    } catch (const wherry::error& problem) {
      failed = true;
      until_failure = -1;
      CHECK(problem.kind() == wherry::error_kind::resource);
    }
    until_failure = -1;
  }
  CHECK_EQUAL(alive, before);
  return failed;
}

}  // namespace

WHERRY_UNIT_TEST(deep_any_allocation_of_a_writer_may_fail) {
  everything x;
  fill(x);
  packed(x);  // the names of classes are looked up once
  for (const bool for_good : {false, true}) {
    fails_for_good = for_good;
    long limit = 0;
    while (write_within(x, limit)) ++limit;
    CHECK(limit > 5);
  }
  wherry::deep::destroy(x);
}

WHERRY_UNIT_TEST(deep_any_allocation_may_fail) {
  everything x;
  fill(x);
  const auto bytes = packed(x);
  wherry::deep::destroy(x);
  CHECK(!read_within<everything>(bytes, -1, false));  // the names of classes are looked up once
  for (const bool in_arena : {false, true})
    for (const bool for_good : {false, true}) {
      fails_for_good = for_good;
      long limit = 0;
      while (read_within<everything>(bytes, limit, in_arena)) ++limit;
      CHECK(limit > 100);
    }
}

WHERRY_UNIT_TEST(deep_any_allocation_of_late_sets_may_fail) {
  late_sets x;
  fill(x);
  const auto bytes = packed(x);
  wherry::deep::destroy(x);
  CHECK(!read_within<late_sets>(bytes, -1, false));
  for (const bool in_arena : {false, true})
    for (const bool for_good : {false, true}) {
      // Of what waits outside its set and outside an arena somebody must take note to free it.
      if (for_good && !in_arena) continue;
      fails_for_good = for_good;
      long limit = 0;
      while (read_within<late_sets>(bytes, limit, in_arena)) ++limit;
      CHECK(limit > 100);
    }
}

namespace {

/// As what comes from another rank: nobody knows how long it will be.
class stream_of_unknown_length final : public wherry::byte_source {
 public:
  explicit stream_of_unknown_length(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {
    at_ = bytes_.data();
    end_ = at_ + bytes_.size();
  }

 private:
  void more() override { throw wherry::error(wherry::error_kind::mismatch, "test", "it ends here"); }
  void close(bool) override {}
  std::vector<std::byte> bytes_;
};

/// What is thrown where the stream says that so many come.
template <class T> wherry::error announced(T& root, std::uint64_t objects, wherry::deep::arena* arena = nullptr) {
  std::vector<std::byte> bytes(64);
  std::memcpy(bytes.data(), &objects, sizeof objects);
  stream_of_unknown_length source(std::move(bytes));
  try {
    wherry::deep::unpack(source, root, {.arena = arena});
  } catch (const wherry::error& problem) {
    return problem;
  }
  return {wherry::error_kind::state, "test", "nothing was thrown"};
}

bool says(const wherry::error& problem, const char* words) {
  if (std::string(problem.what()).find(words) != std::string::npos) return true;
  std::cerr << problem.what() << '\n';
  return false;
}

}  // namespace

WHERRY_UNIT_TEST(deep_streams_announce_what_no_memory_holds) {
  constexpr std::uint64_t most = std::uint64_t{1} << 57;
  wherry::deep::arena arena;
  std::vector<double> numbers;
  std::string word;
  double* array = nullptr;
  std::uint64_t n = 0;
  CHECK(
      says(announced(numbers, most), "1152921504606846976 bytes for the incoming data cannot be allocated [resource]"));
  CHECK(says(announced(word, most), "144115188075855872 bytes for the incoming data cannot be allocated [resource]"));
  CHECK(says(announced(array, std::uint64_t{1} << 62), "mismatch"));
  auto root = wherry::deep::array(array, n);
  CHECK(says(announced(root, most + 1),
             "1152921504606846976 bytes for the incoming data cannot be allocated [resource]"));
  CHECK(says(announced(root, most + 1, &arena), "1152921504606846976 bytes for the incoming data cannot be allocated"));
  CHECK(numbers.empty() && word.empty() && array == nullptr);
}

WHERRY_UNIT_TEST(deep_arrays_that_no_memory_holds_are_not_written) {
  CHECK_THROWS_WITH(wherry::deep::detail::allocate_array<double>(std::size_t{1} << 62),
                    "the size of an array in bytes does not fit: 4611686018427387904 × 8");
  double number = 1, *array = &number;
  std::uint64_t n = std::uint64_t{1} << 62;
  memory_sink sink;
  CHECK_THROWS_WITH(wherry::deep::pack(sink, wherry::deep::array(array, n)),
                    "the size of an array in bytes does not fit: 4611686018427387904 × 8");
}
