#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "wherry/blocks/array_file.hpp"
#include "wherry/blocks/array_series.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/node_arena.hpp"
#include "wherry/plan/schedule_builder.hpp"

#include "array_file_format.hpp"
#include "array_series_state.hpp"
#include "core/collective.hpp"
#include "core/mpi_file.hpp"
#include "core/random_bits.hpp"
#include "core/replaced_file.hpp"
#include "core/stored_numbers.hpp"
#include "core/terms.hpp"
#include "plan/planned_copies.hpp"

namespace wherry {
namespace {

constexpr const char* in_array_file_writer = "array_writer";

/// A contiguous part of the file that this rank packs and writes at once.
struct batch {
  struct part {
    index_t begin = 0, bytes = 0;  // offset in the batch; size without the checksum
  };
  index_t begin = 0, bytes = 0;  // range in the file
  std::vector<part> parts;
  std::vector<plans::local_copy> copies;
  planned_copies pack;
};

/// A buffer, and the request that writes it.
struct slot {
  std::vector<std::byte> memory;
  MPI_Request request = MPI_REQUEST_NULL;
  std::size_t batch = 0;
  bool busy = false;
};

template <int N>
plans::local_copy copy_of(const array_file::piece<N>& p, const detail::placed_grid<N>& grid,
                          const detail::array_shape<N>& shape, index_t offset) {
  std::array<std::int64_t, static_cast<std::size_t>(N + 1)> extents{}, from{}, to{};
  index_t start = grid.offset, dense = shape.element;
  for (std::size_t d = 0; d < N; ++d) {
    extents[d] = p.cells.extent(static_cast<int>(d));
    from[d] = grid.strides[d];
    to[d] = dense;
    dense *= extents[d];
    start += (p.cells.lower[d] - grid.whole.lower[d]) * grid.strides[d];
  }
  extents[N] = shape.components;
  from[N] = grid.component_stride;
  to[N] = dense;
  return {plans::strided_block(grid.field, shape.element, start, extents, from),
          plans::strided_block(0, shape.element, offset, extents, to), detail::store};
}

/// @param floor the fingerprint of a complete floor plan; 0 for a partial one
template <int N>
terms terms_of(const array_file::header& facts, std::uint64_t floor, const box<N>* section,
               const array_file_options& how) {
  return terms([&, floor, section](auto& say) {
    say(section != nullptr, "whether there is a section");
    for (std::size_t d = 0; section != nullptr && d < N; ++d) {
      say(section->lower[d], "the section's lower bound in dimension ", d);
      say(section->upper[d], "the section's upper bound in dimension ", d);
    }
    say(facts.dimensions, "the number of dimensions");
    say(facts.components, "the number of components");
    say(facts.boxes, "the number of boxes");
    say(floor, "the floor plan");
    say(facts.element, "the bytes of an element");
    say(facts.piece, "'piece'");
    say(how.buffer_bytes, "'buffer_bytes'");
    say(how.snapshot, "'snapshot'");
    say(facts.type, "'type'");
  });
}

void check(const array_file::header& facts, const array_file_options& how) {
  const auto fail = [](std::string_view what) { throw error(error_kind::argument, in_array_file_writer, what); };
  if (std::ssize(facts.type) > array_file::most_type_bytes)
    fail(detail::text("'type' is '", facts.type, "', expected at most ", array_file::most_type_bytes, " bytes"));
  if (how.piece < array_file::least_piece || how.piece > array_file::largest_piece)
    fail(detail::text("'piece' is ", how.piece, " bytes, expected 1 KiB to 1 GiB"));
  if (how.buffer_bytes < 1 || how.buffer_bytes > array_file::largest_piece)
    fail(detail::text("'buffer_bytes' is ", how.buffer_bytes, ", expected 1 to 2^30"));
  if (facts.cell() > array_file::largest_piece)
    fail(detail::text("the components of one cell have ", facts.cell(), " bytes, expected at most 1 GiB"));
}

}  // namespace

/// The state of a writer, independent of the number of dimensions.
struct array_writer::state {
  static constexpr const char* handle = in_array_file_writer;

  state(const communicator& ranks, const array_file_options& options) : comm(ranks), how(options) {}

  communicator comm;
  array_file_options how;
  array_file::header facts;
  std::vector<void*> fields;
  std::uint64_t frees_seen = 0;  // count of freed pieces of the arena when the fields were last known to exist
  // This rank's part of the file.
  index_t first_entry = 0;
  std::vector<int> numbers;
  std::vector<index_t> corners;  // for each box its lower and its upper corner
  std::vector<batch> batches;
  // One write.
  enum class phase { idle, writing, agreeing } now = phase::idle;
  mpi_file file;
  std::string path;
  std::shared_ptr<array_series::state> series;  // the series to which the array is added; null for a file of its own
  index_t base = 0;                             // offset of the image in the file
  array_file::record record;
  std::uint64_t seed = 0;
  array_file::header_image image{};
  std::vector<slot> slots;
  std::size_t next = 0;  // index of the next batch
  std::optional<error> failure;
  exchange_statistics counted;
  int all_wrote = 0;
  MPI_Request agreeing = MPI_REQUEST_NULL;

  /// @throws error(state) if the array was freed
  void require_array();
  void begin(const std::string& to);
  void begin(const std::shared_ptr<array_series::state>& to, const std::string& name, index_t step);
  void begin_image();
  void finish_file();
  void finish_record();
  void fill(slot& s);
  bool advance(bool block);
  bool complete(slot& s, bool block);
  void finish();
  void write_table() const;
  void give_up() noexcept;
};

void array_writer::state::require_array() {
  const auto frees = detail::node_arena::frees();
  const auto* const arena = comm.arena();
  for (const auto* field : fields)
    if (arena != nullptr && !arena->has_had(field, frees_seen))
      throw error(error_kind::state, in_array_file_writer, "the array was freed before start", comm.rank());
  frees_seen = frees;
}

void array_writer::state::begin(const std::string& to) {
  collectively_on(terms([&](auto& say) { say(to, "the path"); }), comm, in_array_file_writer, [&] {
    if (now != phase::idle)
      throw error(error_kind::state, in_array_file_writer, "'start' was called while a write is under way");
    require_array();
    if (to.empty()) throw error(error_kind::argument, in_array_file_writer, "'path' is empty");
    if (comm.rank() == 0) make_part(to, in_array_file_writer);
  });
  path = to;
  base = 0;
  file = mpi_file(comm, part_of(path), MPI_MODE_WRONLY, how.hints, in_array_file_writer);
  begin_image();
}

void array_writer::state::begin(const std::shared_ptr<array_series::state>& to, const std::string& name, index_t step) {
  const terms agreed([&](auto& say) {
    say(to->path, "the path");
    say(name, "the name");
    say(step, "the step");
  });
  collectively_on(agreed, comm, in_array_file_writer, [&] {
    if (now != phase::idle)
      throw error(error_kind::state, in_array_file_writer, "'start' was called while a write is under way");
    require_array();
    if (to->comm != comm)
      throw error(error_kind::argument, in_array_file_writer,
                  detail::text("'", to->path, "' belongs to other ranks than the array"), comm.rank());
    to->check(name, step);
  });
  series = to;
  to->busy = true;
  path = to->path;
  record = {name, step, to->end, facts.total};
  base = record.image();
  try {
    detail::collectively(comm, in_array_file_writer, [&] { to->claim(record); });
    file = mpi_file(comm, path, MPI_MODE_WRONLY, how.hints, in_array_file_writer);
  } catch (const error&) {
    std::exchange(series, nullptr)->release();
    throw;
  }
  begin_image();
}

/// Begins to write into the open file. Collective.
void array_writer::state::begin_image() {
  facts.stamp = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()) ^ random_bits();
  patient::bcast(comm, in_array_file_writer, std::as_writable_bytes(std::span(&facts.stamp, 1)), 0);
  image = array_file::encode(facts);
  seed = array_file::seed_of(image);
  failure.reset();
  next = 0;
  slots.resize(how.snapshot ? batches.size() : std::min<std::size_t>(2, batches.size()));
  now = phase::writing;
  for (auto& s : slots) fill(s);
}

/// Packs the next batch into a buffer and begins to write it.
void array_writer::state::fill(slot& s) {
  s.busy = false;
  if (failure || next == batches.size()) return;
  s.batch = next++;
  auto& b = batches[s.batch];
  failure = detail::error_of(comm, in_array_file_writer, [&] {
    s.memory.resize(static_cast<std::size_t>(b.bytes));
    void* const buffer[] = {s.memory.data()};
    b.pack.run(fields, buffer);
    for (const auto& p : b.parts) {
      const auto cells = std::span<const std::byte>(s.memory).subspan(static_cast<std::size_t>(p.begin),
                                                                      static_cast<std::size_t>(p.bytes));
      put_number(s.memory.data() + p.begin + p.bytes, array_file::checksum_at(seed, b.begin + p.begin, cells));
    }
    s.request = file.start_write(base + b.begin, s.memory);
    s.busy = true;
  });
}

/// True if the request of a buffer is complete.
bool array_writer::state::complete(slot& s, bool block) {
  bool done = true;
  const auto found = detail::error_of(comm, in_array_file_writer,
                                      [&] { done = file.finished(s.request, batches[s.batch].bytes, block); });
  if (!failure) failure = found;
  return done;
}

bool array_writer::state::advance(bool block) {
  if (now != phase::idle) detail::require_mpi(in_array_file_writer, comm.rank());
  if (now == phase::writing) {
    bool busy = true;
    while (busy) {
      busy = false;
      for (auto& s : slots) {
        if (!s.busy) continue;
        if (!complete(s, block)) return false;
        fill(s);
        busy = busy || s.busy;
      }
    }
    all_wrote = failure ? 0 : 1;
    check_mpi(PMPI_Iallreduce(MPI_IN_PLACE, &all_wrote, 1, MPI_INT, MPI_MIN, comm.private_handle(), &agreeing),
              "MPI_Iallreduce");
    now = phase::agreeing;
  }
  if (now == phase::agreeing) {
    int done = 1;
    if (block)
      patient::complete(comm, in_array_file_writer, agreeing);
    else
      check_mpi(PMPI_Test(&agreeing, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done == 0) return false;
    finish();
  }
  return true;
}

void array_writer::state::write_table() const {
  std::vector<std::byte> table;
  const auto width = 2 * static_cast<std::size_t>(facts.dimensions);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    array_file::encode_entry(numbers[i], std::span(corners).subspan(i * width, width),
                             first_entry + static_cast<index_t>(i), seed, table);
  file.write(base + array_file::header_bytes + first_entry * facts.entry(), table);
  if (comm.rank() == 0) file.write(base, image);
}

/// Completes the file after all ranks have written their data. Collective; each step succeeds on all ranks or on none.
void array_writer::state::finish() {
  now = phase::idle;
  try {
    detail::collectively(comm, in_array_file_writer, [&] {
      if (failure) throw error(*failure);
      write_table();
    });
    detail::collectively(comm, in_array_file_writer, [&] { file.sync(); });
    if (series)
      finish_record();
    else
      finish_file();
    ++counted.exchanges;
    for (const auto& b : batches) counted.bytes_sent += b.bytes;
  } catch (const error& failed) {
    const bool some_are_missing = failed.kind() == error_kind::timeout || failed.kind() == error_kind::lost;
    if (!some_are_missing) file.close();  // collective, so it would wait for missing ranks
    if (series)
      std::exchange(series, nullptr)->release();  // the next write overwrites the unfinished array
    else if (comm.rank() == 0)
      remove_part(path);
    throw;
  }
}

void array_writer::state::finish_file() {
  file.close();
  detail::collectively(comm, in_array_file_writer, [&] {
    if (comm.rank() == 0) put_part_in_place(path, true, in_array_file_writer);
  });
}

/// Writes the record, now that the whole image is on the disk.
void array_writer::state::finish_record() {
  const auto head = array_file::encode(record, series->last, array_file::record_state::finished);
  detail::collectively(comm, in_array_file_writer, [&] {
    if (comm.rank() != 0) return;
    file.write(record.begin, head);
    file.sync();
  });
  file.close();
  series->add(record, head);
  std::exchange(series, nullptr)->release();
}

void array_writer::state::give_up() noexcept {
  if (!detail::mpi_is_running()) return;
  for (auto& s : slots)
    if (s.busy) complete(s, true);
  if (series) std::exchange(series, nullptr)->release();
}

array_writer::array_writer(array_writer&&) noexcept = default;
array_writer& array_writer::operator=(array_writer&&) noexcept = default;
array_writer::~array_writer() {
  if (!state_ || state_->now == state::phase::idle) return;
  state_->give_up();
  if (state_->now == state::phase::agreeing) new std::shared_ptr<state>(state_);  // MPI may still write to it
}

void array_writer::start(const std::string& path) { state_->begin(path); }
void array_writer::start(array_series& series, const std::string& name, index_t step) {
  static_cast<void>(*series.state_);  // throws if the series was moved from
  state_->begin(series.state_, name, step);
}
bool array_writer::test() { return state_->advance(false); }
void array_writer::wait() { state_->advance(true); }

std::string array_writer::transport() const { return "mpi_io"; }
exchange_statistics array_writer::statistics() const { return state_->counted; }
std::string array_writer::explain() const {
  const auto& s = *state_;
  index_t bytes = 0;
  for (const auto& b : s.batches) bytes += b.bytes;
  return detail::text(s.numbers.size(), " of ", s.facts.boxes, " boxes of ", s.facts.type, ": ", bytes, " of ",
                      s.facts.total, " B",
                      s.batches.empty() ? "" : detail::text(", from byte ", s.batches.front().begin), ", in ",
                      s.batches.size(), " writes", s.how.snapshot ? ", all copied at the start" : "", ", by MPI-IO\n");
}

template <int N>
std::shared_ptr<array_writer::state> array_writer::prepare(const communicator& comm,
                                                           const detail::array_shape<N>& shape,
                                                           std::span<void* const> memory, const box<N>* section,
                                                           const array_file_options& how) {
  auto made = std::make_shared<state>(comm, how);
  auto& s = *made;
  s.facts = {N, shape.components, shape.plan->size(), shape.element, how.piece, 0, 0, how.type};
  s.fields.assign(memory.begin(), memory.end());
  s.frees_seen = detail::node_arena::frees();
  collectively_on(terms_of(s.facts, shape.plan->fingerprint(), section, how), comm, in_array_file_writer,
                  [&] { check(s.facts, how); });
  const auto written = [&](int number) {
    const auto cells = shape.core(number);
    return section == nullptr ? cells : intersection(cells, *section);
  };

  // The boxes of a rank are adjacent in the file, so that no rank needs to know all boxes.
  std::vector<std::int64_t> mine{std::ssize(shape.grids), 0};
  for (const auto& g : shape.grids) mine[1] += array_file::bytes_of(written(g.number), s.facts);
  const auto shares = patient::shares(comm, in_array_file_writer, mine);
  const auto& [boxes, bytes] = std::tie(shares[0], shares[1]);
  if (boxes.all != s.facts.boxes)
    throw error(error_kind::mismatch, in_array_file_writer,
                detail::text("the ranks own ", boxes.all, " boxes, but the floor plan has ", s.facts.boxes),
                comm.rank());
  s.first_entry = boxes.before;
  s.facts.total = s.facts.data_begin() + bytes.all;

  index_t end = s.facts.data_begin() + bytes.before;
  for (const auto& g : shape.grids) {
    const auto cells = written(g.number);
    s.numbers.push_back(g.number);
    s.corners.insert(s.corners.end(), cells.lower.begin(), cells.lower.end());
    s.corners.insert(s.corners.end(), cells.upper.begin(), cells.upper.end());
    end = array_file::for_each_piece(cells, end, s.facts, [&](const array_file::piece<N>& p) {
      if (s.batches.empty() || s.batches.back().bytes + p.bytes + array_file::checksum_bytes > how.buffer_bytes)
        s.batches.push_back({p.begin, 0, {}, {}, {}});
      auto& b = s.batches.back();
      b.parts.push_back({b.bytes, p.bytes});
      b.copies.push_back(copy_of(p, g, shape, b.bytes));
      b.bytes += p.bytes + array_file::checksum_bytes;
    });
  }
  for (auto& b : s.batches) {
    plans::schedule_builder plan(in_array_file_writer, comm.rank());
    for (const auto& c : std::exchange(b.copies, {})) plan.copy(c.from, c.to);
    b.pack = planned_copies(plan.finish());
  }
  return made;
}

#define WHERRY_ARRAY_WRITER(N)                                                                   \
  template std::shared_ptr<array_writer::state> array_writer::prepare(                           \
      const communicator&, const detail::array_shape<N>&, std::span<void* const>, const box<N>*, \
      const array_file_options&);
WHERRY_ARRAY_WRITER(1)
WHERRY_ARRAY_WRITER(2)
WHERRY_ARRAY_WRITER(3)
WHERRY_ARRAY_WRITER(4)
WHERRY_ARRAY_WRITER(5)
WHERRY_ARRAY_WRITER(6)
#undef WHERRY_ARRAY_WRITER

}  // namespace wherry
