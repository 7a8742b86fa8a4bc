#include "wherry/blocks/array_series.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <system_error>

#include "wherry/core/error.hpp"

#include "array_file_format.hpp"
#include "array_series_state.hpp"
#include "core/collective.hpp"
#include "core/plain_file.hpp"
#include "core/sealed_header.hpp"
#include "core/stored_numbers.hpp"
#include "core/terms.hpp"

namespace wherry {
namespace {

using array_file::record;
using array_file::record_bytes;
using array_file::record_image;

constexpr const char* where = "array_series";
constexpr file_kind kind{{0x93, 'W', 'H', 'R', 'S', '\r', '\n', 0x1A}, 1, where, "files of many arrays do"};
constexpr std::size_t at_name = 48;  // 104 bytes with what fills them

/// Nothing where an array was begun and not finished. @throws error(argument) for a damaged one
std::optional<record> decode(const record_image& image, index_t begin, index_t file_bytes, std::uint64_t before) {
  if (std::all_of(image.begin(), image.end(), [](std::byte b) { return b == std::byte{0}; })) return {};
  const auto [step, bytes, follows] = facts_of<3>(kind, image);
  if (follows != before) kind.damaged(detail::text("the record at byte ", begin, " does not follow the one before it"));
  record found;
  const auto* name = reinterpret_cast<const char*>(image.data() + at_name);
  found.name.assign(name, strnlen(name, static_cast<std::size_t>(array_file::most_type_bytes)));
  found.step = static_cast<index_t>(step);
  found.begin = begin;
  if (bytes > static_cast<std::uint64_t>(file_bytes - begin - record_bytes))
    kind.damaged(
        detail::text("'", found.name, "' of step ", found.step, " has ", bytes, " bytes, the file ends before"));
  found.bytes = static_cast<index_t>(bytes);
  return found;
}

/// What rank 0 finds in the file, as the bytes of all complete records.
std::vector<std::byte> records_of(const std::string& path) {
  if (!std::filesystem::exists(path) && !std::ofstream(path, std::ios::app))
    throw error(error_kind::argument, where, "cannot be made");
  const plain_file file(path, where);
  std::vector<std::byte> all;
  record_image image;
  std::uint64_t before = 0;
  for (index_t begin = 0; begin < file.size();) {
    image.fill(std::byte{0});
    file.read(begin,
              std::span(image).first(static_cast<std::size_t>(std::min<index_t>(record_bytes, file.size() - begin))));
    const auto found = decode(image, begin, file.size(), before);
    if (!found) break;
    all.insert(all.end(), image.begin(), image.end());
    before = seal_of(image);
    begin = found->end();
  }
  return all;
}

}  // namespace

record_image array_file::encode(const record& facts, std::uint64_t before) {
  record_image image{};
  std::memcpy(image.data() + at_name, facts.name.data(), facts.name.size());
  seal(kind, image, {static_cast<std::uint64_t>(facts.step), static_cast<std::uint64_t>(facts.bytes), before});
  return image;
}

void array_series::state::add(const record& record, const record_image& image) {
  entries.push_back({record.name, record.step, record.image(), record.bytes});
  end = record.end();
  last = seal_of(image);
}

void array_series::state::prepare(const std::string& name, index_t step) const {
  const auto fail = [&](error_kind of, std::string_view why) {
    throw error(of, where, detail::text("'", path, "': ", why), comm.rank());
  };
  if (busy) fail(error_kind::state, "another array is being written");
  if (name.empty() || std::ssize(name) > array_file::most_type_bytes)
    fail(error_kind::argument, detail::text("the name '", name, "' has ", name.size(), " bytes, expected 1 to ",
                                            array_file::most_type_bytes));
  if (name.find('\0') != std::string::npos) fail(error_kind::argument, "the name has a zero byte");
  for (const auto& e : entries)
    if (e.name == name && e.step == step)
      fail(error_kind::argument, detail::text("it has '", name, "' of step ", step, " already"));
  if (comm.rank() != 0) return;
  std::error_code failed;
  std::filesystem::resize_file(path, static_cast<std::uintmax_t>(end), failed);
  if (failed) fail(error_kind::argument, failed.message());
}

array_series::array_series(const communicator& comm, const std::string& path)
    : state_(std::make_shared<state>(state{comm, path, {}, 0, 0, false})) {
  std::vector<std::byte> all;
  collectively_on(terms([&](auto& say) { say(path, "the path"); }), comm, where, [&] {
    if (path.empty()) throw error(error_kind::argument, where, "the path is empty", comm.rank());
    if (comm.rank() != 0) return;
    try {
      all = records_of(path);
    } catch (const error& failure) {
      throw error(failure.kind(), where, detail::text("'", path, "': ", failure.text()), 0);
    }
  });
  std::uint64_t bytes = all.size();
  patient::broadcast(comm, where, std::as_writable_bytes(std::span(&bytes, 1)), 0);
  collectively(comm, where, [&] { all.resize(bytes); });
  patient::broadcast(comm, where, all, 0);
  for (std::size_t at = 0; at < all.size(); at += record_bytes) {
    record_image image;
    std::memcpy(image.data(), all.data() + at, image.size());
    state_->add(*decode(image, state_->end, array_file::farthest, state_->last), image);
  }
}

const std::vector<array_series::entry>& array_series::entries() const { return state_->entries; }

std::vector<index_t> array_series::steps(const std::string& name) const {
  std::vector<index_t> all;
  for (const auto& e : state_->entries)
    if (e.name == name) all.push_back(e.step);
  return all;
}

array_file::image_place array_series::place_of(const std::string& name, index_t step) const {
  for (const auto& e : state_->entries)
    if (e.name == name && e.step == step) return {state_->path, e.begin, e.bytes};
  throw error(error_kind::argument, where, detail::text("'", state_->path, "' has no '", name, "' of step ", step),
              state_->comm.rank());
}

array_file_description array_series::describe(const std::string& name, index_t step) const {
  return array_file::describe(state_->comm, place_of(name, step));
}

}  // namespace wherry
