// The scene of MEL, listing 23, and a loader for tiny meshes.
#pragma once

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "mel/mel.hpp"

constexpr double INF = std::numeric_limits<double>::infinity();

struct Vec {
  double x, y, z;
};
struct Camera {
  Vec eye, target;
  double angle;
};
struct Material {
  Vec color;
  int kind;
};
struct Triangle {
  Vec a, b, c;
  int material;
};

struct TreeNode {
  int startElem, endElem;  // triangles of a leaf; empty elsewhere
  Vec v0, v1;
  TreeNode *leftChild, *rightChild;

  TreeNode() : TreeNode(0, 0) {}
  TreeNode(const int _s, const int _e)
      : startElem(_s), endElem(_e), v0{INF, INF, INF}, v1{-INF, -INF, -INF}, leftChild(nullptr), rightChild(nullptr) {}

  TreeNode(const TreeNode& old) = delete;
  inline TreeNode& operator=(const TreeNode& old) = delete;
  TreeNode(TreeNode&& old) = delete;
  inline TreeNode& operator=(TreeNode&& old) = delete;

  ~TreeNode() {
    MEL::MemDestruct(leftChild);
    MEL::MemDestruct(rightChild);
  }

  template <typename MSG> inline void DeepCopy(MSG& msg) {
    msg.packPtr(leftChild);
    msg.packPtr(rightChild);
  }
};

struct Scene {
  Camera camera;
  std::vector<Material> materials;
  std::vector<Triangle> mesh;
  TreeNode* rootNode;

  Scene() : camera(), rootNode(nullptr) {}

  Scene(const Scene& old) = delete;
  inline Scene& operator=(const Scene& old) = delete;

  Scene(Scene&& old)
      : camera(old.camera), materials(std::move(old.materials)), mesh(std::move(old.mesh)), rootNode(old.rootNode) {
    old.mesh.clear();
    old.materials.clear();
    old.rootNode = nullptr;
  }
  inline Scene& operator=(Scene&& old) {
    mesh = std::move(old.mesh);
    materials = std::move(old.materials);
    rootNode = old.rootNode;
    camera = old.camera;
    old.mesh.clear();
    old.materials.clear();
    old.rootNode = nullptr;
    return *this;
  }

  ~Scene() { MEL::MemDestruct(rootNode); }

  template <typename MSG> inline void DeepCopy(MSG& msg) {
    msg & mesh & materials;
    msg.packPtr(rootNode);
  }
};

inline void widen(TreeNode& node, const Vec& v) {
  node.v0 = {std::min(node.v0.x, v.x), std::min(node.v0.y, v.y), std::min(node.v0.z, v.z)};
  node.v1 = {std::max(node.v1.x, v.x), std::max(node.v1.y, v.y), std::max(node.v1.z, v.z)};
}

// Halves of the triangles, sorted along each axis in turn, until they are single.
inline TreeNode* buildTree(std::vector<Triangle>& mesh, int first, int last, int axis) {
  TreeNode* node = MEL::MemConstruct<TreeNode>(first, last);
  for (int i = first; i < last; ++i) {
    const Triangle& t = mesh[static_cast<std::size_t>(i)];
    for (const Vec& v : {t.a, t.b, t.c}) widen(*node, v);
  }
  if (last - first < 2) return node;
  const auto along = [axis](const Triangle& t) {
    return axis == 0 ? t.a.x + t.b.x + t.c.x : axis == 1 ? t.a.y + t.b.y + t.c.y : t.a.z + t.b.z + t.c.z;
  };
  std::sort(mesh.begin() + first, mesh.begin() + last,
            [&](const Triangle& s, const Triangle& t) { return along(s) < along(t); });
  const int middle = (first + last) / 2;
  node->startElem = node->endElem = 0;
  node->leftChild = buildTree(mesh, first, middle, (axis + 1) % 3);
  node->rightChild = buildTree(mesh, middle, last, (axis + 1) % 3);
  return node;
}

// From the lines "v x y z" and "f i j k" of an OBJ file.
inline Scene* loadScene(std::istream& obj) {
  Scene* scene = MEL::MemConstruct<Scene>();
  scene->camera = {{0, 0, -5}, {0, 0, 0}, 0.8};
  scene->materials = {{{1, 0, 0}, 1}, {{0, 1, 0}, 2}, {{0, 0, 1}, 3}};
  std::vector<Vec> points;
  for (std::string line; std::getline(obj, line);) {
    std::istringstream words(line);
    std::string what;
    words >> what;
    if (what == "v") {
      Vec v{};
      words >> v.x >> v.y >> v.z;
      points.push_back(v);
    } else if (what == "f") {
      std::size_t i = 0, j = 0, k = 0;
      words >> i >> j >> k;
      const int material = static_cast<int>(scene->mesh.size() % scene->materials.size());
      scene->mesh.push_back({points.at(i - 1), points.at(j - 1), points.at(k - 1), material});
    }
  }
  scene->rootNode = buildTree(scene->mesh, 0, static_cast<int>(scene->mesh.size()), 0);
  return scene;
}
inline Scene* loadScene(const std::string& path) {
  std::ifstream obj(path);
  return loadScene(obj);
}

// The mesh's surface as a polyhedron of 8 triangles, `times` in a row.
inline std::string octahedra(int times) {
  std::ostringstream obj;
  for (int t = 0; t < times; ++t) {
    const double x = 3.0 * t;
    obj << "v " << x + 1 << " 0 0\nv " << x - 1 << " 0 0\nv " << x << " 1 0\nv " << x << " -1 0\nv " << x << " 0 1\nv "
        << x << " 0 -1\n";
  }
  for (int t = 0; t < times; ++t) {
    const int p = 6 * t;
    for (const int i : {1, 2})
      for (const int j : {3, 4})
        for (const int k : {5, 6}) obj << "f " << p + i << ' ' << p + j << ' ' << p + k << '\n';
  }
  return obj.str();
}

// All figures of a scene in one order, by a traversal that knows nothing of deep copies.
inline std::vector<double> figures(const Scene& scene) {
  std::vector<double> all;
  const auto put = [&all](const Vec& v) { all.insert(all.end(), {v.x, v.y, v.z}); };
  put(scene.camera.eye);
  put(scene.camera.target);
  all.push_back(scene.camera.angle);
  all.push_back(static_cast<double>(scene.materials.size()));
  for (const Material& m : scene.materials) {
    put(m.color);
    all.push_back(m.kind);
  }
  all.push_back(static_cast<double>(scene.mesh.size()));
  for (const Triangle& t : scene.mesh) {
    put(t.a);
    put(t.b);
    put(t.c);
    all.push_back(t.material);
  }
  std::vector<const TreeNode*> stack{scene.rootNode};
  while (!stack.empty()) {
    const TreeNode* node = stack.back();
    stack.pop_back();
    all.push_back(node != nullptr);
    if (node == nullptr) continue;
    all.insert(all.end(), {static_cast<double>(node->startElem), static_cast<double>(node->endElem)});
    put(node->v0);
    put(node->v1);
    stack.push_back(node->leftChild);
    stack.push_back(node->rightChild);
  }
  return all;
}
