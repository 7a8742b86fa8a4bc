#include "wherry/blocks/array_series.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "wherry/blocks/saved_array.hpp"
#include "wherry/core/error.hpp"

#include "array_file_format.hpp"
#include "array_series_state.hpp"
#include "core/collective.hpp"
#include "core/sealed_header.hpp"
#include "core/stored_numbers.hpp"
#include "core/terms.hpp"

namespace wherry {
namespace {

using array_file::record;
using array_file::record_bytes;
using array_file::record_image;
using array_file::record_state;

constexpr const char* in_array_series = "array_series";
constexpr file_kind series_kind{
    {0x93, 'W', 'H', 'R', 'S', '\r', '\n', 0x1A}, 1, in_array_series, "a file of many arrays"};
/// The kind of a record for an array that was begun and is not finished.
constexpr file_kind unfinished{{0x93, 'W', 'H', 'R', 's', '\r', '\n', 0x1A}, 1, in_array_series, series_kind.alike};
constexpr std::size_t at_name = 48;  // the name takes 104 bytes, padding included

/// True if the bytes begin like a record of this kind, as far as there are bytes.
bool begins_as(const file_kind& what, std::span<const std::byte> bytes) {
  return std::memcmp(bytes.data(), what.magic.data(), std::min(bytes.size(), what.magic.size())) == 0;
}

/// Decodes a record. Returns nothing for an array that is unfinished or truncated.
/// @throws error(argument) for a damaged record, and for a file that is not a series
std::optional<record> decode(const record_image& image, index_t begin, index_t file_bytes, std::uint64_t before) {
  const auto there = std::span(image).first(static_cast<std::size_t>(std::min(record_bytes, file_bytes - begin)));
  if (begin > 0 && std::all_of(there.begin(), there.end(), [](std::byte b) { return b == std::byte{0}; })) return {};
  const auto& what = begins_as(unfinished, there) ? unfinished : series_kind;
  const bool is_series = begin > 0 || there.size() >= series_kind.magic.size();
  if (std::ssize(there) < record_bytes && is_series && begins_as(what, there)) return {};
  const auto [step, bytes, follows] = facts_of<3>(what, image);
  if (follows != before)
    series_kind.damaged(detail::text("the record at byte ", begin, " does not follow the one before it"));
  if (&what == &unfinished || bytes > static_cast<std::uint64_t>(file_bytes - begin - record_bytes)) return {};
  record found;
  const auto* name = reinterpret_cast<const char*>(image.data() + at_name);
  found.name.assign(name, strnlen(name, static_cast<std::size_t>(array_file::most_type_bytes)));
  found.step = static_cast<index_t>(step);
  found.begin = begin;
  found.bytes = static_cast<index_t>(bytes);
  return found;
}

record_image image_at(const plain_file& file, index_t begin) {
  record_image image{};
  file.read(begin, std::span(image).first(static_cast<std::size_t>(std::min(record_bytes, file.size() - begin))));
  return image;
}

/// Opens the file for reading, or creates it.
plain_file open_or_make(const std::string& path) {
  auto there = open_ordinary(path, O_RDONLY);
  if (there.reason == ENOENT) {
    there = open_ordinary(path, O_RDWR | O_CREAT | O_EXCL);
    if (!there.file)
      throw error(error_kind::argument, in_array_series, detail::text("cannot create it: ", there.problem));
  }
  if (!there.file) throw error(error_kind::argument, in_array_series, detail::text("cannot read it: ", there.problem));
  return {std::move(there.file), in_array_series};
}

/// Calls `visit(record, image)` for each complete record in the file.
template <class Visit> void for_each_record(const plain_file& file, Visit&& visit) {
  std::uint64_t before = 0;
  for (index_t begin = 0; begin < file.size();) {
    const auto image = image_at(file, begin);
    const auto found = decode(image, begin, file.size(), before);
    if (!found) break;
    visit(*found, image);
    before = seal_of(image);
    begin = found->end();
  }
}

/// The bytes of all complete records in the file, as rank 0 finds them.
std::vector<std::byte> records_of(const std::string& path) {
  std::vector<std::byte> all;
  for_each_record(open_or_make(path),
                  [&](const record&, const record_image& image) { all.insert(all.end(), image.begin(), image.end()); });
  return all;
}

}  // namespace

record_image array_file::encode(const record& facts, std::uint64_t before, record_state now) {
  record_image image{};
  std::memcpy(image.data() + at_name, facts.name.data(), facts.name.size());
  seal(now == record_state::finished ? series_kind : unfinished, image,
       {static_cast<std::uint64_t>(facts.step), static_cast<std::uint64_t>(facts.bytes), before});
  return image;
}

std::vector<array_series::entry> arrays_in_series(const std::string& path) {
  try {
    std::vector<array_series::entry> all;
    for_each_record(plain_file(path, in_array_series), [&](const record& one, const record_image&) {
      all.push_back({one.name, one.step, one.image(), one.bytes});
    });
    return all;
  } catch (const error& failure) {
    throw error(failure.kind(), in_array_series, detail::text("'", path, "': ", failure.text()));
  }
}

void array_series::state::add(const record& record, const record_image& image) {
  entries.push_back({record.name, record.step, record.image(), record.bytes});
  end = record.end();
  last = seal_of(image);
}

void array_series::state::check(const std::string& name, index_t step) const {
  const auto fail = [&](error_kind of, std::string_view why) {
    throw error(of, in_array_series, detail::text("'", path, "': ", why), comm.rank());
  };
  if (busy) fail(error_kind::state, "another array is still being written to it");
  if (name.empty() || std::ssize(name) > array_file::most_type_bytes)
    fail(error_kind::argument, detail::text("'name' is '", name, "' and has ", name.size(), " bytes, expected 1 to ",
                                            array_file::most_type_bytes));
  if (name.find('\0') != std::string::npos) fail(error_kind::argument, "'name' has a zero byte");
  for (const auto& e : entries)
    if (e.name == name && e.step == step)
      fail(error_kind::argument, detail::text("it has '", name, "' of step ", step, " already"));
}

void array_series::state::claim(const array_file::record& next) {
  if (comm.rank() != 0) return;
  const auto fail = [&](error_kind of, std::string_view why) {
    throw error(of, in_array_series, detail::text("'", path, "': ", why), comm.rank());
  };
  auto ours = open_ordinary(path, O_RDWR);
  if (!ours.file) fail(error_kind::argument, ours.problem);
  const int number = ours.file.number();
  if (flock(number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)  // any other error: the system has no locks
    fail(error_kind::state, "another program, or another array_series of this one, is writing to it");
  plain_file file(std::move(ours.file), in_array_series);
  bool is_as_it_was = file.size() >= end;
  if (is_as_it_was && !entries.empty())
    is_as_it_was = seal_of(image_at(file, entries.back().begin - record_bytes)) == last;
  if (!is_as_it_was) fail(error_kind::state, "it was changed since this array_series was opened: open it again");
  if (file.size() > end)
    if (const auto more = decode(image_at(file, end), end, file.size(), last))
      fail(error_kind::state, detail::text("'", more->name, "' of step ", more->step,
                                           " was added since this array_series was opened: open it again"));
  const auto head = encode(next, last, record_state::begun);
  if (ftruncate(number, end) != 0) fail(error_kind::argument, std::strerror(errno));
  if (!fits_file_limit(next.end()) || pwrite(number, head.data(), head.size(), end) != std::ssize(head))
    fail(error_kind::resource, "cannot write it: File too large, or the disk is full");
  locked = std::move(file).release();
}

void array_series::state::release() noexcept {
  busy = false;
  if (!locked) return;
  flock(locked.number(), LOCK_UN);  // closing is not enough, since a child of fork() may keep the file open
  locked = {};
}

array_series::array_series(const communicator& comm, const std::string& path)
    : state_(std::make_shared<state>(state{comm, path, {}, 0, 0, false, {}})) {
  std::vector<std::byte> all;
  collectively_on(terms([&](auto& say) { say(path, "the path"); }), comm, in_array_series, [&] {
    if (path.empty()) throw error(error_kind::argument, in_array_series, "'path' is empty", comm.rank());
    if (comm.rank() != 0) return;
    try {
      all = records_of(path);
    } catch (const error& failure) {
      throw error(failure.kind(), in_array_series, detail::text("'", path, "': ", failure.text()), 0);
    }
  });
  std::uint64_t bytes = all.size();
  patient::bcast(comm, in_array_series, std::as_writable_bytes(std::span(&bytes, 1)), 0);
  detail::collectively(comm, in_array_series, [&] { all.resize(bytes); });
  patient::bcast(comm, in_array_series, all, 0);
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
  throw error(error_kind::argument, in_array_series,
              detail::text("'", state_->path, "' has no '", name, "' of step ", step), state_->comm.rank());
}

array_file_description array_series::describe(const std::string& name, index_t step) const {
  return array_file::describe(state_->comm, place_of(name, step));
}

}  // namespace wherry
