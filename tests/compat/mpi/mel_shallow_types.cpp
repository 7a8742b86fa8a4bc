// MEL's datatypes and operations beside plain MPI.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "compat/mpi/mel_shallow.hpp"

using namespace mel_tests;
using MEL::Aint;
using MEL::Datatype;

namespace {

// Which of 200 numbers one object of a type has, and its size, begin and extent. The type is freed.
numbers what(MPI_Datatype type) {
  std::vector<int> from(200), to(200, -1);
  for (int i = 0; i < 200; ++i) from[static_cast<std::size_t>(i)] = i;
  int size = 0, at = 0;
  MPI_Aint begin = 0, extent = 0;
  MPI_Type_size(type, &size);
  MPI_Type_get_extent(type, &begin, &extent);
  MPI_Pack(from.data(), 1, type, to.data(), 800, &at, MPI_COMM_SELF);
  MPI_Type_free(&type);
  numbers all{size, begin, extent, at};
  all.insert(all.end(), to.begin(), to.begin() + size / 4);
  return all;
}
numbers what(Datatype type) {
  const Datatype kept = type;
  const auto [begin, extent] = MEL::TypeExtent(type);
  const numbers seen{MEL::TypeSize(type), begin, extent, MEL::TypeGetExtent(type)};
  Datatype same = MEL::TypeDuplicate(type);
  numbers all = what(MPI_Datatype(same));
  CHECK(seen == (numbers{all[0], all[1], all[2], all[2]}));
  MEL::TypeFree(type);
  CHECK(type == Datatype::DATATYPE_NULL && kept != type);
  return all;
}
template <class... Parameters, class... Args> numbers of_mpi(int (*call)(Parameters...), const Args&... args) {
  MPI_Datatype type = mpi<MPI_Datatype>(call, args...);
  MPI_Type_commit(&type);
  return what(type);
}
template <std::size_t N>
numbers subarray(std::array<int, N> sizes, std::array<int, N> parts, std::array<int, N> starts) {
  return of_mpi(MPI_Type_create_subarray, static_cast<int>(N), sizes.data(), parts.data(), starts.data(), MPI_ORDER_C,
                MPI_INT);
}

}  // namespace

WHERRY_TEST(mel_datatypes, ranks(1, 2, 4)) {
  const Datatype INT = Datatype::INT;
  const int lengths[] = {2, 3, 1}, places[] = {5, 0, 17}, starts[] = {1, 2}, parts[] = {2, 3}, sizes[] = {4, 7};
  const Aint bytes[] = {20, 0, 68};
  const std::vector<int> places_v(places, places + 3);
  const std::vector<Aint> bytes_v(bytes, bytes + 3);
  const Datatype types[] = {Datatype::INT, Datatype::FLOAT, Datatype::UNSIGNED};
  MPI_Datatype mpi_types[] = {MPI_INT, MPI_FLOAT, MPI_UNSIGNED};
  compare({
      {"Contiguous", [&] { return what(MEL::TypeCreateContiguous(INT, 5)); },
       [&] { return of_mpi(MPI_Type_contiguous, 5, MPI_INT); }},
      {"Vector", [&] { return what(MEL::TypeCreateVector(INT, 4, 2, 5)); },
       [&] { return of_mpi(MPI_Type_vector, 4, 2, 5, MPI_INT); }},
      {"HVector", [&] { return what(MEL::TypeCreateHVector(INT, 4, 2, 12)); },
       [&] { return of_mpi(MPI_Type_create_hvector, 4, 2, MPI_Aint{12}, MPI_INT); }},
      {"Indexed", [&] { return what(MEL::TypeCreateIndexed(INT, 3, lengths, places)); },
       [&] { return of_mpi(MPI_Type_indexed, 3, lengths, places, MPI_INT); }},
      {"Indexed of blocks", [&] { return what(MEL::TypeCreateIndexed(INT, {{2, 5}, {3, 0}, {1, 17}})); },
       [&] { return of_mpi(MPI_Type_indexed, 3, lengths, places, MPI_INT); }},
      {"HIndexed", [&] { return what(MEL::TypeCreateHIndexed(INT, 3, lengths, bytes)); },
       [&] { return of_mpi(MPI_Type_create_hindexed, 3, lengths, bytes, MPI_INT); }},
      {"HIndexed of blocks", [&] { return what(MEL::TypeCreateHIndexed(INT, {{2, 20}, {3, 0}, {1, 68}})); },
       [&] { return of_mpi(MPI_Type_create_hindexed, 3, lengths, bytes, MPI_INT); }},
      {"IndexedBlock", [&] { return what(MEL::TypeCreateIndexedBlock(INT, 3, 2, places)); },
       [&] { return of_mpi(MPI_Type_create_indexed_block, 3, 2, places, MPI_INT); }},
      {"IndexedBlock of places", [&] { return what(MEL::TypeCreateIndexedBlock(INT, 2, places_v)); },
       [&] { return of_mpi(MPI_Type_create_indexed_block, 3, 2, places, MPI_INT); }},
      {"HIndexedBlock", [&] { return what(MEL::TypeCreateHIndexedBlock(INT, 3, 2, bytes)); },
       [&] { return of_mpi(MPI_Type_create_hindexed_block, 3, 2, bytes, MPI_INT); }},
      {"HIndexedBlock of places", [&] { return what(MEL::TypeCreateHIndexedBlock(INT, 2, bytes_v)); },
       [&] { return of_mpi(MPI_Type_create_hindexed_block, 3, 2, bytes, MPI_INT); }},
      {"Struct", [&] { return what(MEL::TypeCreateStruct(3, types, lengths, bytes)); },
       [&] { return of_mpi(MPI_Type_create_struct, 3, lengths, bytes, mpi_types); }},
      {"Struct of blocks",
       [&] { return what(MEL::TypeCreateStruct({{Datatype::INT, 2, 20}, {Datatype::FLOAT, 3, 0}, {types[2], 68}})); },
       [&] { return of_mpi(MPI_Type_create_struct, 3, lengths, bytes, mpi_types); }},
      {"SubArray", [&] { return what(MEL::TypeCreateSubArray(INT, 2, starts, parts, sizes)); },
       [&] { return subarray<2>({4, 7}, {2, 3}, {1, 2}); }},
      {"SubArray of dimensions", [&] { return what(MEL::TypeCreateSubArray(INT, {{1, 2, 4}, {2, 3, 7}})); },
       [&] { return subarray<2>({4, 7}, {2, 3}, {1, 2}); }},
      {"SubArray1D", [&] { return what(MEL::TypeCreateSubArray1D(INT, 2, 3, 6)); },
       [&] { return subarray<1>({6}, {3}, {2}); }},
      {"SubArray2D", [&] { return what(MEL::TypeCreateSubArray2D(INT, 2, 1, 3, 2, 6, 4)); },
       [&] { return subarray<2>({4, 6}, {2, 3}, {1, 2}); }},
      {"SubArray3D", [&] { return what(MEL::TypeCreateSubArray3D(INT, 2, 1, 0, 2, 1, 3, 5, 3, 4)); },
       [&] { return subarray<3>({4, 3, 5}, {3, 1, 2}, {0, 1, 2}); }},
      {"SubArray4D", [&] { return what(MEL::TypeCreateSubArray4D(INT, 2, 1, 0, 1, 2, 1, 3, 1, 5, 2, 4, 3)); },
       [&] { return subarray<4>({3, 4, 2, 5}, {1, 3, 1, 2}, {1, 0, 1, 2}); }},
      {"SubArray5D", [&] { return what(MEL::TypeCreateSubArray5D(INT, 2, 1, 0, 1, 0, 2, 1, 3, 1, 2, 4, 2, 3, 2, 3)); },
       [&] { return subarray<5>({3, 2, 3, 2, 4}, {2, 1, 3, 1, 2}, {0, 1, 0, 1, 2}); }},
  });
  CHECK(MEL::TypeSize(Datatype::DOUBLE) == 8 && MEL::TypeGetExtent(Datatype::INT16_T) == 2);
  CHECK(MEL::TypeIndexed_Block().length == 0 && MEL::TypeHIndexed_Block().displ == 0);
  CHECK(MEL::TypeStruct_Block().datatype == Datatype() && MEL::TypeSubArray_Dim().extent == 0);
  // Several at once; null ones are nothing.
  Datatype a = MEL::TypeCreateContiguous(INT, 2), b, c = MEL::TypeDuplicate(a), from_mpi;
  from_mpi = MPI_INT;
  CHECK(from_mpi == INT && from_mpi == MPI_INT && INT != Datatype::DOUBLE);
  std::vector<Datatype> more{MEL::TypeDuplicate(a), Datatype(), MEL::TypeDuplicate(a)};
  MEL::TypeFree(a, more, b, c);
  CHECK(a == b && c == b && std::ranges::all_of(more, [](const Datatype& t) { return t == Datatype::DATATYPE_NULL; }));
}

namespace {

// No two of these are the same of other arguments.
int by_reference(int& a, int& b) { return 3 * a - b; }
int by_value(int a, int b) { return 3 * a - b; }
int with_type(int& a, int& b, Datatype type) { return type == Datatype::INT ? 3 * a - b : -1; }
void arrays(int* in, int* inout, int length) {
  for (int i = 0; i < length; ++i) inout[i] = 3 * in[i] - inout[i];
}
void arrays_with_type(int* in, int* inout, int length, Datatype type) {
  if (type == Datatype::INT) arrays(in, inout, length);
}
void as_mpi_has_it(int* in, int* inout, int* length, MPI_Datatype*) { arrays(in, inout, *length); }
void of_mpi(void* in, void* inout, int* length, MPI_Datatype*) {
  arrays(static_cast<int*>(in), static_cast<int*>(inout), *length);
}

}  // namespace

WHERRY_TEST(mel_operations, ranks(1, 2, 4)) {
  using MEL::Op;
  const auto reduced = [&](MPI_Op op) {
    const int mine[3] = {test.rank + 2, 5 - test.rank, 7};
    std::vector<int> out(3, -1);
    MPI_Allreduce(mine, out.data(), 3, MPI_INT, op, test.comm);
    return as_numbers(out);
  };
  const auto reduced_by = [&](Op op) {
    numbers out = reduced(op);
    MEL::OpFree(op);
    CHECK(op == Op::OP_NULL);
    return out;
  };
  MPI_Op in_order = MPI_OP_NULL;
  MPI_Op_create(of_mpi, 0, &in_order);
  const auto expected = [&] { return reduced(in_order); };
  compare({
      {"MAX", [&] { return reduced_by(MEL::OpCreate<int, MEL::MAX<int>>()); }, [&] { return reduced(MPI_MAX); }},
      {"MIN", [&] { return reduced_by(MEL::OpCreate<int, MEL::MIN<int>>()); }, [&] { return reduced(MPI_MIN); }},
      {"SUM", [&] { return reduced_by(MEL::OpCreate<int, MEL::SUM<int>>()); }, [&] { return reduced(MPI_SUM); }},
      {"PROD", [&] { return reduced_by(MEL::OpCreate<int, MEL::Functor::PROD<int>>()); },
       [&] { return reduced(MPI_PROD); }},
      {"by reference", [&] { return reduced_by(MEL::OpCreate<int, by_reference>(false)); }, expected},
      {"by value", [&] { return reduced_by(MEL::OpCreate<int, by_value>(false)); }, expected},
      {"with its type", [&] { return reduced_by(MEL::OpCreate<int, with_type>(false)); }, expected},
      {"of arrays", [&] { return reduced_by(MEL::OpCreate<int, arrays>(false)); }, expected},
      {"of arrays with their type", [&] { return reduced_by(MEL::OpCreate<int, arrays_with_type>(false)); }, expected},
      {"as MPI has it", [&] { return reduced_by(MEL::OpCreate<int, as_mpi_has_it>(false)); }, expected},
  });
  MPI_Op_free(&in_order);
  CHECK(MEL::MAX(2, 3) == 3 && MEL::MIN(2, 3) == 2 && MEL::SUM(2, 3) == 5 && MEL::PROD(2, 3) == 6);
  Op one = MEL::OpCreate<int, by_value>(), two = MEL::OpCreate<int, arrays>(), none;
  const Op commutes = MEL::OpCreate<int, by_value>(), ordered = MEL::OpCreate<int, by_value>(false);
  CHECK(mpi<int>(MPI_Op_commutative, commutes) == 1 && mpi<int>(MPI_Op_commutative, ordered) == 0);
  std::vector<Op> several{commutes, Op(), ordered};
  MEL::OpFree(one, several, none, two);
  CHECK(one == Op() && two == Op() && std::ranges::all_of(several, [](const Op& op) { return op == Op::OP_NULL; }));
  Op from_mpi;
  from_mpi = MPI_SUM;
  CHECK(from_mpi == Op::SUM && MPI_Op(Op::REPLACE) == MPI_REPLACE);
}
