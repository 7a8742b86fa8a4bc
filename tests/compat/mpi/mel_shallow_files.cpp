// MEL's files beside plain MPI: what one has written the other one reads.
#include <string>
#include <vector>

#include "compat/mpi/mel_shallow.hpp"
#include "support/array_file_folder.hpp"

using namespace mel_tests;
using MEL::Datatype;
using MEL::File;
using MEL::FileMode;
using MEL::Offset;

namespace {

constexpr auto read_write = FileMode::CREATE | FileMode::RDWR;

// The whole file, after all have written.
std::vector<int> contents(const wherry_test::context& test, const File& file) {
  MEL::FileSync(file);
  MPI_Barrier(test.comm);
  const auto bytes = MEL::FileGetSize(file);
  std::vector<int> all(static_cast<std::size_t>(bytes / 4));
  MPI_File_read_at(file, 0, all.data(), static_cast<int>(all.size()), MPI_INT, MPI_STATUS_IGNORE);
  MPI_Barrier(test.comm);
  return all;
}

int count_of(const MEL::Status& status) { return mpi<int>(MPI_Get_count, &status, MPI_INT); }
int waited(MEL::Request request) { return count_of(MEL::Wait(request)); }

}  // namespace

WHERRY_TEST(mel_file_writes, ranks(1, 2, 4)) {
  const wherry_test::folder place(test);
  const MEL::Comm comm(test.comm);
  const Datatype INT = Datatype::INT;
  const auto mine = own_numbers(test.rank, 3);
  const int* p = mine.data();
  const Offset at = 3 * test.rank;  // in numbers
  File file = MEL::FileOpen(comm, place / "writes", read_write);
  MEL::FileSetView(file, 0, INT, INT);
  std::vector<int> in_order;
  for (int r = 0; r < test.size; ++r)
    for (int number : own_numbers(r, 3)) in_order.push_back(number);
  // Each writes its three numbers; then they are in the file, in the ranks' order but for the shared place.
  const auto writes = [&](const char* name, bool ordered, auto call) {
    MEL::FileSeek(file, at);
    MEL::FileSeekShared(file, 0);
    MEL::FileSetSize(file, 0);
    MEL::Barrier(comm);
    if (wherry_test::fault(call() != 3)) FAIL(std::string(name) + " says that it has not written three");
    MEL::Barrier(comm);
    std::vector<int> all = contents(test, file);
    if (!ordered) {
      // Whole pieces, one of each rank.
      std::vector<int> sorted;
      for (int r = 0; r < test.size; ++r)
        for (std::size_t i = 0; i + 2 < all.size(); i += 3)
          if (all[i] == 1000 * (r + 1)) sorted.insert(sorted.end(), all.begin() + long(i), all.begin() + long(i) + 3);
      all = sorted;
    }
    compare(name, as_numbers(all), as_numbers(in_order));
  };
  writes("FileWrite", true, [&] { return count_of(MEL::FileWrite(file, p, 3)); });
  writes("FileWrite of a type", true, [&] { return count_of(MEL::FileWrite(file, p, 3, INT)); });
  writes("FileWrite, the file last", true, [&] { return count_of(MEL::FileWrite(p, 3, INT, file)); });
  writes("FileWriteAll", true, [&] { return count_of(MEL::FileWriteAll(file, p, 3)); });
  writes("FileWriteAll of a type", true, [&] { return count_of(MEL::FileWriteAll(file, p, 3, INT)); });
  writes("FileWriteAt", true, [&] { return count_of(MEL::FileWriteAt(file, at, p, 3)); });
  writes("FileWriteAt of a type", true, [&] { return count_of(MEL::FileWriteAt(file, at, p, 3, INT)); });
  writes("FileWriteAtAll", true, [&] { return count_of(MEL::FileWriteAtAll(file, at, p, 3)); });
  writes("FileWriteAtAll of a type", true, [&] { return count_of(MEL::FileWriteAtAll(file, at, p, 3, INT)); });
  writes("FileWriteOrdered", true, [&] { return count_of(MEL::FileWriteOrdered(file, p, 3)); });
  writes("FileWriteOrdered of a type", true, [&] { return count_of(MEL::FileWriteOrdered(file, p, 3, INT)); });
  writes("FileWriteShared", false, [&] { return count_of(MEL::FileWriteShared(file, p, 3)); });
  writes("FileWriteShared of a type", false, [&] { return count_of(MEL::FileWriteShared(file, p, 3, INT)); });
  writes("FileIwrite", true, [&] { return waited(MEL::FileIwrite(file, p, 3)); });
  writes("FileIwrite of a type", true, [&] { return waited(MEL::FileIwrite(file, p, 3, INT)); });
  writes("FileIwriteAt", true, [&] { return waited(MEL::FileIwriteAt(file, at, p, 3)); });
  writes("FileIwriteAt of a type", true, [&] { return waited(MEL::FileIwriteAt(file, at, p, 3, INT)); });
  writes("FileIwriteShared", false, [&] { return waited(MEL::FileIwriteShared(file, p, 3)); });
  writes("FileIwriteShared of a type", false, [&] { return waited(MEL::FileIwriteShared(file, p, 3, INT)); });
  CHECK_EQUAL(MEL::FileGetPositionShared(file), 3 * test.size);
  MEL::FileClose(file);
  CHECK(file == File::FILE_NULL);
}

WHERRY_TEST(mel_file_reads, ranks(1, 2, 4)) {
  const wherry_test::folder place(test);
  const MEL::Comm comm(test.comm);
  const Datatype INT = Datatype::INT;
  const auto mine = own_numbers(test.rank, 3);
  const Offset at = 3 * test.rank;
  File file = MEL::FileOpen(comm, place / "reads", read_write);
  MEL::FileSetView(file, {0, INT, INT});
  MPI_File_write_at_all(file, at, mine.data(), 3, MPI_INT, MPI_STATUS_IGNORE);
  MEL::FileSync(file);
  MEL::Barrier(comm);
  MEL::FileSync(file);
  std::vector<int> in(3);
  int* p = in.data();
  const auto reads = [&](const char* name, bool ordered, auto call) {
    in.assign(3, -1);
    MEL::FileSeek(file, at);
    MEL::FileSeekShared(file, 0);
    MEL::Barrier(comm);
    if (wherry_test::fault(call() != 3)) FAIL(std::string(name) + " says that it has not read three");
    // At the shared place a rank gets anybody's numbers, but all of them have been read.
    const std::vector<int> expected = ordered ? mine : own_numbers(in[0] / 1000 - 1, 3);
    compare(name, as_numbers(in), as_numbers(expected));
    int sum = 0;
    MPI_Allreduce(&in[0], &sum, 1, MPI_INT, MPI_SUM, test.comm);
    CHECK_EQUAL(sum, 500 * test.size * (test.size + 1));
  };
  reads("FileRead", true, [&] { return count_of(MEL::FileRead(file, p, 3)); });
  reads("FileRead of a type", true, [&] { return count_of(MEL::FileRead(file, p, 3, INT)); });
  reads("FileReadAll", true, [&] { return count_of(MEL::FileReadAll(file, p, 3)); });
  reads("FileReadAll of a type", true, [&] { return count_of(MEL::FileReadAll(file, p, 3, INT)); });
  reads("FileReadAt", true, [&] { return count_of(MEL::FileReadAt(file, at, p, 3)); });
  reads("FileReadAt of a type", true, [&] { return count_of(MEL::FileReadAt(file, at, p, 3, INT)); });
  reads("FileReadAtAll", true, [&] { return count_of(MEL::FileReadAtAll(file, at, p, 3)); });
  reads("FileReadAtAll of a type", true, [&] { return count_of(MEL::FileReadAtAll(file, at, p, 3, INT)); });
  reads("FileReadOrdered", true, [&] { return count_of(MEL::FileReadOrdered(file, p, 3)); });
  reads("FileReadOrdered of a type", true, [&] { return count_of(MEL::FileReadOrdered(file, p, 3, INT)); });
  reads("FileReadShared", false, [&] { return count_of(MEL::FileReadShared(file, p, 3)); });
  reads("FileReadShared of a type", false, [&] { return count_of(MEL::FileReadShared(file, p, 3, INT)); });
  reads("FileIread", true, [&] { return waited(MEL::FileIread(file, p, 3)); });
  reads("FileIread of a type", true, [&] { return waited(MEL::FileIread(file, p, 3, INT)); });
  reads("FileIreadAt", true, [&] { return waited(MEL::FileIreadAt(file, at, p, 3)); });
  reads("FileIreadAt of a type", true, [&] { return waited(MEL::FileIreadAt(file, at, p, 3, INT)); });
  reads("FileIreadShared", false, [&] { return waited(MEL::FileIreadShared(file, p, 3)); });
  reads("FileIreadShared of a type", false, [&] { return waited(MEL::FileIreadShared(file, p, 3, INT)); });
  // Beyond the end there is nothing.
  CHECK_EQUAL(count_of(MEL::FileReadAt(file, 3 * test.size - 1, p, 3)), 1);
  MEL::FileClose(file);
}

WHERRY_TEST(mel_file_properties, ranks(1, 2, 4)) {
  const wherry_test::folder place(test);
  const MEL::Comm comm(test.comm);
  File file = MEL::FileOpen(comm, place / "properties", read_write);
  MEL::FileSetSize(file, 40);
  const MPI_File as_mpi = file;
  compare({
      {"FileGetSize", [&] { return numbers{MEL::FileGetSize(file)}; }, [&] { return numbers{40}; }},
      {"FileGetMode", [&] { return numbers{static_cast<int>(MEL::FileGetMode(file))}; },
       [&] { return numbers{mpi<int>(MPI_File_get_amode, as_mpi)}; }},
      {"FileGetTypeExtent", [&] { return numbers{MEL::FileGetTypeExtent(file, Datatype::DOUBLE)}; },
       [&] { return numbers{mpi<MPI_Aint>(MPI_File_get_type_extent, as_mpi, MPI_DOUBLE)}; }},
      {"FileGetGroup",
       [&] {
         MEL::Group group = MEL::FileGetGroup(file);
         const numbers sizes{MEL::GroupSize(group), MEL::GroupRank(group)};
         MEL::GroupFree(group);
         return sizes;
       },
       [&] { return numbers{test.size, test.rank}; }},
      {"FileSetAtomicity",
       [&] {
         const bool before = MEL::FileIsAtomic(file);
         MEL::FileSetAtomicity(file, true);
         const bool after = MEL::FileIsAtomic(file);
         MEL::FileSetAtomicity(file, false);
         return numbers{before, after, MEL::FileIsAtomic(file)};
       },
       [&] { return numbers{0, 1, 0}; }},
  });
  MEL::Barrier(comm);
  MEL::FilePreallocate(file, 400);
  CHECK_EQUAL(MEL::FileGetSize(file), 400);
  // From the begin, from here, from the end; by this rank alone, and shared.
  MEL::FileSeek(file, 10);
  CHECK_EQUAL(MEL::FileGetPosition(file), 10);
  MEL::FileSeek(file, 7, MEL::SeekMode::CUR);
  CHECK_EQUAL(MEL::FileGetPosition(file), 17);
  MEL::FileSeek(file, -5, MEL::SeekMode::END);
  CHECK_EQUAL(MEL::FileGetPosition(file), 395);
  MEL::FileSeekShared(file, 12);
  CHECK_EQUAL(MEL::FileGetPositionShared(file), 12);
  MEL::Barrier(comm);
  MEL::FileSeekShared(file, -4, MEL::SeekMode::END);
  CHECK_EQUAL(MEL::FileGetPositionShared(file), 396);
  MEL::Barrier(comm);
  // Views: from byte 8 on every other number.
  Datatype every_other = MEL::TypeCreateVector(Datatype::INT, 2, 1, 2);
  const MEL::FileView view(8, Datatype::INT, every_other);
  MEL::FileSetView(file, view);
  Offset offset = 0;
  Datatype element, seen;
  std::string representation;
  MEL::FileGetView(file, offset, element, seen, representation);
  CHECK(offset == 8 && element == Datatype::INT && representation == "native" && MEL::TypeSize(seen) == 8);
  CHECK(MEL::TypeGetExtent(seen) == 12);
  compare("FileGetByteOffset", {MEL::FileGetByteOffset(file, 1)},
          {mpi<MPI_Offset>(MPI_File_get_byte_offset, as_mpi, MPI_Offset{1})});
  CHECK_EQUAL(MEL::FileGetByteOffset(file, 1), 16);
  MEL::FileSetView(file, 4, Datatype::INT, Datatype::INT, "native");
  const MEL::FileView again = MEL::FileGetView(file);
  CHECK(again.offset == 4 && again.elementaryType == Datatype::INT && again.fileType == Datatype::INT);
  CHECK(again.datarep == "native" && MEL::FileView().fileType == Datatype());
  // Hints.
  MPI_Info hints = MPI_INFO_NULL;
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "cb_buffer_size", "1048576");
  MEL::FileSetInfo(file, hints);
  const MEL::Info used = MEL::FileGetInfo(file);
  CHECK(used != MEL::Info::INFO_NULL);
  MPI_Info used_by_mpi = used;
  MPI_Info_free(&used_by_mpi);
  MPI_Info_free(&hints);
  MEL::TypeFree(every_other, seen);
  MEL::FileClose(file);
  // Of one rank alone.
  const auto name = place / ("alone" + std::to_string(test.rank));
  File alone = MEL::FileOpenIndividual(name, FileMode::CREATE | FileMode::WRONLY | FileMode::EXCL);
  MEL::FileWrite(alone, &test.rank, 1);
  MEL::FileClose(alone);
  CHECK_EQUAL(place.read("alone" + std::to_string(test.rank)).size(), 4u);
  CHECK_THROWS_WITH(MEL::FileOpenIndividual(name, FileMode::CREATE | FileMode::WRONLY | FileMode::EXCL),
                    "MEL::FileOpenIndividual");
  MEL::FileDelete(name);
  CHECK_THROWS_WITH(MEL::FileDelete(name), "MEL::FileDelete");
}
