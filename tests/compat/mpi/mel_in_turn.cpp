// Deep-copy functions that look behind what they have just packed, as the paper's library lets them.
#include <list>
#include <numeric>
#include <vector>

#include "MEL_deepcopy.hpp"
#include "harness/harness.hpp"

namespace {

constexpr int tag = 5;

// A head with a function of its own, and what lies behind it says how long the rest is.
struct Head {
  int parts = 0;
  int* lengths = nullptr;
  std::vector<int> more;
  template <class MSG> void DeepCopy(MSG& msg) {
    msg.packPtr(lengths, parts);
    msg & more;
  }
};
struct Item {
  std::list<int> sizes;
  double* values = nullptr;
  template <class MSG> void DeepCopy(MSG& msg) {
    msg & sizes;
    if (!sizes.empty()) msg.packPtr(values, std::accumulate(sizes.begin(), sizes.end(), 0));
  }
};
struct Whole {
  Head *head = nullptr, *shared = nullptr;
  int* count = nullptr;  // shared with nobody, but said so
  double** parts = nullptr;
  std::vector<Item> items;
  std::vector<char*> texts;  // one an item, as long as its first size
  template <class MSG> void DeepCopy(MSG& msg) {
    msg.packPtr(head);
    msg.packSharedPtr(shared);
    if (head == nullptr || shared == nullptr) return;
    msg.packPtr(parts, head->parts);
    for (int i = 0; i < head->parts; ++i) msg.packPtr(parts[i], head->lengths[i] + shared->more[0]);
    msg.packSharedPtr(count, shared->lengths[0]);
    msg & items & texts;
    for (std::size_t i = 0; i < texts.size(); ++i) msg.packPtr(texts[i], items[i].sizes.front());
  }
};

Head* make_head(int parts) {
  Head* head = MEL::MemConstruct<Head>();
  head->parts = parts;
  head->lengths = MEL::MemAlloc<int>(parts);
  for (int i = 0; i < parts; ++i) head->lengths[i] = i + 2;
  head->more = {3, 1};
  return head;
}
Whole* make_whole(int parts) {
  Whole* x = MEL::MemConstruct<Whole>();
  x->head = make_head(parts);
  x->shared = make_head(2);
  x->count = MEL::MemAlloc<int>(2, 7);
  x->parts = MEL::MemAlloc<double*>(parts);
  for (int i = 0; i < parts; ++i) x->parts[i] = MEL::MemAlloc<double>(i + 5, 0.5 * i);
  x->items.resize(3);
  for (int i = 0; i < 3; ++i) {
    Item& item = x->items[static_cast<std::size_t>(i)];
    item.sizes = {i + 1, 2};
    item.values = MEL::MemAlloc<double>(i + 3, i);
    x->texts.push_back(MEL::MemAlloc<char>(i + 1, static_cast<char>('a' + i)));
  }
  return x;
}
void check_whole(const Whole* x, int parts) {
  REQUIRE(x != nullptr && x->head != nullptr && x->shared != nullptr && x->head != x->shared);
  REQUIRE(x->head->parts == parts && x->head->more == (std::vector{3, 1}) && x->shared->lengths[1] == 3);
  for (int i = 0; i < parts; ++i)
    for (int j = 0; j < i + 5; ++j) CHECK_EQUAL(x->parts[i][j], 0.5 * i);
  CHECK(x->count[0] == 7 && x->count[1] == 7);
  REQUIRE(x->items.size() == 3 && x->texts.size() == 3);
  for (int i = 0; i < 3; ++i) {
    const auto at = static_cast<std::size_t>(i);
    CHECK(x->items[at].sizes == (std::list{i + 1, 2}));
    for (int j = 0; j < i + 3; ++j) CHECK_EQUAL(x->items[at].values[j], double(i));
    for (int j = 0; j <= i; ++j) CHECK_EQUAL(x->texts[at][j], static_cast<char>('a' + i));
  }
}
void free_whole(Whole*& x) {
  for (int i = 0; i < x->head->parts; ++i) MEL::MemFree(x->parts[i]);
  MEL::MemFree(x->parts, x->count, x->head->lengths, x->shared->lengths);
  for (auto& item : x->items) MEL::MemFree(item.values);
  for (auto& text : x->texts) MEL::MemFree(text);
  MEL::MemDestruct(x->head);
  MEL::MemDestruct(x->shared);
  MEL::MemDestruct(x);
}

// Two that lead to one another, and to themselves.
struct Person {
  int number = 0, friends_number = -1, seen = 0;
  Person *other = nullptr, *self = nullptr;
  template <class MSG> void DeepCopy(MSG& msg) {
    msg.packSharedPtr(other);
    msg.packSharedPtr(self);
    seen = other->number + self->number;  // in all passes
  }
};

// A chain in which each looks at the next one, which beyond 64 is not there yet.
struct Link {
  int number = 0;
  Link* next = nullptr;
  int* value = nullptr;
  template <class MSG> void DeepCopy(MSG& msg) {
    msg.packPtr(next);
    if (next != nullptr && next->value == value && value != nullptr) ++number;  // looks, and finds nothing
    msg.packPtr(value);
  }
};

// Of Wherry and of MEL, with what is shared around and inside.
struct Inner {
  int* p = nullptr;
  std::vector<Head> heads;
  template <class MSG> void DeepCopy(MSG& msg) {
    msg.packSharedPtr(p, 2);
    msg & heads;
    for (auto& head : heads) p[0] += 0 * head.lengths[0];
  }
};
struct Outer {
  double *a = nullptr, *b = nullptr;
  Inner first, second;
  template <class Message> void describe(Message& m) {
    m.shared(a);
    m(first);
    m.shared(b);
    m(second);
  }
};

}  // namespace

WHERRY_TEST(mel_looks_behind_pointers, ranks(1, 2, 3, 4)) {
  const MEL::Comm comm(test.comm);
  for (const int parts : {1, 2, 30}) {
    Whole* x = test.rank == 0 ? make_whole(parts) : nullptr;
    MEL::Deep::Bcast(x, 0, comm);
    check_whole(x, parts);
    free_whole(x);
    if (test.rank == 0) {
      x = make_whole(parts);
      for (int dst = 0; dst < test.size; ++dst) MEL::Deep::BufferedSend(x, dst, tag, comm);
      free_whole(x);
    }
    MEL::Deep::Recv(x, 0, tag, comm);
    check_whole(x, parts);
    free_whole(x);
  }
}

WHERRY_TEST(mel_looks_around_cycles, ranks(1, 2, 3, 4)) {
  Person* x = nullptr;
  if (test.rank == 0) {
    x = MEL::MemConstruct<Person>();
    x->other = MEL::MemConstruct<Person>();
    x->self = x;
    *x->other = {2, -1, 0, x, x->other};
    x->number = 1;
  }
  MEL::Deep::Bcast(x, 0, MEL::Comm(test.comm));
  REQUIRE(x != nullptr && x->self == x && x->other != x && x->other->other == x && x->other->self == x->other);
  CHECK(x->number == 1 && x->other->number == 2 && x->seen == 3 && x->other->seen == 3);
  MEL::MemDestruct(x->other);
  MEL::MemDestruct(x);
}

WHERRY_TEST(mel_looks_along_a_chain, ranks(1, 2, 3)) {
  for (const int links : {1, 63, 64, 65, 66, 1000, 100000}) {
    Link* x = nullptr;
    if (test.rank == 0)
      for (int i = links; i > 0; --i) {
        Link* link = MEL::MemConstruct<Link>();
        *link = {i, x, MEL::MemAlloc<int>(1, -i)};
        x = link;
      }
    MEL::Deep::Bcast(x, 0, MEL::Comm(test.comm));
    int right = 0;
    while (x != nullptr) {
      right += x->number == right + 1 && *x->value == -x->number ? 1 : 0;
      Link* next = x->next;
      MEL::MemFree(x->value);
      MEL::MemDestruct(x);
      x = next;
    }
    CHECK_EQUAL(right, links);
  }
}

WHERRY_TEST(mel_inside_of_wherrys, ranks(1, 2, 3)) {
  Outer x;
  if (test.rank == 0) {
    x.a = new double(0.5);
    x.b = new double(1.5);
    x.first.p = x.second.p = MEL::MemAlloc<int>(2, 9);
    for (Inner* inner : {&x.first, &x.second})
      for (int i = 1; i < 4; ++i) {
        inner->heads.push_back({i, MEL::MemAlloc<int>(i, i), {i}});
      }
  }
  if (test.rank == 0) {
    for (int dst = 1; dst < test.size; ++dst) wherry::deep::send(test.comm, x, dst);
  } else {
    wherry::deep::receive(test.comm, x, 0);
  }
  CHECK(*x.a == 0.5 && *x.b == 1.5 && x.first.p == x.second.p && x.first.p[1] == 9);
  for (Inner* inner : {&x.first, &x.second}) {
    REQUIRE(inner->heads.size() == 3);
    for (int i = 1; i < 4; ++i) {
      Head& head = inner->heads[static_cast<std::size_t>(i - 1)];
      CHECK(head.parts == i && head.lengths[i - 1] == i && head.more == std::vector{i});
      MEL::MemFree(head.lengths);
    }
  }
  MEL::MemFree(x.first.p);
  delete x.a;
  delete x.b;
}
