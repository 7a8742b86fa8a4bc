// Deep objects in files that are named by a path.
#include <cstdint>

#include "wherry/core/error.hpp"
#include "wherry/deep/detail/file_streams.hpp"

#include "core/plain_file.hpp"
#include "core/replaced_file.hpp"
#include "file_framing.hpp"
#include "file_named.hpp"

namespace wherry::deep::detail {
namespace {

void write_part(const std::string& part, std::uint64_t type, const file_options& how, const fill& pack) {
  plain_output out(part, "deep::write");
  const auto header = write_framed([&out](std::span<const std::byte> bytes) { out.write(bytes); }, type, how, pack);
  out.write_at(0, header);  // the final header, with the payload
  if (how.sync) out.sync();
  out.close();
}

}  // namespace

void write_file(const std::string& to, std::uint64_t type, const file_options& how, const fill& pack) {
  constexpr const char* where = "deep::write";
  if (to.empty()) throw error(error_kind::argument, where, "'path' is empty");
  naming("'" + to + "'", where, [&] {
    make_part(to, where);
    try {
      write_part(part_of(to), type, how, pack);
      put_part_in_place(to, how.sync, where);
    } catch (...) {
      remove_part(to);
      throw;
    }
  });
}

void read_file(const std::string& from, std::uint64_t type, const file_options& how, const drain& unpack) {
  constexpr const char* where = "deep::read";
  naming("'" + from + "'", where, [&] {
    const plain_file file(from, where);
    std::int64_t at = 0;
    file_input input;
    input.get = [&](std::span<std::byte> bytes) {
      file.read(at, bytes);
      at += static_cast<std::int64_t>(bytes.size());
    };
    input.room = [&] { return static_cast<std::uint64_t>(file.size() - at); };
    input.alone = true;
    read_framed(input, type, how, unpack);
  });
}

}  // namespace wherry::deep::detail
