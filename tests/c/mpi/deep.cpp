// Deep copies by the C interface: structures that a table describes.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "wherry.h"

#include "c/says.hpp"
#include "harness/harness.hpp"

namespace {

using namespace wherry_test;

/// Arrays in use, so that a test finds what is lost. A malloc that runs out after a while, too.
struct counted_memory {
  long in_use = 0, left = -1;  // left: how many more are given; negative: all

  static void* allocate(std::size_t bytes, void* context) {
    auto& all = *static_cast<counted_memory*>(context);
    if (all.left == 0) return nullptr;
    if (all.left > 0) --all.left;
    ++all.in_use;
    return std::malloc(bytes);
  }
  static void release(void* memory, void* context) {
    --static_cast<counted_memory*>(context)->in_use;
    std::free(memory);
  }
  template <class T> T* make(std::size_t count = 1) {
    auto* const made = static_cast<T*>(allocate(std::max<std::size_t>(1, count * sizeof(T)), this));
    if (count > 0) std::memset(static_cast<void*>(made), 0, count * sizeof(T));
    return made;
  }
  wherry_deep_options options() {
    wherry_deep_options result = WHERRY_INIT(wherry_deep_options);
    result.allocate = allocate;
    result.release = release;
    result.context = this;
    return result;
  }
};

/// A structure with a pointer of each kind.
struct node {
  char* name;
  short count;
  double* values;        // `count` of them
  const double* middle;  // into `values`
  node* children;        // `child_count`, side by side
  std::int64_t child_count;
  node* parent;   // shared
  node** others;  // two pointers, shared
  void* scratch;  // forgotten
  struct {
    int* pair;  // two numbers
  } nested;
};

extern const wherry_deep_type node_type;
const wherry_deep_pointer link_pointers[] = {{0, WHERRY_SHARES, &node_type, 0, 0, 0, 0, 0}};
const wherry_deep_type link_type = {"link", sizeof(node*), 1, link_pointers};
const wherry_deep_pointer node_pointers[] = {
    {offsetof(node, name), WHERRY_POINTS_TO_TEXT, nullptr, 0, 0, 0, 0, 0},
    {offsetof(node, values), WHERRY_OWNS, nullptr, sizeof(double), 0, offsetof(node, count), sizeof(short), 0},
    {offsetof(node, middle), WHERRY_POINTS_INTO, nullptr, sizeof(double), 0, 0, 0, offsetof(node, values)},
    {offsetof(node, children), WHERRY_OWNS, &node_type, 0, 0, offsetof(node, child_count), sizeof(std::int64_t), 0},
    {offsetof(node, parent), WHERRY_SHARES, &node_type, 0, 0, 0, 0, 0},
    {offsetof(node, others), WHERRY_OWNS, &link_type, 0, 2, 0, 0, 0},
    {offsetof(node, scratch), WHERRY_FORGETS, nullptr, 0, 0, 0, 0, 0},
    {offsetof(node, nested), WHERRY_OWNS, nullptr, sizeof(int), 2, 0, 0, 0}};
const wherry_deep_type node_type = {"node", sizeof(node), 8, node_pointers};

/// A random tree of nodes, with links between the first children of their arrays, and back to the root.
class forest {
 public:
  forest(std::mt19937_64& random, counted_memory& memory) : random_(random), memory_(memory) {
    root = memory.make<node>();
    fill(*root, 3);
    for (auto* const one : all_) {
      if (pick(2) == 0) continue;
      one->others = memory.make<node*>(2);
      one->others[0] = firsts_.empty() || pick(3) == 0
                           ? root
                           : firsts_[static_cast<std::size_t>(pick(static_cast<int>(firsts_.size())))];
    }
  }
  node* root = nullptr;

 private:
  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  void fill(node& one, int depth) {
    all_.push_back(&one);
    const std::string name(static_cast<std::size_t>(pick(30)), static_cast<char>('a' + pick(26)));
    if (pick(5) != 0) one.name = std::strcpy(memory_.make<char>(name.size() + 1), name.c_str());
    one.count = static_cast<short>(pick(6));
    if (pick(4) != 0) {
      one.values = memory_.make<double>(static_cast<std::size_t>(one.count));
      for (short i = 0; i < one.count; ++i) one.values[i] = pick(1000);
      if (pick(2) == 0) one.middle = one.values + pick(one.count + 1);
    }
    one.scratch = this;
    if (pick(2) == 0) {
      one.nested.pair = memory_.make<int>(2);
      one.nested.pair[0] = pick(100);
    }
    one.parent = pick(2) == 0 ? root : nullptr;
    if (depth == 0 || pick(4) == 0) return;
    // One child can be linked to, as its array; several cannot.
    one.child_count = 1 + pick(3);
    one.children = memory_.make<node>(static_cast<std::size_t>(one.child_count));
    for (std::int64_t i = 0; i < one.child_count; ++i) fill(one.children[i], depth - 1);
  }
  std::mt19937_64& random_;
  counted_memory& memory_;
  std::vector<node*> all_, firsts_;
};

/// Compares two structures, and which pointers are equal.
class comparison {
 public:
  bool same(const node* a, const node* b) {
    if (a == nullptr || b == nullptr) return a == b;
    if (const auto known = seen_.find(a); known != seen_.end()) return known->second == b;
    seen_[a] = b;
    if (a->count != b->count || a->child_count != b->child_count || b->scratch != nullptr) return false;
    if ((a->name == nullptr) != (b->name == nullptr) || (a->name != nullptr && std::strcmp(a->name, b->name) != 0))
      return false;
    if ((a->values == nullptr) != (b->values == nullptr)) return false;
    if (a->values != nullptr && !std::equal(a->values, a->values + a->count, b->values)) return false;
    if ((a->middle == nullptr) != (b->middle == nullptr)) return false;
    if (a->middle != nullptr && a->middle - a->values != b->middle - b->values) return false;
    if ((a->nested.pair == nullptr) != (b->nested.pair == nullptr)) return false;
    if (a->nested.pair != nullptr && a->nested.pair[0] != b->nested.pair[0]) return false;
    if ((a->children == nullptr) != (b->children == nullptr) || (a->others == nullptr) != (b->others == nullptr))
      return false;
    if (!same(a->parent, b->parent)) return false;
    for (int i = 0; a->others != nullptr && i < 2; ++i)
      if (!same(a->others[i], b->others[i])) return false;
    for (std::int64_t i = 0; a->children != nullptr && i < a->child_count; ++i)
      if (!same(&a->children[i], &b->children[i])) return false;
    return true;
  }

 private:
  std::unordered_map<const node*, const node*> seen_;
};

struct link_of_list {
  std::int64_t number;
  link_of_list* next;
};
extern const wherry_deep_type list_type;
const wherry_deep_pointer list_pointers[] = {{offsetof(link_of_list, next), WHERRY_OWNS, &list_type, 0, 0, 0, 0, 0}};
const wherry_deep_type list_type = {"list", sizeof(link_of_list), 1, list_pointers};

}  // namespace

WHERRY_TEST(structures_are_packed_and_made_again, ranks(1)) {
  std::mt19937_64 random(test.seed);
  for (int round = 0; round < 40; ++round) {
    counted_memory mine, others;
    const auto with_mine = mine.options(), with_others = others.options();
    forest all(random, mine);
    void *bytes = nullptr, *copy = nullptr;
    std::int64_t size = 0, count = 0;
    succeeds(wherry_deep_pack(&node_type, all.root, 1, &bytes, &size, nullptr));
    succeeds(wherry_deep_unpack(&node_type, bytes, size, &copy, &count, &with_others));
    CHECK_EQUAL(count, 1);
    CHECK(comparison().same(all.root, static_cast<node*>(copy)));
    CHECK_EQUAL(others.in_use, mine.in_use);
    succeeds(wherry_deep_free(&node_type, &copy, 1, &with_others));
    CHECK(copy == nullptr);
    CHECK_EQUAL(others.in_use, 0);
    // Bytes that were cut off or changed never do harm, and lose nothing.
    for (int i = 0; i < 60; ++i) {
      std::vector<unsigned char> wrong(static_cast<unsigned char*>(bytes), static_cast<unsigned char*>(bytes) + size);
      if (i % 2 == 0)
        wrong.resize(random() % wrong.size());
      else
        wrong[random() % wrong.size()] ^= static_cast<unsigned char>(1 + random() % 255);
      const auto status = wherry_deep_unpack(&node_type, wrong.data(), static_cast<std::int64_t>(wrong.size()), &copy,
                                             &count, &with_others);
      if (status == WHERRY_SUCCESS)
        succeeds(wherry_deep_free(&node_type, &copy, count, &with_others));
      else
        CHECK(copy == nullptr);
      CHECK_EQUAL(others.in_use, 0);
      if (i % 2 == 0) CHECK(status != WHERRY_SUCCESS);
    }
    // So does memory that runs out.
    others.left = static_cast<long>(random() % static_cast<unsigned long>(mine.in_use));
    fails("no memory", wherry_deep_unpack(&node_type, bytes, size, &copy, &count, &with_others), WHERRY_ERROR_RESOURCE,
          "too little memory");
    CHECK_EQUAL(others.in_use, 0);
    std::free(bytes);
    void* root = all.root;
    succeeds(wherry_deep_free(&node_type, &root, 1, &with_mine));
    CHECK_EQUAL(mine.in_use, 0);
  }
}

WHERRY_TEST(structures_travel, ranks(1, 2, 3, 4)) {
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  std::mt19937_64 random(test.seed);  // in the same state on all ranks: each makes what the others get
  for (int round = 0; round < 10; ++round) {
    counted_memory memory;
    auto options = memory.options();
    options.tag = round;
    forest all(random, memory);
    const int from = round % test.size;
    void* copy = test.rank == from ? all.root : nullptr;
    succeeds(wherry_deep_bcast(comm, &node_type, &copy, nullptr, from, &options));
    if (test.rank != from) {
      CHECK(comparison().same(all.root, static_cast<node*>(copy)));
      succeeds(wherry_deep_free(&node_type, &copy, 1, &options));
    }
    // Around the ring.
    const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
    int source = -1;
    std::int64_t count = 0;
    copy = nullptr;
    if (test.rank % 2 == 0 || test.size == 1) succeeds(wherry_deep_send(comm, &node_type, all.root, 1, next, &options));
    succeeds(wherry_deep_receive(comm, &node_type, &copy, &count,
                                 round % 3 == 0 && test.size < 3 ? MPI_ANY_SOURCE : before, &source, &options));
    if (test.rank % 2 != 0) succeeds(wherry_deep_send(comm, &node_type, all.root, 1, next, &options));
    CHECK_EQUAL(source, before);
    CHECK_EQUAL(count, 1);
    CHECK(comparison().same(all.root, static_cast<node*>(copy)));
    succeeds(wherry_deep_free(&node_type, &copy, 1, &options));
    void* root = all.root;
    succeeds(wherry_deep_free(&node_type, &root, 1, &options));
    CHECK_EQUAL(memory.in_use, 0);
  }
  succeeds(wherry_communicator_free(&comm));
}

WHERRY_TEST(long_lists_need_no_stack, ranks(1, 2)) {
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  void* list = nullptr;
  if (test.rank == 0)
    for (std::int64_t i = 300'000; i-- > 0;) {
      auto* const one = static_cast<link_of_list*>(std::malloc(sizeof(link_of_list)));
      *one = {i, static_cast<link_of_list*>(list)};
      list = one;
    }
  succeeds(wherry_deep_bcast(comm, &list_type, &list, nullptr, 0, nullptr));
  std::int64_t length = 0;
  bool right = true;
  for (auto* one = static_cast<link_of_list*>(list); one != nullptr; one = one->next)
    right = right && one->number == length++;
  CHECK(right);
  CHECK_EQUAL(length, 300'000);
  succeeds(wherry_deep_free(&list_type, &list, 1, nullptr));
  // A list of nothing.
  succeeds(wherry_deep_bcast(comm, &list_type, &list, nullptr, 0, nullptr));
  CHECK(list == nullptr);
  succeeds(wherry_communicator_free(&comm));
}

WHERRY_TEST(structures_are_kept_in_files, ranks(1)) {
  std::mt19937_64 random(test.seed);
  counted_memory memory;
  auto options = memory.options();
  options.no_sync = 1;
  forest all(random, memory);
  const std::string path = "c_deep_" + std::to_string(test.seed) + ".deep";
  succeeds(wherry_deep_write(path.c_str(), &node_type, all.root, 1, &options));
  void* copy = nullptr;
  succeeds(wherry_deep_read(path.c_str(), &node_type, &copy, nullptr, &options));
  CHECK(comparison().same(all.root, static_cast<node*>(copy)));
  succeeds(wherry_deep_free(&node_type, &copy, 1, &options));
  fails("another type", wherry_deep_read(path.c_str(), &list_type, &copy, nullptr, &options), WHERRY_ERROR_MISMATCH,
        "'list'");
  std::remove(path.c_str());
  fails("no file", wherry_deep_read(path.c_str(), &node_type, &copy, nullptr, &options), WHERRY_ERROR_ARGUMENT, path);
  // Three structures, and none.
  link_of_list three[3] = {{1, nullptr}, {2, nullptr}, {3, nullptr}};
  std::int64_t count = -1;
  succeeds(wherry_deep_write(path.c_str(), &list_type, three, 3, &options));
  fails("three", wherry_deep_read(path.c_str(), &list_type, &copy, nullptr, &options), WHERRY_ERROR_MISMATCH,
        "3 structures");
  succeeds(wherry_deep_read(path.c_str(), &list_type, &copy, &count, &options));
  CHECK_EQUAL(count, 3);
  CHECK_EQUAL(static_cast<link_of_list*>(copy)[2].number, 3);
  succeeds(wherry_deep_free(&list_type, &copy, count, &options));
  succeeds(wherry_deep_write(path.c_str(), &list_type, nullptr, 0, &options));
  succeeds(wherry_deep_read(path.c_str(), &list_type, &copy, &count, &options));
  CHECK_EQUAL(count, 0);
  CHECK(copy == nullptr);
  std::remove(path.c_str());
  void* root = all.root;
  succeeds(wherry_deep_free(&node_type, &root, 1, &options));
  CHECK_EQUAL(memory.in_use, 0);
}

WHERRY_TEST(wrong_tables_and_structures_are_errors, ranks(1)) {
  const auto wrong = WHERRY_ERROR_ARGUMENT;
  void *bytes = nullptr, *place = nullptr;
  std::int64_t size = 0;
  link_of_list one{1, nullptr};
  const auto pack = [&](const wherry_deep_type* type, const void* root, std::int64_t count = 1) {
    return wherry_deep_pack(type, root, count, &bytes, &size, nullptr);
  };
  const auto wrong_pointer = [&](const char* title, const char* words, auto change) {
    auto pointer = list_pointers[0];
    change(pointer);
    const wherry_deep_type type{"list", sizeof one, 1, &pointer};
    fails(title, pack(&type, &one), wrong, words);
  };
  wrong_pointer("offset", "has the offset 12", [](auto& p) { p.offset = 12; });
  wrong_pointer("kind", "is of the kind 9", [](auto& p) { p.kind = 9; });
  wrong_pointer("no size", "neither a 'target' nor 'element_bytes'", [](auto& p) { p.target = nullptr; });
  wrong_pointer("count", "has the count -1", [](auto& p) { p.count = -1; });
  wrong_pointer("bytes", "has a count of 3 bytes", [](auto& p) { p.count_bytes = 3; });
  wrong_pointer("place", "has its count at the offset 15", [](auto& p) { p.count_offset = 15, p.count_bytes = 4; });
  wrong_pointer("base", "has the base offset 0",
                [](auto& p) { p.kind = WHERRY_POINTS_INTO, p.element_bytes = 8, p.target = nullptr; });
  wrong_pointer("target", "has a 'target', which its base has",
                [](auto& p) { p.kind = WHERRY_POINTS_INTO, p.element_bytes = 8; });
  const wherry_deep_type nameless{nullptr, 8, 0, nullptr}, empty{"empty", 0, 0, nullptr}, listless{"l", 8, 1, nullptr};
  fails("no name", pack(&nameless, &one), wrong, "a type has no name");
  fails("no size", pack(&empty, &one), wrong, "has the size 0");
  fails("no pointers", pack(&listless, &one), wrong, "but no list of them");
  fails("no type", pack(nullptr, &one), wrong, "'type' is NULL");
  fails("no root", pack(&list_type, nullptr), wrong, "'root' is NULL");
  fails("count", pack(&list_type, &one, -1), wrong, "'count' is -1");
  fails("count", pack(&list_type, &one, INT64_MAX), wrong, "more than memory holds");
  fails("no result", wherry_deep_pack(&list_type, &one, 1, nullptr, &size, nullptr), wrong, "'bytes' is NULL");
  fails("no place", wherry_deep_unpack(&list_type, &one, 1, nullptr, nullptr, nullptr), wrong, "'root' is NULL");
  place = &one;
  fails("full", wherry_deep_unpack(&list_type, &one, 1, &place, nullptr, nullptr), wrong, "'*root' is not NULL");
  place = nullptr;
  fails("short", wherry_deep_unpack(&list_type, &one, 1, &place, nullptr, nullptr), wrong, "damaged");
  fails("no path", wherry_deep_write(nullptr, &list_type, &one, 1, nullptr), wrong, "'path' is NULL");
  wherry_deep_options options = WHERRY_INIT(wherry_deep_options);
  options.release = counted_memory::release;
  fails("half", wherry_deep_pack(&list_type, &one, 1, &bytes, &size, &options), wrong, "but not the other");

  // Structures that do not fit their table.
  one.next = &one;
  fails("a cycle", pack(&list_type, &one), wrong, "both of them are WHERRY_SHARES");
  link_of_list two[2] = {{1, nullptr}, {2, nullptr}};
  two[0].next = &two[1];
  fails("inside", pack(&list_type, two, 2), wrong, "leads into an array");
  node odd{};
  double value = 0;
  odd.count = -3;
  odd.values = &value;
  fails("negative", pack(&node_type, &odd), wrong, "has -3 elements");
  odd.count = 1;
  odd.middle = &value + 2;
  fails("beyond", pack(&node_type, &odd), wrong, "does not point into the array");
}

WHERRY_TEST(what_one_rank_cannot_send_is_an_error_of_both, ranks(2, 3)) {
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  link_of_list one{1, nullptr};
  one.next = &one;
  void* copy = nullptr;
  if (test.rank == 0)
    fails("sender", wherry_deep_send(comm, &list_type, &one, 1, 1, nullptr), WHERRY_ERROR_ARGUMENT, "WHERRY_SHARES");
  if (test.rank == 1) {
    fails("receiver", wherry_deep_receive(comm, &list_type, &copy, nullptr, 0, nullptr, nullptr), WHERRY_ERROR_MISMATCH,
          "rank 0 could not send");
    CHECK(copy == nullptr);
  }
  wherry_deep_options tagged = WHERRY_INIT(wherry_deep_options);
  tagged.tag = 5;
  auto half = tagged;
  half.allocate = [](std::size_t, void*) -> void* { return nullptr; };
  if (test.rank == 0)
    fails("options", wherry_deep_send(comm, &list_type, &one, 1, 1, &half), WHERRY_ERROR_ARGUMENT, "'allocate'");
  if (test.rank == 1)
    fails("options there", wherry_deep_receive(comm, &list_type, &copy, nullptr, 0, nullptr, &tagged),
          WHERRY_ERROR_MISMATCH, "rank 0 could not send");
  if (test.rank == 0) copy = &one;
  fails("bcast", wherry_deep_bcast(comm, &list_type, &copy, nullptr, 0, nullptr), WHERRY_ERROR_ARGUMENT,
        "WHERRY_SHARES");
  one.next = nullptr;
  fails("a rank's type", wherry_deep_bcast(comm, test.rank == 1 ? nullptr : &list_type, &copy, nullptr, 0, nullptr),
        WHERRY_ERROR_ARGUMENT, "'type' is NULL");
  fails("root", wherry_deep_bcast(comm, &list_type, &copy, nullptr, 77, nullptr), WHERRY_ERROR_ARGUMENT,
        "'from' is 77");
  succeeds(wherry_deep_bcast(comm, &list_type, &copy, nullptr, 0, nullptr));
  if (test.rank != 0) succeeds(wherry_deep_free(&list_type, &copy, 1, nullptr));
  // Another type.
  if (test.rank == 0) succeeds(wherry_deep_send(comm, &list_type, &one, 1, 1, nullptr));
  if (test.rank == 1)
    fails("type", wherry_deep_receive(comm, &node_type, &copy, nullptr, 0, nullptr, nullptr), WHERRY_ERROR_MISMATCH,
          "described in another way than 'node'");
  fails("nobody", wherry_deep_send(comm, &list_type, &one, 1, 99, nullptr), WHERRY_ERROR_ARGUMENT, "99");
  fails("no communicator", wherry_deep_send(nullptr, &list_type, &one, 1, 0, nullptr), WHERRY_ERROR_ARGUMENT,
        "'comm' is NULL");
  succeeds(wherry_communicator_free(&comm));
}
