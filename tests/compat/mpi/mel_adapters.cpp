// What users of MEL's names bring along: hash maps, transports, buffers; and what they do wrong.
#include <cstddef>
#include <deque>
#include <fstream>
#include <list>
#include <numeric>
#include <string>
#include <vector>

#include "compat/mpi/mel_graph.hpp"
#include "compat/mpi/mel_table.hpp"
#include "harness/harness.hpp"
#include "support/array_file_folder.hpp"

using namespace mel_tests;

namespace {

constexpr int tag = 11;

// As in mel.hpp.
struct SortedMap {
  static inline int finds = 0, inserts = 0;

  std::map<const void*, void*> known;
  template <class T> bool find(T* oldPtr, T*& ptr) {
    ++finds;
    const auto at = known.find(oldPtr);
    if (at == known.end()) return false;
    ptr = static_cast<T*>(at->second);
    return true;
  }
  template <class T> void insert(T* oldPtr, T* ptr) {
    ++inserts;
    known.emplace(oldPtr, ptr);
  }
};

class ToQueue {
 public:
  static constexpr bool SOURCE = true;
  explicit ToQueue(std::deque<char>& queue) : queue_(queue) {}
  template <class T> void transport(T*& ptr, const int len) {
    const char* bytes = reinterpret_cast<const char*>(ptr);
    queue_.insert(queue_.end(), bytes, bytes + sizeof(T) * static_cast<std::size_t>(len));
  }

 private:
  std::deque<char>& queue_;
};

class FromQueue {
 public:
  static constexpr bool SOURCE = false;
  explicit FromQueue(std::deque<char>& queue) : queue_(queue) {}
  template <class T> void transport(T*& ptr, const int len) {
    char* bytes = reinterpret_cast<char*>(ptr);
    for (std::size_t i = 0; i < sizeof(T) * static_cast<std::size_t>(len); ++i) {
      bytes[i] = queue_.front();
      queue_.pop_front();
    }
  }

 private:
  std::deque<char>& queue_;
};

// `send(dst)` to the right neighbour and `recv(src)` from the left one, where a send may wait for its receiver.
template <class Send, class Recv> void to_the_right(const wherry_test::context& test, Send send, Recv recv) {
  const int right = (test.rank + 1) % test.size, left = (test.rank + test.size - 1) % test.size;
  if (test.rank % 2 == 0) send(right);
  recv(left);
  if (test.rank % 2 != 0) send(right);
}

// The error's text where `call` throws one of `kind`, else "".
template <class Call> std::string refused(wherry::error_kind kind, Call call) {
  try {
    call();
  } catch (const wherry::error& e) {
    if (e.kind() == kind) return e.what();
    return wherry::detail::text("of another kind: ", e.what());
  }
  return "";
}
bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

WHERRY_TEST(mel_hash_map, ranks(1, 2, 3, 4, 8)) {
  const MEL::Comm comm(test.comm);
  constexpr int nodes = 20;
  auto* graph = test.rank == 0 ? MakeFullyConnectedGraph(nodes) : nullptr;
  SortedMap::finds = SortedMap::inserts = 0;
  MEL::Deep::Bcast<DiGraphNode<int>, SortedMap>(graph, 0, comm);
  if (test.rank == 0) {
    CHECK(SortedMap::finds >= nodes * nodes);
    CHECK(SortedMap::inserts >= nodes && SortedMap::inserts <= nodes + 1);
  }
  DiGraphNode<int>* again = nullptr;
  if (test.rank == 0)
    for (int dst = 0; dst < test.size; ++dst)
      MEL::Deep::BufferedSend<DiGraphNode<int>, SortedMap>(graph, dst, tag, comm);
  MEL::Deep::Recv(again, 0, tag, comm);
  auto* own = MakeFullyConnectedGraph(nodes);
  CHECK(shape(graph) == shape(own) && shape(again) == shape(own));
  // The paper's own example, plain data.
  int len = 3;
  int* ptr = MEL::MemAlloc<int>(len, test.rank);
  int* from_left = nullptr;
  to_the_right(
      test, [&](int dst) { MEL::Deep::Send<int, SortedMap>(ptr, len, dst, tag, comm); },
      [&](int src) { MEL::Deep::Recv<int, SortedMap>(from_left, 3, src, tag, comm); });
  CHECK_EQUAL(from_left[2], (test.rank + test.size - 1) % test.size);
  MEL::MemFree(ptr);
  MEL::MemFree(from_left);
  for (auto* g : {graph, again, own}) DestructGraph(g);
  // The default by itself.
  MEL::Deep::PointerHashMap map;
  int a = 0, b = 0, *found = nullptr;
  CHECK(!map.find(&a, found) && found == nullptr);
  map.insert(&a, &b);
  CHECK(map.find(&a, found) && found == &b && !map.find(&b, found));
}

WHERRY_TEST(mel_table, ranks(1, 2, 3, 4, 8)) {
  const MEL::Comm comm(test.comm);
  for (const int rows : {0, 1, 9, 200}) {
    Table t = test.rank == 0 ? make_table(rows) : Table();
    MEL::Deep::Bcast(t, 0, comm);
    check_table(t, rows);
    Table* next = MEL::MemAlloc<Table>(2, Table());
    next[0] = make_table(rows);
    next[1] = make_table(rows + 1);
    int len = 0;
    Table* from_left = nullptr;
    to_the_right(
        test, [&](int dst) { MEL::Deep::Send<Table, SortedMap>(next, 2, dst, tag, comm); },
        [&](int src) { MEL::Deep::BufferedRecv(from_left, len, src, tag, comm); });
    REQUIRE(len == 2);
    for (Table* tables : {next, from_left}) {
      for (int i = 0; i < 2; ++i) {
        check_table(tables[i], rows + i);
        free_table(tables[i]);
      }
      MEL::MemDestruct(tables, 2);
    }
    free_table(t);
  }
}

WHERRY_TEST(mel_transports, ranks(1, 2, 3, 4)) {
  using namespace MEL::Deep;
  const MEL::Comm comm(test.comm);
  const wherry_test::folder place(test);
  for (const int nodes : {1, 5, 300}) {
    auto* graph = MakeRandomGraph(nodes);
    const auto expected = shape(graph);
    const auto check = [&](DiGraphNode<int>* arrived) {
      REQUIRE(arrived != nullptr && arrived != graph);
      CHECK(shape(arrived) == expected);
      DestructGraph(arrived);
    };
    DiGraphNode<int>* x = nullptr;
    {  // a user's own
      std::deque<char> queue;
      Message<ToQueue> msg(queue);
      msg.packRootPtr(graph);
      std::vector<StructA> list{{{1}}, {{2, 3}}};
      msg.packRootSTL<StructA, StructA_DeepCopy>(list);
      int number = 5;
      msg.packRootVar(number);
      Message<FromQueue, SortedMap> in(queue);
      in.packRootPtr(x);
      list.clear();
      number = 0;
      in.packRootSTL<StructA, StructA_DeepCopy>(list);
      in.packRootVar(number);
      CHECK(list.size() == 2 && list[1].arr == (std::vector{2, 3}) && number == 5 && queue.empty());
      check(x);
    }
    {  // a user's own buffer (listing 20)
      const int bufferSize = BufferSize(graph);
      char* buffer = MEL::MemAlloc<char>(bufferSize);
      Message<TransportBufferWrite> msg(buffer, bufferSize);
      msg.packRootPtr(graph);
      CHECK_EQUAL(msg.getOffset(), bufferSize);
      MEL::Deep::Send(buffer, msg.getOffset(), test.rank, tag, comm);
      int arrived = 0;
      char* copy = nullptr;
      MEL::Deep::Recv(copy, arrived, test.rank, tag, comm);
      Message<TransportBufferRead> in(copy, arrived);
      in.packRootPtr(x = nullptr);
      check(x);
      Message<TransportBufferWrite> small(buffer, bufferSize - 1);
      CHECK(has(refused(wherry::error_kind::resource, [&] { small.packRootPtr(graph); }), "too small"));
      Message<TransportBufferRead> cut(copy, arrived - 1);
      CHECK(has(refused(wherry::error_kind::resource, [&] { cut.packRootPtr(x = nullptr); }),
                "before the object is complete"));
      MEL::MemFree(buffer);
      MEL::MemFree(copy);
    }
    {  // broadcast
      if (test.rank == 0) {
        Message<TransportBcastRoot> msg(comm);
        msg.packRootPtr(graph);
      } else {
        Message<TransportBcast> msg(0, comm);
        msg.packRootPtr(x = nullptr);
        check(x);
      }
    }
    if (test.rank < 2 && test.size > 1) {
      if (test.rank == 0) {
        Message<TransportSend> msg(1, tag, comm);
        msg.packRootPtr(graph);
      } else {
        Message<TransportRecv> msg(0, tag, comm);
        msg.packRootPtr(x = nullptr);
        check(x);
      }
    }
    {  // files
      const auto name = place / ("stream" + std::to_string(test.rank));
      {
        std::ofstream out(name, std::ios::binary);
        Message<TransportSTLFileWrite> msg(out);
        msg.packRootPtr(graph);
      }
      std::ifstream in(name, std::ios::binary);
      Message<TransportSTLFileRead> msg(in);
      msg.packRootPtr(x = nullptr);
      check(x);
      auto file = MEL::FileOpen(MEL::Comm::SELF, name + ".mpi", MEL::FileMode::CREATE | MEL::FileMode::READ_WRITE);
      Message<TransportFileWrite>(file).packRootPtr(graph);
      MEL::FileSeek(file, 0);
      Message<TransportFileRead>(file).packRootPtr(x = nullptr);
      check(x);
      MEL::FileClose(file);
    }
    DestructGraph(graph);
  }
}

WHERRY_TEST(mel_lengths, ranks(1, 2, 3, 4, 8)) {
  using wherry::error_kind;
  const MEL::Comm comm(test.comm);
  int five = 5, *p = test.rank == 0 ? MEL::MemAlloc<int>(5, 9) : nullptr;
  const int root_length = 5, wrong = 4;
  // A constant is compared, on each rank by itself.
  int* q = p;
  const auto text =
      refused(error_kind::mismatch, [&] { MEL::Deep::Bcast(q, test.rank == 0 ? root_length : wrong, 0, comm); });
  CHECK_EQUAL(has(text, "5 elements arrived, expected 4"), test.rank != 0);
  CHECK(q == p);
  MEL::Deep::Bcast(q, 5, 0, comm);
  CHECK_EQUAL(q[4], 9);
  if (test.rank != 0) MEL::MemFree(q);
  // A variable is set.
  q = p;
  int len = test.rank == 0 ? five : -1;
  MEL::Deep::BufferedBcast(q, len, 0, comm);
  CHECK(len == 5 && q[0] == 9);
  if (test.rank != 0) MEL::MemFree(q);
  // Null is nothing.
  q = nullptr;
  len = 3;
  MEL::Deep::Bcast(q, len, 0, comm);
  CHECK(q == nullptr && (test.rank == 0 || len == 0));
  // A negative length on the root is everybody's error.
  q = p;
  len = -3;
  CHECK(!refused(test.rank == 0 ? error_kind::argument : error_kind::mismatch, [&] {
           MEL::Deep::Bcast(q, len, 0, comm);
         }).empty());
  CHECK(q == p);
  // A buffer that is too small, too; the next copy is well.
  std::vector<double> v;
  if (test.rank == 0) v.assign(1000, 0.5);
  const auto small = refused(test.rank == 0 ? error_kind::argument : error_kind::mismatch,
                             [&] { MEL::Deep::BufferedBcast(v, 0, comm, 100); });
  CHECK(!small.empty());
  MEL::Deep::BufferedBcast(v, 0, comm, 10000);
  CHECK(v.size() == 1000 && v[999] == 0.5);
  if (p != nullptr) MEL::MemFree(p);
}

WHERRY_TEST(mel_files, ranks(1, 2, 3)) {
  using wherry::error_kind;
  const wherry_test::folder place(test);
  const auto name = place / ("several" + std::to_string(test.rank));
  int* p = MEL::MemAlloc<int>(4, test.rank);
  std::list<std::string> words{"one", "two"};
  StructA a{{7, 8}};
  {
    std::ofstream out(name, std::ios::binary);
    MEL::Deep::FileWrite(p, 4, out);
    MEL::Deep::BufferedFileWrite(words, out, MEL::Deep::BufferSize(words));
    MEL::Deep::FileWrite<StructA, MEL::Deep::PointerHashMap, StructA_DeepCopy>(a, out);
    CHECK(
        has(refused(error_kind::argument, [&] { MEL::Deep::BufferedFileWrite(p, 4, out, 15); }), "the buffer has 15"));
  }
  {
    std::ifstream in(name, std::ios::binary);
    int len = 0, *q = nullptr;
    MEL::Deep::BufferedFileRead(q, len, in);
    REQUIRE(len == 4 && q[3] == test.rank);
    MEL::MemFree(q);
    words.clear();
    MEL::Deep::FileRead(words, in);
    CHECK(words == (std::list<std::string>{"one", "two"}));
    a.arr.clear();
    MEL::Deep::FileRead<StructA, MEL::Deep::PointerHashMap, StructA_DeepCopy>(a, in);
    CHECK(a.arr == (std::vector{7, 8}));
  }
  {
    std::ifstream in(name, std::ios::binary);
    int* q = nullptr;
    CHECK(!refused(error_kind::mismatch, [&] { MEL::Deep::FileRead(q, 3, in); }).empty());
    CHECK(q == nullptr);
  }
  std::ifstream in(name, std::ios::binary);
  std::vector<double> other;
  CHECK(!refused(error_kind::argument, [&] { MEL::Deep::FileRead(other, in); }).empty());
  MEL::MemFree(p);
}

WHERRY_TEST(mel_shallow, ranks(1, 2, 3, 4, 8)) {
  const MEL::Comm comm(test.comm);
  CHECK(MEL::CommRank(comm) == test.rank && MEL::CommSize(comm) == test.size);
  CHECK(MEL::CommSize(MEL::Comm::SELF) == 1 && MEL::Comm() == MEL::Comm::COMM_NULL);
  double x = test.rank == 0 ? 0.5 : 0;
  MEL::Bcast(x, 0, comm);
  CHECK_EQUAL(x, 0.5);
  std::vector<int> v(10, test.rank == 0 ? 3 : 0);
  if (test.rank == 0)
    for (int dst = 1; dst < test.size; ++dst) MEL::Send(v.data(), 10, dst, tag, comm);
  else
    MEL::Recv(v.data(), 10, 0, tag, comm);
  CHECK_EQUAL(std::accumulate(v.begin(), v.end(), 0), 30);
  const double before = MEL::Wtime();
  MEL::Barrier(comm);
  CHECK(MEL::Wtime() >= before);
  CHECK(has(refused(wherry::error_kind::argument, [] { MEL::MemAlloc<int>(-1); }), "-1"));
  MEL::MemFree<int>(nullptr);
  MEL::MemDestruct<StructA>(nullptr);
  // What is made by Wherry's own names understands it as well.
  auto* graph = test.rank == 0 ? MakeRingGraph(6) : nullptr;
  if (graph != nullptr) {
    DiGraphNode<int> first(*graph);
    CHECK(wherry::deep::packed_bytes(first) > 6 * sizeof(int));
    DestructGraph(graph);
  }
}
