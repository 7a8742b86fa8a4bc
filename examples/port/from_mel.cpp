// A tree that is broadcast with MEL's names, and with Wherry's. The program checks that both give the same tree.
// docs/howto/port_older_systems.md shows the parts between [ and ].
#include <wherry/wherry.hpp>

#include <cstdio>
#include <vector>

#include "mel/mel.hpp"

namespace before {
// [before
struct node {
  std::vector<double> values;
  node *left = nullptr, *right = nullptr;

  template <typename MSG> inline void DeepCopy(MSG& msg) {
    msg & values;
    msg.packPtr(left);
    msg.packPtr(right);
  }
};
void share(node*& root) { MEL::Deep::Bcast(root, 0, MEL::Comm::WORLD); }
// before]

node* build(int depth) {
  node* made = MEL::MemConstruct<node>();
  made->values.assign(std::size_t(depth), depth);
  if (depth > 1) made->left = build(depth - 1), made->right = build(depth / 2);
  return made;
}
void drop(node* root) {
  if (root == nullptr) return;
  drop(root->left), drop(root->right);
  MEL::MemDestruct(root);
}
}  // namespace before

namespace after {
// [after
struct node {
  std::vector<double> values;
  node *left = nullptr, *right = nullptr;

  template <class Message> void describe(Message& m) {
    m(values);
    m.owned(left);
    m.owned(right);
  }
};
void share(node*& root) { wherry::deep::bcast(MPI_COMM_WORLD, root, 0); }
// after]

node* build(int depth) {
  node* made = new node;
  made->values.assign(std::size_t(depth), depth);
  if (depth > 1) made->left = build(depth - 1), made->right = build(depth / 2);
  return made;
}
void drop(node* root) {
  if (root == nullptr) return;
  drop(root->left), drop(root->right);
  delete root;
}
}  // namespace after

namespace {

bool same(const before::node* a, const after::node* b) {
  if (a == nullptr || b == nullptr) return a == nullptr && b == nullptr;
  return a->values == b->values && same(a->left, b->left) && same(a->right, b->right);
}

}  // namespace

int main(int argc, char** argv) {
  wherry::mpi_session mpi(argc, argv);
  before::node* first = mpi.rank() == 0 ? before::build(8) : nullptr;
  after::node* second = mpi.rank() == 0 ? after::build(8) : nullptr;
  before::share(first);
  after::share(second);
  const bool right = first != nullptr && first->values.size() == 8 && same(first, second);
  const bool all = wherry::collective::allreduce(MPI_COMM_WORLD, int(right), wherry::minimum{}) == 1;
  if (mpi.rank() == 0) std::printf("from_mel: %s\n", all ? "the same tree" : "DIFFERENT");
  before::drop(first);
  after::drop(second);
  return all ? 0 : 1;
}
