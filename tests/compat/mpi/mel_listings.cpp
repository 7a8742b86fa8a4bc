// The listings of MEL that a user would write: 2, 4, 7 to 11.
#include <cstring>
#include <list>
#include <vector>

#include "harness/harness.hpp"
#include "mel/mel.hpp"

namespace {

constexpr int tag = 7;

// Rank 0 sends to all, itself included; all receive.
template <class Send, class Recv> void from_rank_0(const wherry_test::context& test, Send send, Recv recv) {
  const MEL::Comm comm(test.comm);
  if (test.rank == 0)
    for (int dst_rank = 0; dst_rank < test.size; ++dst_rank) send(dst_rank, comm);
  recv(0, comm);
}

// Listings 2 and 4.
struct ByHand {
  int *ptr = nullptr, len = 0;
};
// Listing 9 and the like.
struct SomeStruct {
  int len;
  char* array = nullptr;

  template <typename MSG> void DeepCopy(MSG& msg) { msg.packPtr(array, len); }
};

// Listing 7.
struct SomeFlatStruct {
  double x, y;
};
struct AnotherDeepStruct {
  std::vector<int> numbers;
  template <typename MSG> void DeepCopy(MSG& msg) { msg & numbers; }
};
struct GraphNode {
  int value = 0;
  GraphNode* next = nullptr;
  template <typename MSG> void DeepCopy(MSG& msg) { msg.packSharedPtr(next); }
};
template <bool Short> struct SomeDeepStruct {
  // Non-deep members will be copied automatically.
  int a, b, c, len;
  SomeFlatStruct d;
  // Deep members must be declared in the Deep-copy function
  AnotherDeepStruct e, f, g;
  char* myArray = nullptr;
  GraphNode* mySharedPointer = nullptr;
  std::vector<int> v;
  std::vector<AnotherDeepStruct> w;

  template <typename MSG> void DeepCopy(MSG& msg) {
    if constexpr (!Short) {
      msg.packVar(e);
      msg & f & g;
      msg.packPtr(myArray, len);
      msg.packSharedPtr(mySharedPointer);
      msg.packSTL(v);
      msg & w;
    } else {
      msg & e & f & g & v & w;
      msg.packPtr(myArray, len);
      msg.packSharedPtr(mySharedPointer);
    }
  }
};

template <bool Short> void listing_7(const wherry_test::context& test) {
  SomeDeepStruct<Short> x{};
  if (test.rank == 0) {
    x = {
        1, 2, 3, 4, {0.5, 1.5}, {{5}}, {}, {{6, 7}}, MEL::MemAlloc<char>(4), nullptr, {8, 9}, {{{10}}, {}, {{11, 12}}}};
    std::memcpy(x.myArray, "MEL", 4);
    x.mySharedPointer = MEL::MemConstruct<GraphNode>(GraphNode{13, nullptr});
    x.mySharedPointer->next = MEL::MemConstruct<GraphNode>(GraphNode{14, x.mySharedPointer});  // a cycle
  }
  MEL::Deep::Bcast(x, 0, MEL::Comm(test.comm));
  CHECK(x.a == 1 && x.b == 2 && x.c == 3 && x.len == 4 && x.d.x == 0.5 && x.d.y == 1.5);
  CHECK(x.e.numbers == std::vector{5} && x.f.numbers.empty() && x.g.numbers == (std::vector{6, 7}));
  REQUIRE(x.myArray != nullptr && x.mySharedPointer != nullptr && x.mySharedPointer->next != nullptr);
  CHECK(std::strcmp(x.myArray, "MEL") == 0);
  CHECK(x.mySharedPointer->value == 13 && x.mySharedPointer->next->value == 14);
  CHECK(x.mySharedPointer->next->next == x.mySharedPointer);
  CHECK(x.v == (std::vector{8, 9}));
  REQUIRE(x.w.size() == 3);
  CHECK(x.w[0].numbers == std::vector{10} && x.w[1].numbers.empty() && x.w[2].numbers == (std::vector{11, 12}));
  MEL::MemFree(x.myArray);
  MEL::MemDestruct(x.mySharedPointer->next);
  MEL::MemDestruct(x.mySharedPointer);
}

// Listings 10 and 11.
struct StructA {
  std::vector<int> arr;
};
struct StructB {
  std::list<int> lst;
  int from_outside = 0;

  // Internal - Local member deep-copy function
  template <typename MSG> void DeepCopy(MSG& msg) { msg & lst; }
};
// External - Global free deep-copy functions
template <typename MSG> void StructA_DeepCopy(StructA& obj, MSG& msg) { msg & obj.arr; }
template <typename MSG> void StructB_DeepCopy(StructB& obj, MSG& msg) {
  ++obj.from_outside;
  msg & obj.lst;
}
struct StructC {
  std::list<StructA> lst;

  template <typename MSG> void DeepCopy(MSG& msg) { msg.template packSTL<StructA, StructA_DeepCopy>(lst); }
};

}  // namespace

WHERRY_TEST(mel_listing_2_and_4, ranks(2, 3, 4, 8)) {
  if (test.rank > 1) return;
  for (const bool buffered : {false, true}) {
    ByHand myVar;
    if (test.rank == 0) {
      myVar.len = 10;
      MPI_Alloc_mem(myVar.len * static_cast<int>(sizeof(int)), MPI_INFO_NULL, &myVar.ptr);
      for (int i = 0; i < myVar.len; ++i) myVar.ptr[i] = i;
      if (buffered) {
        const int buffer_size = static_cast<int>(sizeof(ByHand)) + static_cast<int>(sizeof(int)) * myVar.len;
        char *buffer, *pos;
        MPI_Alloc_mem(buffer_size, MPI_INFO_NULL, &buffer);
        pos = buffer;
        std::memcpy(pos, &myVar, sizeof(ByHand));
        pos += sizeof(ByHand);
        std::memcpy(pos, myVar.ptr, sizeof(int) * static_cast<std::size_t>(myVar.len));
        MPI_Send(buffer, buffer_size, MPI_BYTE, 1, tag, test.comm);
        MPI_Free_mem(buffer);
      } else {
        MPI_Send(&myVar, sizeof(ByHand), MPI_BYTE, 1, tag, test.comm);
        MPI_Send(myVar.ptr, myVar.len, MPI_INT, 1, tag, test.comm);
      }
    } else if (buffered) {
      MPI_Status status;
      MPI_Probe(0, tag, test.comm, &status);
      int buffer_size;
      MPI_Get_count(&status, MPI_BYTE, &buffer_size);
      char *buffer, *pos;
      MPI_Alloc_mem(buffer_size, MPI_INFO_NULL, &buffer);
      pos = buffer;
      MPI_Recv(buffer, buffer_size, MPI_BYTE, 0, tag, test.comm, MPI_STATUS_IGNORE);
      std::memcpy(&myVar, pos, sizeof(ByHand));
      pos += sizeof(ByHand);
      MPI_Alloc_mem(myVar.len * static_cast<int>(sizeof(int)), MPI_INFO_NULL, &myVar.ptr);
      std::memcpy(myVar.ptr, pos, sizeof(int) * static_cast<std::size_t>(myVar.len));
      MPI_Free_mem(buffer);
    } else {
      MPI_Recv(&myVar, sizeof(ByHand), MPI_BYTE, 0, tag, test.comm, MPI_STATUS_IGNORE);
      MPI_Alloc_mem(myVar.len * static_cast<int>(sizeof(int)), MPI_INFO_NULL, &myVar.ptr);
      MPI_Recv(myVar.ptr, myVar.len, MPI_INT, 0, tag, test.comm, MPI_STATUS_IGNORE);
    }
    REQUIRE(myVar.len == 10);
    for (int i = 0; i < myVar.len; ++i) CHECK_EQUAL(myVar.ptr[i], i);
    MEL::MemFree(myVar.ptr);  // memory of MPI is memory of MEL
  }
}

WHERRY_TEST(mel_listing_7, ranks(1, 2, 3, 4, 8)) {
  listing_7<false>(test);
  listing_7<true>(test);
}

WHERRY_TEST(mel_listing_8, ranks(1, 2, 3, 4, 8)) {
  from_rank_0(
      test,
      [](int dst_rank, const MEL::Comm& comm) {
        int len = 10;
        int* ptr = MEL::MemAlloc<int>(len);
        for (int i = 0; i < len; ++i) ptr[i] = i;
        MEL::Deep::Send(ptr, len, dst_rank, tag, comm);
        MEL::MemFree(ptr);
      },
      [](int src_rank, const MEL::Comm& comm) {
        int len;
        int* ptr = nullptr;
        MEL::Deep::Recv(ptr, len, src_rank, tag, comm);
        REQUIRE(len == 10 && ptr != nullptr);
        for (int i = 0; i < len; ++i) CHECK_EQUAL(ptr[i], i);
        MEL::MemFree(ptr);
      });
}

WHERRY_TEST(mel_listing_9, ranks(1, 2, 3, 4, 8)) {
  from_rank_0(
      test,
      [](int dst_rank, const MEL::Comm& comm) {
        int len = 5;
        SomeStruct* ptr = MEL::MemAlloc<SomeStruct>(len);
        for (int i = 0; i < len; ++i) {
          ptr[i].len = i + 1;
          ptr[i].array = MEL::MemAlloc<char>(ptr[i].len);
          for (int j = 0; j < ptr[i].len; ++j) ptr[i].array[j] = static_cast<char>(j);
        }
        MEL::Deep::Send(ptr, len, dst_rank, tag, comm);
        for (int i = 0; i < len; ++i) MEL::MemFree(ptr[i].array);
        MEL::MemFree(ptr);
      },
      [](int src_rank, const MEL::Comm& comm) {
        int len;
        SomeStruct* ptr = nullptr;
        MEL::Deep::Recv(ptr, len, src_rank, tag, comm);
        REQUIRE(len == 5 && ptr != nullptr);
        for (int i = 0; i < len; ++i) {
          REQUIRE(ptr[i].len == i + 1 && ptr[i].array != nullptr);
          for (int j = 0; j < ptr[i].len; ++j) CHECK_EQUAL(int{ptr[i].array[j]}, j);
          MEL::MemFree(ptr[i].array);
        }
        MEL::MemFree(ptr);
      });
}

WHERRY_TEST(mel_listing_10, ranks(1, 2, 3, 4, 8)) {
  const auto external_a = [](int dst, const MEL::Comm& comm) {
    StructA sA{{1, 2, 3}};
    MEL::Deep::Send<StructA, MEL::Deep::PointerHashMap, StructA_DeepCopy>(sA, dst, tag, comm);
  };
  from_rank_0(test, external_a, [](int src, const MEL::Comm& comm) {
    StructA sA;
    MEL::Deep::Recv<StructA, MEL::Deep::PointerHashMap, StructA_DeepCopy>(sA, src, tag, comm);
    CHECK(sA.arr == (std::vector{1, 2, 3}));
  });
  // The paper's error is none here: Wherry sees what is in StructA.
  from_rank_0(
      test,
      [](int dst, const MEL::Comm& comm) {
        StructA sA{{4, 5}};
        MEL::Deep::Send(sA, dst, tag, comm);
      },
      [](int src, const MEL::Comm& comm) {
        StructA sA;
        MEL::Deep::Recv(sA, src, tag, comm);
        CHECK(sA.arr == (std::vector{4, 5}));
      });
  // Inside, and outside instead of inside; two ends that choose differently understand each other.
  for (const bool outside : {false, true})
    for (const bool outside_there : {false, true})
      from_rank_0(
          test,
          [outside](int dst, const MEL::Comm& comm) {
            StructB sB{{6, 7}};
            if (outside)
              MEL::Deep::Send<StructB, MEL::Deep::PointerHashMap, StructB_DeepCopy>(sB, dst, tag, comm);
            else
              MEL::Deep::Send(sB, dst, tag, comm);
            CHECK_EQUAL(sB.from_outside > 0, outside);
          },
          [outside_there](int src, const MEL::Comm& comm) {
            StructB sB;
            if (outside_there)
              MEL::Deep::Recv<StructB, MEL::Deep::PointerHashMap, StructB_DeepCopy>(sB, src, tag, comm);
            else
              MEL::Deep::Recv(sB, src, tag, comm);
            CHECK(sB.lst == (std::list{6, 7}));
          });
}

WHERRY_TEST(mel_listing_11, ranks(1, 2, 3, 4, 8)) {
  from_rank_0(
      test,
      [](int dst, const MEL::Comm& comm) {
        StructC sC{{{{1, 2}}, {}, {{3}}}};
        MEL::Deep::Send(sC, dst, tag, comm);
      },
      [](int src, const MEL::Comm& comm) {
        StructC sC;
        MEL::Deep::Recv(sC, src, tag, comm);
        REQUIRE(sC.lst.size() == 3);
        auto at = sC.lst.begin();
        CHECK(at++->arr == (std::vector{1, 2}));
        CHECK(at++->arr.empty());
        CHECK(at->arr == std::vector{3});
      });
}
