// A Message over one of the paper's transports at one end, and a call of the interface at the other.
#include <fstream>
#include <list>
#include <string>
#include <vector>

#include "compat/mpi/mel_graph.hpp"
#include "compat/mpi/mel_table.hpp"
#include "harness/harness.hpp"
#include "support/array_file_folder.hpp"

using namespace mel_tests;

namespace {

constexpr int tag = 11;

// For containers as a whole: of objects, and of pointers to them.
template <class MSG> void All_DeepCopy(std::vector<StructA>& all, MSG& msg) {
  msg.template packSTL<StructA, StructA_DeepCopy>(all);
}
template <class MSG> void Pointers_DeepCopy(std::list<StructA*>& all, MSG& msg) {
  msg & all;
  for (StructA*& one : all) msg.template packPtr<StructA, StructA_DeepCopy>(one);
}

}  // namespace

// Listing 19: Send is a Message over a TransportSend.
WHERRY_TEST(mel_messages_meet_calls, ranks(2, 3)) {
  using namespace MEL::Deep;
  const MEL::Comm comm(test.comm);
  const wherry_test::folder place(test);
  auto* graph = MakeRandomGraph(50);
  const auto expected = shape(graph);
  const auto check = [&](DiGraphNode<int>*& arrived) {
    REQUIRE(arrived != nullptr && arrived != graph);
    CHECK(shape(arrived) == expected);
    DestructGraph(arrived);
    arrived = nullptr;
  };
  DiGraphNode<int>* x = nullptr;
  if (test.rank == 0) {
    Message<TransportSend> out(1, tag, comm);
    out.packRootPtr(graph);
    out.packRootPtr(graph);
    MEL::Deep::Send(graph, 1, tag, comm);
    MEL::Deep::BufferedSend(graph, 1, tag, comm);
    StructA a{{7, 8}};
    out.packRootVar<StructA, StructA_DeepCopy>(a);
    std::vector<StructA> list{a, a};
    out.packRootSTL<StructA, StructA_DeepCopy>(list);
    DiGraphNode<int>* nodes = graph;
    out.packRootPtr(nodes, 1);
  } else if (test.rank == 1) {
    MEL::Deep::Recv(x, 0, tag, comm);
    check(x);
    MEL::Deep::BufferedRecv(x, 0, tag, comm);
    check(x);
    Message<TransportRecv> in(0, tag, comm);
    in.packRootPtr(x);
    check(x);
    in.packRootPtr(x);
    check(x);
    StructA a;
    MEL::Deep::Recv<StructA, PointerHashMap, StructA_DeepCopy>(a, 0, tag, comm);
    std::vector<StructA> list;
    MEL::Deep::Recv<StructA, PointerHashMap, StructA_DeepCopy>(list, 0, tag, comm);
    CHECK(a.arr == (std::vector{7, 8}) && list.size() == 2 && list[1].arr == a.arr);
    int length = 0;
    MEL::Deep::Recv(x, length, 0, tag, comm);
    CHECK_EQUAL(length, 1);
    check(x);
  }
  if (test.rank == 0) {
    Message<TransportBcastRoot>(comm).packRootPtr(graph);
    MEL::Deep::Bcast(graph, 0, comm);
  } else {
    MEL::Deep::Bcast(x, 0, comm);
    check(x);
    Message<TransportBcast>(0, comm).packRootPtr(x);
    check(x);
  }
  const auto name = place / ("met" + std::to_string(test.rank));
  {
    std::ofstream out(name, std::ios::binary);
    Message<TransportSTLFileWrite>(out).packRootPtr(graph);
    MEL::Deep::FileWrite(graph, out);
  }
  std::ifstream in(name, std::ios::binary);
  MEL::Deep::FileRead(x, in);
  check(x);
  Message<TransportSTLFileRead>(in).packRootPtr(x);
  check(x);
  auto file = MEL::FileOpen(MEL::Comm::SELF, name + ".mpi", MEL::FileMode::CREATE | MEL::FileMode::READ_WRITE);
  Message<TransportFileWrite>(file).packRootPtr(graph);
  MEL::Deep::FileWrite(graph, file);
  MEL::FileSeek(file, 0);
  MEL::Deep::FileRead(x, file);
  check(x);
  Message<TransportFileRead>(file).packRootPtr(x);
  check(x);
  MEL::FileClose(file);
  DestructGraph(graph);
}

// An external function for a root container: for its elements, or for the whole.
WHERRY_TEST(mel_functions_of_containers, ranks(1, 2, 3)) {
  using namespace MEL::Deep;
  using All = std::vector<StructA>;
  using Pointers = std::list<StructA*>;
  using Map = PointerHashMap;
  const MEL::Comm comm(test.comm);
  const wherry_test::folder place(test);
  const auto filled = [&](bool here) { return here ? All{{{1}}, {}, {{2, 3}}} : All(); };
  const auto check = [](const All& all) {
    CHECK(all.size() == 3 && all[1].arr.empty() && all[2].arr == (std::vector{2, 3}));
  };
  // What one form has sent another one receives.
  for (int to = 1; to < test.size; ++to) {
    All all = filled(test.rank == 0), got[6];
    if (test.rank == 0) {
      MEL::Deep::Send<All, Map, All_DeepCopy>(all, to, tag, comm);
      MEL::Deep::BufferedSend<All, Map, All_DeepCopy>(all, to, tag, comm);
      MEL::Deep::Send<All, Map, StructA_DeepCopy>(all, to, tag, comm);
      Message<TransportSend> out(to, tag, comm);
      out.packRootVar<All, All_DeepCopy>(all);
      out.packRootSTL<StructA, StructA_DeepCopy>(all);
      MEL::Deep::Send<All, Map, All_DeepCopy>(all, to, tag, comm);
    }
    if (test.rank == to) {
      MEL::Deep::Recv<All, Map, All_DeepCopy>(got[0], 0, tag, comm);
      MEL::Deep::Recv<All, Map, All_DeepCopy>(got[1], 0, tag, comm);
      MEL::Deep::BufferedRecv<StructA, Map, StructA_DeepCopy>(got[2], 0, tag, comm);
      MEL::Deep::Recv<All, Map, All_DeepCopy>(got[3], 0, tag, comm);
      MEL::Deep::Recv<StructA, Map, StructA_DeepCopy>(got[4], 0, tag, comm);
      Message<TransportRecv> in(0, tag, comm);
      in.packRootVar<All, All_DeepCopy>(got[5]);
      for (const All& each : got) check(each);
    }
  }
  All all = filled(test.rank == 0), buffered = filled(test.rank == 0), again, more;
  MEL::Deep::Bcast<All, Map, All_DeepCopy>(all, 0, comm);
  MEL::Deep::BufferedBcast<All, Map, All_DeepCopy>(buffered, 0, comm);
  check(all);
  check(buffered);
  Pointers pointers, copies;
  if (test.rank == 0)
    for (int i = 0; i < 3; ++i) pointers.push_back(MEL::MemConstruct<StructA>(StructA{{i, i + 1}}));
  MEL::Deep::Bcast<Pointers, Map, Pointers_DeepCopy>(pointers, 0, comm);
  REQUIRE(pointers.size() == 3 && pointers.back() != nullptr && pointers.back()->arr == (std::vector{2, 3}));
  CHECK_EQUAL((BufferSize<All, Map, All_DeepCopy>(all)), (BufferSize<All, Map, StructA_DeepCopy>(all)));
  const auto name = place / ("whole" + std::to_string(test.rank));
  {
    std::ofstream out(name, std::ios::binary);
    MEL::Deep::FileWrite<All, Map, All_DeepCopy>(all, out);
    MEL::Deep::BufferedFileWrite<All, Map, All_DeepCopy>(all, out);
    MEL::Deep::FileWrite<Pointers, Map, Pointers_DeepCopy>(pointers, out);
  }
  std::ifstream in(name, std::ios::binary);
  MEL::Deep::BufferedFileRead<All, Map, All_DeepCopy>(again, in);
  MEL::Deep::FileRead<All, Map, All_DeepCopy>(more, in);
  MEL::Deep::FileRead<Pointers, Map, Pointers_DeepCopy>(copies, in);
  check(again);
  check(more);
  CHECK(copies.size() == 3 && copies.front()->arr == (std::vector{0, 1}));
  for (Pointers* each : {&pointers, &copies})
    for (StructA*& one : *each) MEL::MemDestruct(one);
}
