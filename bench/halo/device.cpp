// Fields in device memory. One rank alone, periodic to itself, is measured in device time between events; with several
// ranks, the transports are compared. Without a device nothing is measured; on the fake device everything is checked.
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "halo/device_peers.hpp"
#include "halo/options.hpp"
#include "halo/ours.hpp"
#include "harness/ratios.hpp"
#include "harness/shuffled.hpp"
#include "harness/steady.hpp"

namespace bench::halo {
namespace {

/// Dense fields on the device, and images of them on the host with the right values.
class device_problem {
 public:
  explicit device_problem(const problem& p) : images_(p), on_device(p) {
    bytes_ = static_cast<std::size_t>(images_.with_fields.plane) * static_cast<std::size_t>(p.whole(2));
    on_device.row = images_.with_fields.row;
    on_device.plane = images_.with_fields.plane;
    for (auto& place : on_device.field) {
      memory_.push_back(wherry::make_on_device<char>(bytes_));
      place = memory_.back().get();
    }
    fill(images_.with_fields);
  }

  void spoil() {
    spoil_halo(images_.with_fields);
    for (std::size_t f = 0; f < memory_.size(); ++f)
      wherry::copy_on_device(memory_[f].get(), images_.with_fields.field[f], bytes_);
  }
  /// Collective.
  long wrong() {
    for (std::size_t f = 0; f < memory_.size(); ++f)
      wherry::copy_on_device(images_.with_fields.field[f], memory_[f].get(), bytes_);
    const long cells = count_wrong(images_.with_fields) + count_wrong_core(images_.with_fields);
    if (cells != 0) fill(images_.with_fields);
    return cells;
  }

 private:
  heap_fields images_;
  std::size_t bytes_ = 0;
  std::vector<std::shared_ptr<char[]>> memory_;

 public:
  problem on_device;
};

/// A stream of the device in use.
class work_stream {
 public:
  explicit work_stream(const wherry::device& by) : by_(by), stream_(by.make_stream()) {}
  ~work_stream() { by_.end_stream(stream_); }
  work_stream(const work_stream&) = delete;
  work_stream& operator=(const work_stream&) = delete;
  operator wherry::device_stream() const { return stream_; }
  void finish() const { by_.finish(stream_); }

 private:
  const wherry::device& by_;
  wherry::device_stream stream_;
};

json about(std::string_view kind, const problem& p) {
  return record(kind).add("n", p.n).add("ranks", p.size).add("fields", p.what.fields).add("width", p.what.width);
}

class contest {
 public:
  contest(const options& given, const wherry::device& by, const problem& p)
      : given_(given), by_(by), data_(p), grid_(grid_of(p)), stream_(by) {
    for (const auto& name : p.size == 1 ? std::vector<std::string>{"auto"} : transports(given.transports, true))
      add_ours(name);
    add_in_turns();
    if (p.size > 1) add_published();
  }

  bool good() const { return good_; }
  void measure(placement_probe& probe);

 private:
  const problem& there() const { return data_.on_device; }

  void add_ours(const std::string& transport) {
    std::shared_ptr<wherry::halo_exchange> bound;
    try {
      bound = bind_exchange(grid_, halos_of_users(there()), transport);
    } catch (const wherry::error& reason) {
      about("left out", there()).add("method", transport).add("why", reason.what()).write(given_.out);
      return;
    }
    const std::string carried_by = bound->bound().transport();
    add(transport == carried_by ? transport : transport + " (" + carried_by + ")", "ours", [this, bound] {
      const wherry::in_stream here(stream_);
      bound->start();
      bound->wait();
    });
  }

  void add_published() {
    const auto describes = bind_exchange(grid_, halos_of_users(there()), "auto");
    const auto layouts = std::make_shared<wherry::published_layouts>(grid_.comm(), describes->schedule());
    const std::vector<void*> table(there().field.begin(), there().field.end());
    add("published layouts (" + layouts->transport() + ")", "ours", [this, layouts, table] {
      const wherry::in_stream here(stream_);
      layouts->publish(table);
      layouts->read(table);
    });
  }

  /// As in solvers, the output of a step is the input of the next step.
  void add_in_turns() {
    const auto other = std::make_shared<device_problem>(there());
    const std::shared_ptr<wherry::halo_exchange> bound = bind_exchange(grid_, halos_of_users(there()), "auto");
    const auto turn = std::make_shared<int>(0);
    const auto fields = [](const problem& p) { return std::vector<void*>(p.field.begin(), p.field.end()); };
    add("auto, two sets of fields in turns", "ours",
        [this, other, bound, turn, tables = std::array{fields(there()), fields(other->on_device)}] {
          const wherry::in_stream here(stream_);
          bound->bound().start(tables[static_cast<std::size_t>((*turn)++ % 2)]);
          bound->wait();
        });
  }

  /// Adds a method that puts a whole exchange into the stream, after checking one of its results.
  void add(const std::string& name, const std::string& group, std::function<void()> run) {
    data_.spoil();
    MPI_Barrier(there().comm);
    run();
    stream_.finish();
    const long wrong = data_.wrong();
    good_ = good_ && wrong == 0;
    about(wrong == 0 ? "checked" : "wrong", there()).add("method", name).add("cells", wrong).write(given_.out);
    if (wrong == 0) methods_.push_back({name, group, std::move(run), {}, {}, {}});
  }

#ifdef WHERRY_HAS_CUDA
  void add_peers();
  void add_packed_messages();
  void add_limits();
  void measure_in_stream();
#endif

  const options& given_;
  [[maybe_unused]] const wherry::device& by_;
  device_problem data_;
  wherry::process_grid grid_;
  work_stream stream_;
  std::vector<method> methods_;
  bool good_ = true;
};

#ifdef WHERRY_HAS_CUDA

strided_box box_of(const problem& p, std::size_t field, const cells& box) {
  return {p.cell(field, box.lower), p.row, p.plane, box.extent[0] * p.element, box.extent[1], box.extent[2]};
}

/// Calls `visit(towards, from)` for each field and direction in which a single rank copies to itself.
template <class Visit> void for_each_own_copy(const problem& p, Visit&& visit) {
  for (int e = 0; e < directions; ++e)
    for (std::size_t f = 0; p.sends(e) && f < p.field.size(); ++f)
      visit(box_of(p, f, p.incoming(e)), box_of(p, f, p.outgoing(opposite(e))));
}

/// The halos that one hand-written kernel fills: doubles in three dimensions.
bool are_periodic_doubles(const problem& p) {
  return p.element == 8 && p.what.dimensions == 3 && p.field.size() <= periodic_fields::most;
}

periodic_fields periodic(const problem& p) {
  periodic_fields all;
  for (auto* field : p.field) all.first[all.fields++] = reinterpret_cast<double*>(field);
  all.row = p.row / p.element;
  all.plane = p.plane / p.element;
  all.cells = p.n;
  all.width = p.what.width;
  return all;
}

/// The bytes of the 32-byte sectors that the rows of a box touch. Memory moves no less than a sector.
long bytes_in_sectors(const strided_box& box) {
  constexpr long sector = 32;
  long sectors = 0;
  for (int z = 0; z < box.planes; ++z)
    for (int y = 0; y < box.rows; ++y) {
      const auto first = reinterpret_cast<std::intptr_t>(box.at) + z * box.plane + y * box.row;
      sectors += (first + box.bytes - 1) / sector - first / sector + 1;
    }
  return sectors * sector;
}

/// The hand-written exchange: a kernel for each box packs into pinned memory, MPI sends, and a kernel for each box
/// unpacks.
class packed_messages {
 public:
  packed_messages(const wherry::device& by, const problem& p, const work_stream& stream)
      : by_(by), p_(p), stream_(stream), requests_(2 * directions, MPI_REQUEST_NULL) {
    for (int e = 0; e < directions; ++e) bytes_ += p.sends(e) ? p.bytes(p.outgoing(e)) : 0;
    out_ = static_cast<char*>(by.allocate_pinned(bytes_));
    in_ = static_cast<char*>(by.allocate_pinned(bytes_));
  }
  ~packed_messages() {
    by_.release_pinned(out_);
    by_.release_pinned(in_);
  }
  packed_messages(const packed_messages&) = delete;
  packed_messages& operator=(const packed_messages&) = delete;

  void exchange() {
    for_each_box(out_, false,
                 [&](const strided_box& packed, const strided_box& box) { copy_by_kernel(stream_, packed, box); });
    stream_.finish();
    char *out = out_, *in = in_;
    for (int e = 0; e < directions; ++e) {
      if (!p_.sends(e)) continue;
      const auto bytes = p_.bytes(p_.outgoing(e)), arriving = p_.bytes(p_.incoming(e));
      const auto at = static_cast<std::size_t>(e);
      MPI_Irecv(in, static_cast<int>(arriving), MPI_BYTE, p_.neighbor(e), opposite(e), p_.comm, &requests_[2 * at]);
      MPI_Isend(out, static_cast<int>(bytes), MPI_BYTE, p_.neighbor(e), e, p_.comm, &requests_[2 * at + 1]);
      out += bytes;
      in += arriving;
    }
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    for_each_box(in_, true,
                 [&](const strided_box& packed, const strided_box& box) { copy_by_kernel(stream_, box, packed); });
  }

 private:
  template <class Visit> void for_each_box(char* at, bool arrives, Visit&& visit) const {
    for (int e = 0; e < directions; ++e)
      for (std::size_t f = 0; p_.sends(e) && f < p_.field.size(); ++f) {
        const auto box = box_of(p_, f, arrives ? p_.incoming(e) : p_.outgoing(e));
        visit(strided_box{at, box.bytes, box.bytes * box.rows, box.bytes, box.rows, box.planes}, box);
        at += box.bytes * box.rows * box.planes;
      }
  }

  const wherry::device& by_;
  problem p_;
  const work_stream& stream_;
  std::vector<MPI_Request> requests_;
  std::size_t bytes_ = 0;
  char *out_ = nullptr, *in_ = nullptr;
};

void contest::add_packed_messages() {
  const auto by_hand = std::make_shared<packed_messages>(by_, there(), stream_);
  add("MPI on packed buffers", "by hand", [by_hand] { by_hand->exchange(); });
}

void contest::add_peers() {
  if (there().size == 1) {
    if (are_periodic_doubles(there()))
      add("a kernel for all halo cells", "by hand", [this, all = periodic(there())] { fill_by_kernel(stream_, all); });
    add("a kernel a box", "by hand", [this] {
      for_each_own_copy(there(), [this](const auto& to, const auto& from) { copy_by_kernel(stream_, to, from); });
    });
    add("cudaMemcpy3DAsync a box", "by hand", [this] {
      for_each_own_copy(there(), [this](const auto& to, const auto& from) { copy_by_runtime(stream_, to, from); });
    });
  }
  add_packed_messages();
}

/// The limits of a kernel for all halo cells, in memory of its own.
void contest::add_limits() {
  methods_.push_back({"an empty launch", "limit", [this] { launch_nothing(stream_); }, {}, {}, {}});
  if (!are_periodic_doubles(there())) return;
  const auto beside = std::make_shared<device_problem>(there());
  methods_.push_back({"only reading these cells",
                      "limit",
                      [this, beside] { read_by_kernel(stream_, periodic(beside->on_device)); },
                      {},
                      {},
                      {}});
  methods_.push_back({"only writing their sectors",
                      "limit",
                      [this, beside] { write_by_kernel(stream_, periodic(beside->on_device)); },
                      {},
                      {},
                      {}});
}

/// Measures the device time of each method, with samples of as many runs as take half a millisecond, and the limits.
void contest::measure_in_stream() {
  add_limits();
  device_clock clock;
  const auto sample = [&](const method& m, int runs) {
    clock.begin(stream_);
    for (int i = 0; i < runs; ++i) m.run();
    clock.end(stream_);
    return clock.us() / runs;
  };
  std::vector<int> runs;
  std::vector<std::vector<double>> us(methods_.size());
  for (const auto& m : methods_) {
    sample(m, 10);
    runs.push_back(static_cast<int>(std::min(1000.0, 1 + 500 / sample(m, 10))));
  }
  shuffled order(methods_.size());
  const double end = now_us() + 1e6 * given_.seconds;
  for (int round = 0; round < 5 || now_us() < end; ++round)
    for (const auto m : order.next_round()) us[m].push_back(sample(methods_[m], runs[m]));
  long bytes = 0, in_sectors = 0;
  for_each_own_copy(there(), [&](const strided_box& to, const strided_box& from) {
    bytes += 2 * to.bytes * to.rows * to.planes;
    in_sectors += bytes_in_sectors(to) + bytes_in_sectors(from);
  });
  const double rate = device_copy_rate();
  about("limit", there())
      .add("bytes", bytes)
      .add("bytes_in_sectors", in_sectors)
      .add("bytes_a_us", rate)
      .add("us", static_cast<double>(bytes) / rate)
      .add("us_in_sectors", static_cast<double>(in_sectors) / rate)
      .write(given_.out);
  for (std::size_t m = 0; m < methods_.size(); ++m) {
    const double middle = median(us[m]);
    about("device timing", there())
        .add("method", methods_[m].name)
        .add("group", methods_[m].group)
        .add("us", middle)
        .add("spread", (quantile(us[m], 0.75) - quantile(us[m], 0.25)) / middle)
        .add("rounds", us[m].size())
        .write(given_.out);
  }
}

void contest::measure(placement_probe& probe) {
  add_peers();
  if (there().size == 1) return measure_in_stream();
  for (auto& m : methods_)
    m.run = [this, run = std::move(m.run)] {
      run();
      stream_.finish();
    };
  measure_steadily(probe, there().comm, methods_, {.seconds = given_.seconds})
      .write(about("probe", there()), about("timing", there()), given_.out);
}

#else

void contest::measure(placement_probe&) {}  // only CUDA's device would call it

#endif

}  // namespace

bool run_device(const options& given) {
  const auto* by = wherry::device_in_use();
  if (by == nullptr) {
    record("no device").add("why", wherry::why_no_device()).write(given.out);
    return true;
  }
  const bool timed = by != &wherry::fake_device();
  record("device").add("name", by->name).add("meaning", by->meaning).add("timed", timed).write(given.out);
  placement_probe probe(MPI_COMM_WORLD);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto& what = given.shape_of_fields;
  bool good = true;
  for (const int n : given.sizes) {
    contest all(given, *by, make_problem(MPI_COMM_WORLD, what, n, grid_for("x", ranks, what.dimensions)));
    if (timed) all.measure(probe);
    good = good && all.good();
  }
  return good;
}

}  // namespace bench::halo
