// Deep objects in standard streams.
#include <cstdint>
#include <ios>
#include <istream>
#include <ostream>

#include "wherry/core/error.hpp"
#include "wherry/deep/detail/file_streams.hpp"

#include "file_framing.hpp"
#include "file_named.hpp"

namespace wherry::deep::detail {
namespace {

/// True if the stream is good after the step. A stream may be set to throw instead.
template <class Stream, class Step> bool well(Stream& stream, Step&& step) {
  try {
    step();
    return stream.good();
  } catch (const std::ios_base::failure&) {
    return false;
  }
}

/// The bytes from here to the end; unknown for a stream that cannot seek.
std::uint64_t room_in(std::istream& in) {
  std::istream::pos_type here = -1, end = -1;
  const bool searched = well(in, [&] {
    here = in.tellg();
    if (here == std::istream::pos_type(-1)) return;
    in.seekg(0, std::ios_base::end);
    end = in.tellg();
    in.seekg(here);
  });
  if (!searched || here == std::istream::pos_type(-1) || end < here) {
    in.clear();
    return byte_source::unknown;
  }
  return static_cast<std::uint64_t>(end - here);
}

}  // namespace

void write_file(std::ostream& to, std::uint64_t type, const file_options& how, const fill& pack) {
  constexpr const char* where = "deep::write";
  if (!to.good()) throw error(error_kind::argument, where, "the stream is not good(): an earlier operation failed");
  const auto put = [&to](std::span<const std::byte> bytes) {
    const auto* data = reinterpret_cast<const char*>(bytes.data());
    if (!well(to, [&] { to.write(data, static_cast<std::streamsize>(bytes.size())); }))
      throw error(error_kind::resource, where, "the stream failed when the object was written");
  };
  naming("the stream", where, [&] { write_framed(put, type, how, pack); });
}

void read_file(std::istream& from, std::uint64_t type, const file_options& how, const drain& unpack) {
  constexpr const char* where = "deep::read";
  if (!from.good())
    throw error(error_kind::argument, where,
                "the stream is not good(): an earlier operation failed or reached its end");
  std::uint64_t got = 0;
  file_input input;
  input.get = [&](std::span<std::byte> bytes) {
    auto* const data = reinterpret_cast<char*>(bytes.data());
    const bool whole = well(from, [&] { from.read(data, static_cast<std::streamsize>(bytes.size())); });
    got += static_cast<std::uint64_t>(from.gcount());
    if (!whole)
      throw error(error_kind::argument, where,
                  wherry::detail::text("it ends after ", got, " bytes of the object, expected more"));
  };
  input.room = [&] { return room_in(from); };
  naming("the stream", where, [&] { read_framed(input, type, how, unpack); });
}

}  // namespace wherry::deep::detail
