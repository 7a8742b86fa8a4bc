// Bytes from enemies: whatever arrives, nothing crashes, nothing leaks, nothing large is allocated for nothing.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "wherry/core/settings.hpp"

#include "deep/unit/support.hpp"

using namespace deep_tests;
using wherry::deep::destroy;
using wherry_test::random_numbers;

namespace {

std::atomic<long> blocks{0};
std::atomic<std::size_t> largest{0};

void* take(std::size_t bytes, std::size_t alignment) {
  ++blocks;
  largest = std::max(largest.load(), bytes);
  void* p = alignment == 0 ? std::malloc(bytes + (bytes == 0))
                           : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
void give(void* p) {
  if (p != nullptr) --blocks;
  std::free(p);
}

struct animal {
  std::string name;
  virtual ~animal() = default;
  virtual int legs() const = 0;
  template <class Message> void describe(Message& m) { m(name); }
};
struct dog : animal {
  std::vector<int> bones;
  int legs() const override { return 4; }
  template <class Message> void describe(Message& m) {
    m.template base<animal>(*this);
    m(bones);
  }
};
struct bird : animal {
  animal* friend_of = nullptr;
  std::unique_ptr<animal> egg;
  int legs() const override { return 2; }
  template <class Message> void describe(Message& m) {
    m.template base<animal>(*this);
    m.shared(friend_of);
    m(egg);
  }
};
const wherry::deep::registered<dog, animal> dog_is_known("dog");
const wherry::deep::registered<bird, animal> bird_is_known("bird");

// One of everything.
struct zoo {
  int count = 0;
  std::string name;
  std::vector<std::string> words;
  std::vector<zoo*> others;
  std::map<std::string, std::vector<zoo*>> by_name;
  std::unordered_map<int, std::string> numbered;
  std::set<zoo*> set_of;
  std::multimap<int, std::unique_ptr<zoo>> keyed;
  std::variant<int, std::string, std::vector<zoo*>, std::shared_ptr<std::string>> choice;
  std::optional<std::vector<std::optional<int>>> maybe;
  std::unique_ptr<zoo> child;
  std::shared_ptr<std::string> text, text_again;
  std::weak_ptr<std::string> weak;
  std::deque<std::list<short>> nested;
  std::vector<bool> bits;
  zoo* array = nullptr;
  double* numbers = nullptr;
  int* length = nullptr;
  int* into = nullptr;
  std::vector<int> data;
  animal* pet = nullptr;
  animal* pet_again = nullptr;
  std::shared_ptr<animal> wild;
  std::string* seen = nullptr;
  std::unique_ptr<std::string> seen_by_all;
  counted alive;

  template <class Message> void describe(Message& m) {
    m(name, words, others, by_name, numbered, set_of);
    m(keyed, choice, maybe, child, text, text_again, weak, nested, bits, data);
    m.owned(array, count);
    m.owned(numbers, count);
    m.owned_now(length);
    m.points_into(into, data.data(), data.size());
    m.shared(pet);
    m.shared(pet_again);
    m(wild);
    m.observed(seen);
    m.shared(seen_by_all);
    m.skip(alive);
  }
};

std::string some_text(random_numbers& random) {
  return std::string(static_cast<std::size_t>(random.between(0, 30)), static_cast<char>(random.between('a', 'z')));
}

void fill(zoo& z, random_numbers& random, std::vector<zoo*>& all, int depth) {
  const auto any = [&]() -> zoo* { return random.chance(20) ? nullptr : random.one_of(all); };
  z.name = some_text(random);
  for (int i = random.between(0, 3); i > 0; --i) z.words.push_back(some_text(random));
  for (int i = random.between(0, 3); i > 0; --i) z.others.push_back(any());
  for (int i = random.between(0, 2); i > 0; --i) z.by_name[some_text(random)] = {any(), any()};
  for (int i = random.between(0, 3); i > 0; --i) z.numbered[i] = some_text(random);
  z.set_of = {any(), any()};
  if (random.chance(50))
    z.choice = some_text(random);
  else if (random.chance(50))
    z.choice = std::vector<zoo*>{any()};
  if (random.chance(50)) z.maybe = {1, std::nullopt};
  z.text = std::make_shared<std::string>(some_text(random));
  if (random.chance(50)) z.text_again = z.text;
  z.weak = z.text;
  z.nested = {{1, 2}, {}, {3}};
  for (int i = random.between(0, 20); i > 0; --i) z.bits.push_back(random.chance(50));
  z.data = {1, 2, 3};
  z.into = &z.data[1];
  z.length = new int(3);
  auto* const one = new bird;
  one->name = "tit";
  one->egg = std::make_unique<dog>();
  z.pet = one;
  if (random.chance(50)) one->friend_of = one;
  if (random.chance(50)) z.pet_again = one;
  z.wild = std::make_shared<dog>();
  z.seen_by_all = std::make_unique<std::string>(some_text(random));
  z.seen = z.seen_by_all.get();
  if (depth == 0) return;
  z.count = random.between(0, 2);
  z.numbers = new double[static_cast<std::size_t>(z.count)];
  std::fill_n(z.numbers, z.count, 1.5);
  z.array = new zoo[static_cast<std::size_t>(z.count)];
  for (int i = 0; i < z.count; ++i) fill(z.array[i], random, all, depth - 1);
  if (random.chance(50)) fill(*(z.child = std::make_unique<zoo>()), random, all, depth - 1);
  fill(*z.keyed.emplace(1, std::make_unique<zoo>())->second, random, all, depth - 1);
}

// Roots of a structure: `zoo`s that all others may point to.
std::vector<std::byte> random_zoo(random_numbers& random) {
  zoo root;
  std::vector<zoo*> all{&root, new zoo, new zoo};
  for (zoo* z : all) fill(*z, random, all, 2);
  root.others = all;
  const auto bytes = packed(root);
  destroy(root);
  return bytes;
}

void damage(std::vector<std::byte>& bytes, random_numbers& random) {
  const auto anywhere = [&](std::size_t room) {
    return room > bytes.size() ? 0 : static_cast<std::size_t>(random.next() % (bytes.size() - room + 1));
  };
  for (int i = random.between(1, 3); i > 0 && !bytes.empty(); --i) {
    const int how = random.between(0, 6);
    if (how <= 2) {
      bytes[anywhere(1)] ^= static_cast<std::byte>(1 << random.between(0, 7));
    } else if (how == 3) {
      bytes.resize(anywhere(0));
    } else if (how == 4 && bytes.size() >= 8) {
      const std::uint64_t number = random.next() >> random.between(0, 63);
      std::memcpy(bytes.data() + anywhere(8) / 8 * 8, &number, 8);
    } else if (how == 5) {
      const auto from = anywhere(0);
      bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(from), 8, std::byte{1});
    } else {
      const auto from = static_cast<std::ptrdiff_t>(anywhere(8));
      bytes.erase(bytes.begin() + from, bytes.begin() + std::min<std::ptrdiff_t>(from + 8, std::ssize(bytes)));
    }
  }
}

// Reads what may be anything. @return whether it was taken for a structure
template <class T> bool survives(const std::vector<std::byte>& bytes, wherry::deep::arena* arena) {
  T x{};
  try {
    read_from(bytes, x, {.arena = arena});
  } catch (const std::exception&) {
    if (arena != nullptr) arena->release();
    return false;
  }
  if (arena == nullptr) destroy(x);
  return true;
}

// A source makes its zeros once.
void first_failure() { survives<int>({}, nullptr); }

template <class T>
void read_damaged(wherry_test::context& test, const std::vector<std::byte>& bytes, int arena_percent) {
  random_numbers random(test.seed + 1);
  first_failure();
  const long before = blocks;
  int taken = 0, refused = 0;
  for (int round = 0; round < 2500; ++round) {
    auto damaged = bytes;
    damage(damaged, random);
    const long at_start = blocks;
    largest = 0;
    {
      wherry::deep::arena arena;
      (survives<T>(damaged, random.chance(arena_percent) ? &arena : nullptr) ? taken : refused) += 1;
    }
    test.note(wherry::detail::text("round ", round));
    if (!CHECK_EQUAL(blocks.load(), at_start) || !CHECK_EQUAL(counted::alive(), 0)) break;
    // No announcement makes it take much more than what came.
    if (!CHECK(largest <= 64 * damaged.size() + (std::size_t{1} << 17))) break;
  }
  CHECK_EQUAL(blocks.load(), before);
  CHECK(refused > 0);
  wherry_test::log(wherry::detail::text(taken, " taken, ", refused, " refused"));
}

}  // namespace

void* operator new(std::size_t bytes) { return take(bytes, 0); }
void* operator new[](std::size_t bytes) { return take(bytes, 0); }
void* operator new(std::size_t bytes, std::align_val_t a) { return take(bytes, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t bytes, std::align_val_t a) { return take(bytes, static_cast<std::size_t>(a)); }
void operator delete(void* p) noexcept { give(p); }
void operator delete[](void* p) noexcept { give(p); }
void operator delete(void* p, std::size_t) noexcept { give(p); }
void operator delete[](void* p, std::size_t) noexcept { give(p); }
void operator delete(void* p, std::align_val_t) noexcept { give(p); }
void operator delete[](void* p, std::align_val_t) noexcept { give(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { give(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { give(p); }

WHERRY_UNIT_TEST(deep_a_zoo_comes_back_and_leaves_nothing) {
  random_numbers random(test.seed);
  static_cast<void>(wherry::current_settings());  // which are kept
  random_zoo(random);                             // and so is what registered classes name
  const long before = blocks;
  for (int round = 0; round < 20; ++round) {
    const auto bytes = random_zoo(random);
    zoo copy;
    read_from(bytes, copy);
    // The copy of a copy has the same bytes, but for sets of addresses, whose order is another.
    CHECK_EQUAL(packed(copy).size(), bytes.size());
    CHECK(copy.seen == copy.seen_by_all.get());
    CHECK(copy.into == &copy.data[1]);
    CHECK(copy.weak.lock() == copy.text);
    CHECK_EQUAL(copy.pet->name, "tit");
    CHECK_EQUAL(copy.pet->legs(), 2);
    CHECK_EQUAL(copy.wild->legs(), 4);
    CHECK_EQUAL(*copy.length, 3);
    destroy(copy);
  }
  CHECK_EQUAL(counted::alive(), 0);
  CHECK_EQUAL(blocks.load(), before);
}

WHERRY_UNIT_TEST(deep_a_zoo_in_an_arena_leaves_nothing) {
  random_numbers random(test.seed);
  const long before = blocks;
  {
    wherry::deep::arena arena;
    for (int round = 0; round < 20; ++round) {
      const auto bytes = random_zoo(random);
      {
        zoo copy;
        read_from(bytes, copy, {.arena = &arena});
        CHECK_EQUAL(packed(copy).size(), bytes.size());
      }
      arena.clear();
      CHECK_EQUAL(counted::alive(), 0);
    }
  }
  CHECK_EQUAL(blocks.load(), before);
}

WHERRY_UNIT_TEST(deep_damaged_streams) {
  random_numbers random(test.seed);
  for (int round = 0; round < 3; ++round) read_damaged<zoo>(test, random_zoo(random), 30);
}

WHERRY_UNIT_TEST(deep_every_truncation) {
  random_numbers random(test.seed);
  const auto bytes = random_zoo(random);
  first_failure();
  const long before = blocks;
  for (std::size_t n = 0; n < bytes.size(); n += 1 + n / 40) {
    CHECK(!survives<zoo>({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n)}, nullptr));
    if (!CHECK_EQUAL(blocks.load(), before)) {
      FAIL(wherry::detail::text("after ", n, " of ", bytes.size(), " bytes"));
      break;
    }
  }
  {
    auto longer = bytes;
    longer.push_back({});
    CHECK(!survives<zoo>(longer, nullptr));
  }
  CHECK_EQUAL(blocks.load(), before);
}

WHERRY_UNIT_TEST(deep_random_bytes) {
  random_numbers random(test.seed);
  first_failure();
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(random.between(0, 2000)));
    const int zeros = random.between(0, 100);
    for (auto& b : bytes) b = random.chance(zeros) ? std::byte{0} : static_cast<std::byte>(random.next());
    const long before = blocks;
    survives<zoo>(bytes, nullptr);
    survives<std::vector<std::map<std::string, std::optional<std::string>>>>(bytes, nullptr);
    survives<zoo*>(bytes, nullptr);
    survives<std::vector<std::shared_ptr<animal>>>(bytes, nullptr);
    if (!CHECK_EQUAL(blocks.load(), before)) break;
  }
}

WHERRY_UNIT_TEST(deep_hostile_counts) {
  for (const std::uint64_t n : {std::uint64_t{5}, std::uint64_t{1} << 31, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    std::vector<std::byte> bytes(16);
    std::memcpy(bytes.data(), &n, 8);
    largest = 0;
    CHECK(!survives<std::vector<double>>(bytes, nullptr));
    CHECK(!survives<std::vector<zoo>>(bytes, nullptr));
    CHECK(!survives<std::vector<zoo*>>(bytes, nullptr) || n == 5);
    CHECK(!survives<std::list<std::string>>(bytes, nullptr));
    CHECK(!survives<std::map<int, double>>(bytes, nullptr));
    CHECK(!survives<std::vector<bool>>(bytes, nullptr) || n == 5);
    CHECK(largest < 100'000);
  }
}
