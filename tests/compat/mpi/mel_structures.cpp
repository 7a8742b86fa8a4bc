// Trees and cyclic graphs of MEL by every call of its listing 5, checked by traversals that know nothing of deep
// copies. Everything that arrives is freed with the paper's calls, and all memory of MPI is accounted for.
#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "compat/mpi/mel_by_hand.hpp"
#include "compat/mpi/mel_graph.hpp"
#include "compat/mpi/mel_table.hpp"
#include "harness/harness.hpp"
#include "support/array_file_folder.hpp"

namespace {

long allocated = 0;  // pieces of memory from MPI_Alloc_mem that have not been freed

}  // namespace

#if !defined(SMPI_H)
extern "C" int MPI_Alloc_mem(MPI_Aint bytes, MPI_Info info, void* address) {
  ++allocated;
  return PMPI_Alloc_mem(bytes, info, address);
}
extern "C" int MPI_Free_mem(void* address) {
  --allocated;
  return PMPI_Free_mem(address);
}
#endif

namespace {

using wherry_test::folder;

constexpr int tag = 3;

// The forms of a copy from rank 0 to all, of an object or pointer.
enum class way {
  bcast,
  buffered_bcast,
  buffered_bcast_sized,
  send,
  buffered_send,
  stream,
  buffered_stream,
  file,
  last
};
constexpr int ways = static_cast<int>(way::last);

template <class X> void copy(way by, const X& original, X& x, const MEL::Comm& comm, const folder& place) {
  namespace Deep = MEL::Deep;
  const int rank = MEL::CommRank(comm), size = MEL::CommSize(comm);
  const bool root = rank == 0;
  X whole = original;  // pointers are copied, not what they point to
  X& here = root && by <= way::buffered_bcast_sized ? whole : x;
  const auto name = place / "structure";
  switch (by) {
    case way::bcast:
      return Deep::Bcast(here, 0, comm);
    case way::buffered_bcast:
      return Deep::BufferedBcast(here, 0, comm);
    case way::buffered_bcast_sized:
      return Deep::BufferedBcast(here, 0, comm, root ? Deep::BufferSize(whole) : 0);
    case way::send:
      if (root)
        for (int dst = 0; dst < size; ++dst) Deep::Send(whole, dst, tag, comm);
      return Deep::Recv(x, 0, tag, comm);
    case way::buffered_send:
      if (root)
        for (int dst = 0; dst < size; ++dst) Deep::BufferedSend(whole, dst, tag, comm);
      return Deep::BufferedRecv(x, 0, tag, comm);
    case way::stream:
    case way::buffered_stream: {
      if (root) {
        std::ofstream out(name, std::ios::binary);
        if (by == way::stream)
          Deep::FileWrite(whole, out);
        else
          Deep::BufferedFileWrite(whole, out);
      }
      MEL::Barrier(comm);
      {
        std::ifstream in(name, std::ios::binary);
        if (by == way::stream)
          Deep::FileRead(x, in);
        else
          Deep::BufferedFileRead(x, in);
      }
      return MEL::Barrier(comm);
    }
    default: {
      auto file = MEL::FileOpen(comm, name, MEL::FileMode::CREATE | MEL::FileMode::READ_WRITE);
      if (root) Deep::FileWrite(whole, file);
      MPI_File_sync(static_cast<MPI_File>(file));
      MEL::Barrier(comm);
      MEL::FileSeek(file, 0);
      Deep::FileRead(x, file);
      return MEL::FileClose(file);
    }
  }
}

bool arrives(way by, int rank) { return rank != 0 || by > way::buffered_bcast_sized; }

// What rank 0 has.
template <class T> std::vector<T> of_rank_0(std::vector<T> mine, const wherry_test::context& test) {
  auto count = mine.size();
  MPI_Bcast(&count, sizeof count, MPI_BYTE, 0, test.comm);
  mine.resize(count);
  MPI_Bcast(mine.data(), static_cast<int>(count * sizeof(T)), MPI_BYTE, 0, test.comm);
  return mine;
}

void free_mine(Scene*& scene) { MEL::MemDestruct(scene); }
void free_mine(DiGraphNode<int>*& graph) { DestructGraph(graph); }
std::vector<double> picture(Scene* scene) { return figures(*scene); }
std::vector<int> picture(DiGraphNode<int>* graph) { return shape(graph); }

template <class Make> void everywhere(const wherry_test::context& test, Make make) {
  const folder place(test);
  const MEL::Comm comm(test.comm);
  const long before = allocated;
  {
    auto* original = test.rank == 0 ? make() : nullptr;
    decltype(picture(original)) expected;
    if (original != nullptr) expected = picture(original);
    expected = of_rank_0(expected, test);
    for (int i = 0; i < ways; ++i) {
      const auto by = static_cast<way>(i);
      test.note(wherry::detail::text("way ", i));
      decltype(original) x = nullptr;
      copy(by, original, x, comm, place);
      if (!arrives(by, test.rank)) continue;
      REQUIRE(x != nullptr && x != original);
      CHECK(picture(x) == expected);
      free_mine(x);
    }
    if (original != nullptr) free_mine(original);
  }
  CHECK_EQUAL(allocated, before);
}

}  // namespace

WHERRY_TEST(mel_scene, ranks(1, 2, 3, 4, 8)) {
  for (const int times : {1, 5, 300})
    everywhere(test, [times] {
      std::istringstream obj(octahedra(times));
      return loadScene(obj);
    });
}

WHERRY_TEST(mel_scene_by_hand, ranks(1, 2, 3, 4, 8)) {
  const long before = allocated;
  for (const auto by_hand : {MPI_NonBufferedBcast_Scene, MPI_BufferedBcast_Scene}) {
    Scene* scene = nullptr;
    if (test.rank == 0) {
      std::istringstream obj(octahedra(4));
      scene = loadScene(obj);
    }
    by_hand(scene, 0, test.comm);
    REQUIRE(scene != nullptr);
    const auto mine = figures(*scene);
    CHECK(mine == of_rank_0(mine, test));
    MEL::MemDestruct(scene);
  }
  CHECK_EQUAL(allocated, before);
}

WHERRY_TEST(mel_scene_object, ranks(1, 2, 3, 4, 8)) {
  const folder place(test);
  const long before = allocated;
  {
    Scene scene;  // what was there before is destroyed
    std::istringstream obj(octahedra(test.rank == 0 ? 3 : 1));
    Scene* loaded = loadScene(obj);
    scene = std::move(*loaded);
    MEL::MemDestruct(loaded);
    const auto expected = of_rank_0(figures(scene), test);
    MEL::Deep::Bcast(scene, 0, MEL::Comm(test.comm));
    CHECK(figures(scene) == expected);
  }
  CHECK_EQUAL(allocated, before);
}

WHERRY_TEST(mel_graphs, ranks(1, 2, 3, 4, 8)) {
  for (int graphType = 0; graphType < 4; ++graphType)
    for (const int n : {0, 1, 2, 5, 7}) everywhere(test, [=] { return makeGraph(graphType, 1 << n); });
}

WHERRY_TEST(mel_long_ring, ranks(1, 2, 3)) {
  everywhere(test, [] { return MakeRingGraph(1 << 15); });
}

// Streams that end anywhere are an error, although the function looks behind what it packs.
WHERRY_TEST(mel_cut_streams, ranks(1)) {
  using mel_tests::Table;
  Table original = mel_tests::make_table(5);
  wherry::memory_sink whole;
  wherry::deep::pack(whole, original);
  for (std::size_t bytes = 0; bytes <= whole.bytes().size(); ++bytes) {
    Table copy;
    wherry::memory_source source(whole.bytes().data(), bytes);
    bool arrived = true;
    try {
      wherry::deep::unpack(source, copy);
    } catch (const wherry::error&) {
      arrived = false;
    }
    CHECK_EQUAL(arrived, bytes == whole.bytes().size());
    if (!arrived) continue;
    mel_tests::check_table(copy, 5);
    mel_tests::free_table(copy);
  }
  mel_tests::free_table(original);
}
