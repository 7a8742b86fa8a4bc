// A distributed ray tracer, the case study of MEL (listings 22 to 25): rank 0 loads a mesh and builds a tree of
// boxes around it, one line broadcasts the scene, all ranks render tiles, rank 0 gathers them into a picture.
//
//   scene.hpp         the scene, and the four lines that describe it to a deep copy
//   methods.cpp       the line that broadcasts it, and the other ways to do so
//   hand_written.cpp  the same by hand, a message a node; hand_buffered.cpp: in one buffer
//   build.cpp, trace.cpp, picture.cpp   scenes, rays, pictures; no MPI
//   check.cpp         the checks that every run makes
#include <cstdint>
#include <cstdio>
#include <fstream>

#include "wherry/wherry.hpp"

#include "build.hpp"
#include "check.hpp"
#include "common/fingerprint.hpp"
#include "common/png.hpp"
#include "harness/arguments.hpp"
#include "harness/contest.hpp"
#include "harness/machine.hpp"
#include "harness/text.hpp"
#include "methods.hpp"
#include "teapot.hpp"

namespace {

using namespace ray_scene;

constexpr const char* usage =
    "usage: ray_scene [--mesh FILE] [--copies N] [--size WxH] [--image FILE] [--method M] [--compare] ...\n"
    "Renders a mesh on all ranks; rank 0 builds the scene and broadcasts it by a deep copy.\n"
    "  --mesh FILE       a Wavefront OBJ file (default: the Utah teapot)\n"
    "  --detail N        squares along each side of the teapot's 32 patches (default 16)\n"
    "  --copies N        of the mesh, in rows (default 1)\n"
    "  --size WxH        dots of the picture (default 640x480)\n"
    "  --samples N       rays a dot, along each axis (default 2)\n"
    "  --image FILE      write the picture, a PNG\n"
    "  --make-mesh FILE  instead: write the teapot as an OBJ file\n"
    "  --method M        wherry, buffered, arena; hand, hand-buffered (MPI_Alloc_mem, as in the paper), hand-new,\n"
    "                    hand-buffered-new (default wherry)\n"
    "  --compare         time all methods beside each other\n"
    "  --seconds T       time for the comparison (default 5; 0: a few rounds)\n"
    "  --seed N          of what is checked by samples (default 1)\n"
    "  --json FILE       write the results to FILE\n";

struct options {
  std::string mesh_file, mesh_to_make, image, json;
  int detail = 16, copies = 1;
  picture_size size{};
  const method* how = nullptr;
  bool compares = false;
  double seconds = 5;
  std::uint64_t seed = 1;
};

picture_size parse_size(const std::string& given, int samples) {
  picture_size size{0, 0, samples};
  char more = 0;
  if (std::sscanf(given.c_str(), "%dx%d%c", &size.width, &size.height, &more) != 2 ||
      std::min(size.width, size.height) < 1 || std::max(size.width, size.height) > 16384)
    throw bench::usage_error("--size is '" + given + "', expected two numbers from 1 to 16384 as in 640x480");
  return size;
}

options parse(bench::arguments& words) {
  options given;
  given.mesh_file = words.text("--mesh");
  given.detail = static_cast<int>(words.integer("--detail", 16, 1, 512));
  given.copies = static_cast<int>(words.integer("--copies", 1, 1, 10000));
  const auto samples = static_cast<int>(words.integer("--samples", 2, 1, 16));
  given.size = parse_size(words.text("--size", "640x480"), samples);
  given.image = words.text("--image");
  given.mesh_to_make = words.text("--make-mesh");
  given.how = &words.one_of(methods(), "--method", "wherry");
  given.compares = words.flag("--compare");
  given.seconds = words.number("--seconds", 5, 0, 3600);
  given.seed = static_cast<std::uint64_t>(words.integer("--seed", 1, 0, 1000000000));
  given.json = words.text("--json");
  words.finish();
  return given;
}

mesh load_mesh(const options& given) {
  if (given.mesh_file.empty()) return tessellate(teapot_patches(), given.detail);
  std::ifstream file(given.mesh_file);
  if (!file) throw std::runtime_error("cannot read '" + given.mesh_file + "'");
  return read_obj(file, given.mesh_file);
}

void make_mesh(const options& given) {
  const auto pot = load_mesh(given);
  std::ofstream file(given.mesh_to_make);
  write_obj(file, pot);
  file.close();
  if (!file) throw std::runtime_error("cannot write '" + given.mesh_to_make + "'");
  std::printf("%s: %zu points, %zu triangles\n", given.mesh_to_make.c_str(), pot.points.size(), pot.faces.size());
}

// ----------------------------------------------------------------------------------------------------------- rendering

/// Collective. Each rank renders the tiles whose number, modulo the number of ranks, is its own. Rank 0 gets all tiles.
std::vector<tile> render_together(const wherry::communicator& comm, const scene& s, const picture_size& size) {
  const auto tiles = cut_into_tiles(size);
  std::vector<tile> mine;
  for (auto k = static_cast<std::size_t>(comm.rank()); k < tiles.size(); k += static_cast<std::size_t>(comm.size())) {
    mine.push_back(tiles[k]);
    render(s, size, mine.back());
  }
  std::vector<std::vector<tile>> parts;
  wherry::deep::gather(MPI_COMM_WORLD, mine, parts, 0);
  std::vector<tile> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// ------------------------------------------------------------------------------------------------------------ checking

long sum_over_ranks(long mine) {
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return mine;
}

/// Collective. True if all ranks have the same scene as rank 0.
bool same_everywhere(const scene& s) {
  const auto mine = fingerprint_of(s);
  auto roots = mine;
  MPI_Bcast(&roots, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  return sum_over_ranks(mine == roots ? 0 : 1) == 0;
}

struct verdict {
  bool same_scene = false;
  long rays = 0, wrong_rays = 0, tiles = 0, differing_tiles = 0;
  bool verified() const { return same_scene && wrong_rays == 0 && differing_tiles == 0; }
};

/// Collective. `tiles` are rank 0's.
verdict check(const wherry::communicator& comm, const scene& s, const options& given, const std::vector<tile>& tiles) {
  verdict found;
  found.same_scene = same_everywhere(s);
  found.rays = std::clamp<long>(20'000'000 / std::ssize(s.mesh), 10, 1000);
  found.wrong_rays = sum_over_ranks(wrong_rays(s, found.rays, given.seed + static_cast<std::uint64_t>(comm.rank())));
  if (comm.rank() == 0) {
    found.tiles = std::min<long>(16, std::ssize(tiles));
    found.differing_tiles = differing_tiles(s, given.size, tiles, found.tiles, given.seed);
  }
  return found;
}

void report(const verdict& found, std::uint64_t seed) {
  std::printf("%s\n", found.same_scene ? "every rank has the same scene" : "THE RANKS' SCENES DIFFER");
  std::printf("%ld random rays a rank against every triangle: %ld wrong\n", found.rays, found.wrong_rays);
  std::printf("%ld random tiles rendered once more by rank 0 alone: %ld differ (seed %llu)\n", found.tiles,
              found.differing_tiles, static_cast<unsigned long long>(seed));
}

// ---------------------------------------------------------------------------------------------------------- comparison

/// One way to broadcast, which runs again and again: rank 0 sends its scene, and the other ranks get a new scene each
/// time.
struct attempt {
  const method* how;
  scene* sent;  ///< null on all ranks but 0
  scene arrived = {};

  scene& latest() { return sent != nullptr ? *sent : arrived; }
  void release() {
    if (sent == nullptr) how->release(arrived);
  }
};

std::size_t bytes_of(const scene& s) {
  return sizeof(scene) + s.mesh.size() * sizeof(triangle) + s.materials.size() * sizeof(material) +
         static_cast<std::size_t>(measure(s).nodes) * sizeof(tree_node);
}

/// The number of lines of code for the communication; 0 for a method that does not send a scene.
int lines_of(const std::string& method) {
  if (method.starts_with("Wherry")) return LINES_OURS;
  if (!method.starts_with("MPI by hand")) return 0;
  return method.find("buffered") != method.npos ? LINES_BUFFERED_BY_HAND : LINES_BY_HAND;
}

/// Collective. Times all methods with rank 0's scene. False if one of them did not bring the right scene.
bool compare(const wherry::communicator& comm, const options& given, scene& s) {
  scene* sent = comm.rank() == 0 ? &s : nullptr;
  std::vector<attempt> attempts;
  for (const auto& how : methods()) attempts.push_back({&how, sent});
  std::vector<bench::contender> contenders;
  for (auto& one : attempts)
    contenders.push_back({.name = one.how->text,
                          .run = [&one] { one.how->broadcast(one.latest(), MPI_COMM_WORLD); },
                          .prepare = [&one] { one.release(); }});
  auto size = bytes_of(s);
  MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  std::vector<char> flat(size);
  contenders.push_back({.name = "MPI_Bcast of as many bytes", .run = [&flat] {
                          MPI_Bcast(flat.data(), static_cast<int>(flat.size()), MPI_BYTE, 0, MPI_COMM_WORLD);
                        }});
  const auto standings = bench::contest(MPI_COMM_WORLD, contenders, given.seconds);

  bool right = true;
  for (auto& one : attempts) right = same_everywhere(one.latest()) && right;
  for (auto& one : attempts) one.release();
  if (comm.rank() != 0) return right;
  std::vector<bench::pairing> pairs;
  for (const std::size_t ours : {0, 2})
    for (std::size_t peer = 3; peer < standings.size(); ++peer) pairs.push_back({ours, peer});
  bench::print_standings(standings, pairs);
  std::printf("lines for communication: %d (Wherry), %d (by hand), %d (by hand, buffered)\n", LINES_OURS, LINES_BY_HAND,
              LINES_BUFFERED_BY_HAND);
  std::printf("%s\n", right ? "every method brought the same scene" : "A METHOD BROUGHT A WRONG SCENE");
  if (given.json.empty()) return right;
  std::vector<bench::json> records;
  const auto what = bench::text("ray_scene ", s.mesh.size(), " triangles");
  for (const auto& [ours, peer] : pairs)
    records.push_back(bench::comparison_record("ray_scene", what, comm.size(), standings[ours], standings[peer])
                          .add("correct", right)
                          .add("bytes", flat.size())
                          .add("lines", lines_of(standings[ours].name))
                          .add("peer_lines", lines_of(standings[peer].name)));
  records.push_back(bench::machine_record().add("bench", "machine"));
  bench::write_json(given.json, records);
  return right;
}

// ----------------------------------------------------------------------------------------------------------------- all

double slowest(double seconds) {
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

template <class Step> double timed(Step step) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double began = MPI_Wtime();
  step();
  return slowest(MPI_Wtime() - began);
}

int run(bench::arguments& words) {
  const auto given = parse(words);
  const wherry::communicator comm(MPI_COMM_WORLD);
  const bool talks = comm.rank() == 0;
  if (!given.mesh_to_make.empty()) {
    if (talks) make_mesh(given);
    return 0;
  }
  scene s;
  if (talks) s = make_scene(load_mesh(given), given.copies);
  const double broadcasting = timed([&] { given.how->broadcast(s, MPI_COMM_WORLD); });
  std::vector<tile> tiles;
  const double rendering = timed([&] { tiles = render_together(comm, s, given.size); });
  const auto found = check(comm, s, given, tiles);
  bool right = found.verified();

  if (talks) {
    const auto tree = measure(s);
    std::printf("scene: %zu triangles, %ld nodes, %d deep, %.1f MB\n", s.mesh.size(), tree.nodes, tree.depth,
                1e-6 * static_cast<double>(bytes_of(s)));
    std::printf("%d rank%s: broadcast by %s in %.3f ms, rendered in %.3f s\n", comm.size(), comm.size() == 1 ? "" : "s",
                given.how->text.c_str(), 1e3 * broadcasting, rendering);
    report(found, given.seed);
    const auto dots = put_together(given.size, tiles);
    apps::fingerprint hash;
    hash.add(dots.data(), dots.size());
    std::printf("picture %d x %d, hash %016llx: %s\n", given.size.width, given.size.height,
                static_cast<unsigned long long>(hash.value()), right ? "verified" : "NOT VERIFIED");
    if (!given.image.empty()) apps::write_png(given.image, given.size.width, given.size.height, dots);
    std::fflush(stdout);
  }
  if (!talks) given.how->release(s);
  if (given.compares) right = compare(comm, given, s) && right;
  if (talks) release(s);
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return bench::run_app(argc, argv, usage, run); }
