#include "fuzz/deep_file_case.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <typeinfo>

#include "wherry/core/error.hpp"

#include "core/stored_numbers.hpp"
#include "deep/file_format.hpp"
#include "fuzz/deep_file_types.hpp"

namespace wherry_fuzz {
namespace {

namespace deep = wherry::deep;
namespace format = wherry::deep::file_format;

/// Of the file's payload is chosen what is read.
template <class Visit> auto with_type(unsigned type, Visit&& visit) {
  switch (type % types) {
    case 0:
      return visit(static_cast<tree*>(nullptr));
    case 1:
      return visit(sized());
    case 2:
      return visit(graph());
    case 3:
      return visit(std::vector<std::string>());
    case 4:
      return visit(std::vector<std::vector<std::vector<double>>>());
    case 5:
      return visit(std::vector<double>());
    case 6:
      return visit(basket());
    case 7:
      return visit(drawing());
    default:
      return visit(behind());
  }
}

[[noreturn]] void wrong(const char* what) {
  std::fprintf(stderr, "deep_file_case: %s\n", what);
  std::abort();
}

/// Makes all checksums right, as far as the frames can be followed, and the type the expected one.
void sign(std::span<std::byte> file, std::uint64_t type) {
  if (file.size() < format::header_bytes) return;
  format::header_image image;
  const auto facts = format::header{type, wherry::get_number(file.data() + 32), wherry::get_number(file.data() + 40)};
  image = format::encode(facts);
  std::memcpy(file.data(), image.data(), image.size());
  auto chain = type;
  for (std::size_t at = format::header_bytes; file.size() - at >= format::head_bytes;) {
    auto head = format::decode_head(file.data() + at);
    if (head.length > file.size() - at - format::head_bytes) return;
    chain = head.checksum = format::checksum_of(head, file.subspan(at + format::head_bytes, head.length), chain);
    format::encode(head, file.data() + at);
    at += format::head_bytes + head.length;
  }
}

/// A stream that is read from memory; it can be searched, or not.
class memory_stream : public std::streambuf {
 public:
  memory_stream(std::span<std::byte> bytes, bool searchable) : searchable_(searchable) {
    auto* const first = reinterpret_cast<char*>(bytes.data());
    setg(first, first, first + bytes.size());
  }

 private:
  pos_type seekoff(off_type by, std::ios_base::seekdir from, std::ios_base::openmode) override {
    if (!searchable_) return pos_type(-1);
    char* const base = from == std::ios_base::beg ? eback() : from == std::ios_base::cur ? gptr() : egptr();
    setg(eback(), base + by, egptr());
    return pos_type(gptr() - eback());
  }
  pos_type seekpos(pos_type to, std::ios_base::openmode mode) override {
    return seekoff(off_type(to), std::ios_base::beg, mode);
  }
  bool searchable_;
};

template <class T>
std::string text_of_difference(const std::vector<std::byte>& first, const std::vector<std::byte>& second) {
  const auto at = std::mismatch(first.begin(), first.end(), second.begin(), second.end()).first - first.begin();
  return wherry::detail::text("a ", typeid(T).name(),
                              " that was read, written and read again is another one: ", first.size(), " and ",
                              second.size(), " bytes, different from byte ", at, " on");
}

/// What was read can be walked to its last pointer, and what is written of it is the same structure again.
template <class T> void write_and_read_again(T& found) {
  wherry::memory_sink first, second;
  deep::pack(first, found);
  wherry::memory_source source(first.bytes().data(), first.bytes().size());
  T again{};
  deep::unpack(source, again);
  deep::pack(second, again);
  deep::destroy(again);
  // Hashed containers come back in another order.
  constexpr bool ordered = !std::is_same_v<T, basket>;
  if (first.bytes().size() != second.bytes().size() || (ordered && first.bytes() != second.bytes()))
    wrong(text_of_difference<T>(first.bytes(), second.bytes()).c_str());
}

}  // namespace

way way::of(std::byte first) {
  const auto bits = std::to_integer<unsigned>(first);
  return {bits % 16 % types, (bits & 16) != 0, (bits & 32) != 0, (bits & 64) != 0, (bits & 128) != 0};
}

std::byte way::byte() const {
  return static_cast<std::byte>(type | (is_signed ? 16u : 0) | (buffered ? 32u : 0) | (in_arena ? 64u : 0) |
                                (searchable ? 128u : 0));
}

bool run_case(std::span<const std::byte> bytes) {
  if (bytes.empty()) return false;
  const auto how = way::of(bytes[0]);
  std::vector<std::byte> file(bytes.begin() + 1, bytes.end());
  const bool was_read = with_type(how.type, [&](auto&& found) {
    using found_type = std::remove_cvref_t<decltype(found)>;
    if (how.is_signed) sign(file, deep::detail::type_fingerprint<found_type>());
    memory_stream buffer(file, how.searchable);
    std::istream stream(&buffer);
    deep::arena arena;
    try {
      deep::read(stream, found, {.arena = how.in_arena ? &arena : nullptr, .buffered = how.buffered});
    } catch (const wherry::error&) {
      return false;
    }
    write_and_read_again(found);
    if (!how.in_arena) deep::destroy(found);
    return true;
  });
  break_circles();
  if (!group::alive.empty()) wrong("a group outlives what was read");
  return was_read;
}

std::vector<std::byte> make_case(const way& how, std::uint64_t seed, int size) {
  std::ostringstream file;
  with_type(how.type, [&](auto&& made) {
    random_numbers random(seed);
    make(made, random, size);
    deep::write(file, made, {.buffer_bytes = 4096});
    deep::destroy(made);
  });
  std::vector<std::byte> result{how.byte()};
  const auto text = file.str();
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  result.insert(result.end(), first, first + text.size());
  return result;
}

}  // namespace wherry_fuzz
