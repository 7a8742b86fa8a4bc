// A Message over one of the paper's transports at one end, and a call of the interface at the other.
#include <fstream>
#include <string>
#include <vector>

#include "compat/mpi/mel_graph.hpp"
#include "compat/mpi/mel_table.hpp"
#include "harness/harness.hpp"
#include "support/array_file_folder.hpp"

using namespace mel_tests;

namespace {

constexpr int tag = 11;

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
