// What the original's ray tracer does with the shallow calls: every rank renders tiles of an image and puts them where
// they belong, into a window of rank 0 and into a file; the oracle is a loop over the whole image.
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "MEL_deepcopy.hpp"
#include "harness/harness.hpp"
#include "support/array_file_folder.hpp"

namespace {

struct Pixel {
  std::uint8_t r, g, b;
  bool operator==(const Pixel&) const = default;
};

Pixel shade(int x, int y) {
  return {static_cast<std::uint8_t>(3 * x + y), static_cast<std::uint8_t>(x ^ y), static_cast<std::uint8_t>(x * y)};
}

struct Tile {
  int x, y, wide, high;
  std::vector<Pixel> render() const {
    std::vector<Pixel> pixels;
    for (int j = 0; j < high; ++j)
      for (int i = 0; i < wide; ++i) pixels.push_back(shade(x + i, y + j));
    return pixels;
  }
};

// Tiles of at most 7 x 5, dealt to the ranks in turn; those at the rims are smaller.
std::vector<Tile> tiles_of(int rank, int size, int width, int height) {
  std::vector<Tile> mine;
  int number = 0;
  for (int y = 0; y < height; y += 5)
    for (int x = 0; x < width; x += 7)
      if (number++ % size == rank) mine.push_back({x, y, std::min(7, width - x), std::min(5, height - y)});
  return mine;
}

std::vector<Pixel> whole(int width, int height) {
  std::vector<Pixel> all;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) all.push_back(shade(x, y));
  return all;
}

template <class Call> std::string refused(Call call) {
  try {
    call();
  } catch (const wherry::error& e) {
    return e.kind() == wherry::error_kind::argument ? e.what() : "of another kind";
  }
  return "";
}

}  // namespace

WHERRY_TEST(mel_image_in_a_window, ranks(1, 2, 3, 4)) {
  const MEL::Comm comm(test.comm);
  constexpr int width = 40, height = 23;
  MEL::Datatype pixel = MEL::TypeCreateContiguous(MEL::Datatype::UNSIGNED_CHAR, 3);
  std::vector<Pixel> image(test.rank == 0 ? std::size_t{width} * height : 0, Pixel{1, 2, 3});
  MEL::Win window = MEL::WinCreate(image.data(), static_cast<MEL::Aint>(image.size()), comm);
  for (const Tile& tile : tiles_of(test.rank, test.size, width, height)) {
    const std::vector<Pixel> pixels = tile.render();
    MEL::Datatype place = MEL::TypeCreateSubArray2D(pixel, tile.x, tile.y, tile.wide, tile.high, width, height);
    MEL::WinLockShared(0, window);
    MEL::Put(pixels.data(), tile.wide * tile.high, pixel, 0, 1, place, 0, window);
    MEL::WinUnlock(0, window);
    MEL::TypeFree(place);
    CHECK(place == MEL::Datatype::DATATYPE_NULL);
  }
  MEL::Barrier(comm);
  MEL::WinLockShared(window, 0);  // what others have put is seen after a lock
  MEL::WinUnlock(window, 0);
  if (test.rank == 0) CHECK(image == whole(width, height));
  MEL::Barrier(comm);
  // Rows by themselves, as plain data: the last row becomes the first of each rank's.
  const std::vector<Pixel> row(1, Pixel{9, 9, static_cast<std::uint8_t>(test.rank)});
  MEL::WinLockShared(0, window);
  MEL::Put(row.data(), 1, 0, test.rank, window);
  MEL::WinUnlock(0, window);
  MEL::WinFree(window);
  CHECK(window == MEL::Win());
  for (std::size_t i = 0; i < image.size() && i < static_cast<std::size_t>(test.size); ++i)
    CHECK(image[i] == (Pixel{9, 9, static_cast<std::uint8_t>(i)}));
  MEL::TypeFree(pixel);
  MEL::TypeFree(pixel);  // null is nothing
}

WHERRY_TEST(mel_image_in_a_file, ranks(1, 2, 3, 4)) {
  const MEL::Comm comm(test.comm);
  const wherry_test::folder place(test);
  constexpr int width = 33, height = 17;
  const std::string header = "P6\n33 17\n255\n";
  const auto name = place / "image.ppm";
  MEL::Datatype pixel = MEL::TypeCreateContiguous(MEL::Datatype::UNSIGNED_CHAR, 3);

  MEL::File file = MEL::FileOpen(comm, name, MEL::FileMode::CREATE | MEL::FileMode::WRONLY);
  const auto begin = static_cast<MEL::Offset>(header.size());
  MEL::FileSetSize(file, begin + 3 * width * height);
  if (test.rank == 0) MEL::FileWrite(file, header.data(), static_cast<int>(header.size()));
  // Stripes: each rank's rows, in one view.
  const int first = height * test.rank / test.size, last = height * (test.rank + 1) / test.size;
  const Tile stripe{0, first, width, last - first};
  MEL::Datatype view = MEL::TypeCreateSubArray2D(pixel, 0, first, width, last - first, width, height);
  MEL::FileSetView(file, begin, pixel, view);
  MEL::FileWrite(file, stripe.render().data(), width * stripe.high, pixel);
  MEL::FileClose(file);
  MEL::TypeFree(view, pixel);
  MEL::Barrier(comm);

  std::ifstream in(name, std::ios::binary);
  std::string start(header.size(), ' ');
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  CHECK_EQUAL(start, header);
  std::vector<Pixel> image(std::size_t{width} * height);
  in.read(reinterpret_cast<char*>(image.data()), static_cast<std::streamsize>(3 * image.size()));
  CHECK(in.gcount() == 3 * width * height && image == whole(width, height));
  CHECK(in.peek() == std::ifstream::traits_type::eof());
}

WHERRY_TEST(mel_file_of_one_rank, ranks(1, 2, 3, 4)) {
  const wherry_test::folder place(test);
  const auto name = place / ("alone" + std::to_string(test.rank));
  {
    MEL::File file = MEL::FileOpenIndividual(name, MEL::FileMode::CREATE | MEL::FileMode::RDWR);
    const std::vector<double> numbers(5, 0.5 + test.rank);
    MEL::FileWrite(numbers.data(), 3, file);
    MEL::FileWrite(numbers.data(), 2, MEL::Datatype::DOUBLE, file);
    MEL::FileClose(file);
    CHECK_EQUAL(std::filesystem::file_size(name), 40u);
    std::vector<double> again(5);
    std::ifstream(name, std::ios::binary).read(reinterpret_cast<char*>(again.data()), 40);
    CHECK(again == numbers);
  }
  {  // structures, in the same kind of file
    MEL::File file = MEL::FileOpenIndividual(name, MEL::FileMode::RDWR);
    std::vector<std::string> words{"one", "two"}, back;
    MEL::Deep::FileWrite(words, file);
    MEL::FileClose(file);
    file = MEL::FileOpenIndividual(name, MEL::FileMode::RDONLY);
    MEL::Deep::FileRead(back, file);
    MEL::FileClose(file);
    CHECK(back == words);
  }
}

WHERRY_TEST(mel_shallow_arguments, ranks(1, 2)) {
  using MEL::Datatype;
  {  // Column first, of 4 rows of 6 columns: wide enough that rows first would be legal, too.
    const auto part = MEL::TypeCreateSubArray2D(Datatype::INT, 2, 1, 3, 2, 6, 4);
    std::vector<int> all(24), out(24, -1);
    for (int i = 0; i < 24; ++i) all[static_cast<std::size_t>(i)] = i;
    int bytes = 0, at = 0;
    MPI_Pack(all.data(), 1, static_cast<MPI_Datatype>(part), out.data(), 96, &at, MPI_COMM_SELF);
    MPI_Type_size(static_cast<MPI_Datatype>(part), &bytes);
    CHECK_EQUAL(bytes, 24);
    out.resize(6);
    CHECK(out == (std::vector{8, 9, 10, 14, 15, 16}));
    auto mine = part;
    MEL::TypeFree(mine);
  }
  CHECK(refused([] { MEL::TypeCreateSubArray2D(Datatype::INT, 0, 3, 6, 2, 6, 4); }).find("does not lie") !=
        std::string::npos);
  // What would only fit the other way round is refused, too.
  CHECK(!refused([] { MEL::TypeCreateSubArray2D(Datatype::INT, 6, 4, 3, 2, 2, 1); }).empty());
  CHECK(!refused([] { MEL::TypeCreateSubArray2D(Datatype::INT, 0, 0, 6, 0, 6, 4); }).empty());
  {  // The displacement stands before the target's count and type, and the rank comes last.
    std::array<unsigned char, 4> film{};
    const unsigned char seven = 7;
    MEL::Win window = MEL::WinCreate(film.data(), 4, MEL::Comm::SELF);
    MEL::WinLockShared(window, 0);
    MEL::Put(&seven, 1, Datatype::UNSIGNED_CHAR, 2, 1, Datatype::UNSIGNED_CHAR, 0, window);
    MEL::WinUnlock(window, 0);
    MEL::WinFree(window);
    CHECK(film == (std::array<unsigned char, 4>{0, 0, 7, 0}));
  }
  CHECK(refused([] { MEL::TypeCreateContiguous(Datatype::INT, -2); }).find("-2") != std::string::npos);
  CHECK(refused([] { MEL::TypeCreateContiguous(Datatype(), 2); }).find("DATATYPE_NULL") != std::string::npos);
  int x = 0;
  CHECK(!refused([&] { MEL::Put(&x, 1, 0, 0, MEL::Win()); }).empty());
  CHECK(!refused([] { MEL::WinLockShared(0, MEL::Win()); }).empty());
  CHECK(!refused([&] { MEL::WinCreate(&x, -1, MEL::Comm::SELF); }).empty());
}

WHERRY_TEST(mel_memory, ranks(1, 2)) {
  int *a = MEL::MemAlloc<int>(3), *b = nullptr;
  double* c = MEL::MemAlloc<double>(2, 0.5);
  int* const fixed = MEL::MemAlloc<int>(1);
  MEL::MemFree(a, b, c, fixed);
  CHECK(a == nullptr && b == nullptr && c == nullptr && fixed != nullptr);
  a = MEL::MemAlloc<int>(1);
  MEL::MemFree(a);
  MEL::MemFree(a);
  CHECK(a == nullptr);
  static int alive = 0;
  struct counted {
    counted* self = nullptr;
    counted() { ++alive; }
    counted(const counted&) { ++alive; }
    ~counted() { --alive; }
  };
  counted* several = MEL::MemAlloc<counted>(3, counted());
  CHECK_EQUAL(alive, 3);
  CHECK(refused([&] { MEL::MemDestruct(several, -1); }).find("-1") != std::string::npos && several != nullptr);
  MEL::MemDestruct(several, 3);
  CHECK(several == nullptr && alive == 0);
  auto* one = MEL::MemConstruct<counted>();
  one->self = one;
  MEL::MemDestruct(one->self);
  CHECK_EQUAL(alive, 0);
}
