// The collectives as rows of macros. Only the table is made of macros; everything else is derived from the types of
// MPI's own functions (signature.hpp).
#pragma once

/// row(MPI's name, the kind, its number of arguments in C, the same with a request, the same with an info and a
/// request)
#define WHERRY_COLLECTIVES(row)                             \
  row(Barrier, barrier, 1, 2, 3);                           \
  row(Bcast, bcast, 5, 6, 7);                               \
  row(Gather, gather, 8, 9, 10);                            \
  row(Gatherv, gatherv, 9, 10, 11);                         \
  row(Scatter, scatter, 8, 9, 10);                          \
  row(Scatterv, scatterv, 9, 10, 11);                       \
  row(Reduce, reduce, 7, 8, 9);                             \
  row(Allgather, allgather, 7, 8, 9);                       \
  row(Allgatherv, allgatherv, 8, 9, 10);                    \
  row(Allreduce, allreduce, 6, 7, 8);                       \
  row(Reduce_scatter, reduce_scatter, 6, 7, 8);             \
  row(Reduce_scatter_block, reduce_scatter_block, 6, 7, 8); \
  row(Scan, scan, 6, 7, 8);                                 \
  row(Exscan, exscan, 6, 7, 8);                             \
  row(Alltoall, alltoall, 7, 8, 9);                         \
  row(Alltoallv, alltoallv, 9, 10, 11);                     \
  row(Alltoallw, alltoallw, 9, 10, 11);                     \
  row(Neighbor_allgather, neighbor_allgather, 7, 8, 9);     \
  row(Neighbor_allgatherv, neighbor_allgatherv, 8, 9, 10);  \
  row(Neighbor_alltoall, neighbor_alltoall, 7, 8, 9);       \
  row(Neighbor_alltoallv, neighbor_alltoallv, 9, 10, 11);   \
  row(Neighbor_alltoallw, neighbor_alltoallw, 9, 10, 11)

/// The rows, of the same form, of the collectives with counts. MPI 4 also has them with large counts, as MPI_X_c.
#define WHERRY_LARGE_COLLECTIVES(row)                       \
  row(Bcast, bcast, 5, 6, 7);                               \
  row(Gather, gather, 8, 9, 10);                            \
  row(Gatherv, gatherv, 9, 10, 11);                         \
  row(Scatter, scatter, 8, 9, 10);                          \
  row(Scatterv, scatterv, 9, 10, 11);                       \
  row(Reduce, reduce, 7, 8, 9);                             \
  row(Allgather, allgather, 7, 8, 9);                       \
  row(Allgatherv, allgatherv, 8, 9, 10);                    \
  row(Allreduce, allreduce, 6, 7, 8);                       \
  row(Reduce_scatter, reduce_scatter, 6, 7, 8);             \
  row(Reduce_scatter_block, reduce_scatter_block, 6, 7, 8); \
  row(Scan, scan, 6, 7, 8);                                 \
  row(Exscan, exscan, 6, 7, 8);                             \
  row(Alltoall, alltoall, 7, 8, 9);                         \
  row(Alltoallv, alltoallv, 9, 10, 11);                     \
  row(Alltoallw, alltoallw, 9, 10, 11);                     \
  row(Neighbor_allgather, neighbor_allgather, 7, 8, 9);     \
  row(Neighbor_allgatherv, neighbor_allgatherv, 8, 9, 10);  \
  row(Neighbor_alltoall, neighbor_alltoall, 7, 8, 9);       \
  row(Neighbor_alltoallv, neighbor_alltoallv, 9, 10, 11);   \
  row(Neighbor_alltoallw, neighbor_alltoallw, 9, 10, 11)

/// Parameters a, b, … with the types of the function's parameters; and their names.
#define WHERRY_TAKE_1(function) wherry::preload::parameter<function, 0> a
#define WHERRY_TAKE_2(function) WHERRY_TAKE_1(function), wherry::preload::parameter<function, 1> b
#define WHERRY_TAKE_3(function) WHERRY_TAKE_2(function), wherry::preload::parameter<function, 2> c
#define WHERRY_TAKE_4(function) WHERRY_TAKE_3(function), wherry::preload::parameter<function, 3> d
#define WHERRY_TAKE_5(function) WHERRY_TAKE_4(function), wherry::preload::parameter<function, 4> e
#define WHERRY_TAKE_6(function) WHERRY_TAKE_5(function), wherry::preload::parameter<function, 5> f
#define WHERRY_TAKE_7(function) WHERRY_TAKE_6(function), wherry::preload::parameter<function, 6> g
#define WHERRY_TAKE_8(function) WHERRY_TAKE_7(function), wherry::preload::parameter<function, 7> h
#define WHERRY_TAKE_9(function) WHERRY_TAKE_8(function), wherry::preload::parameter<function, 8> i
#define WHERRY_TAKE_10(function) WHERRY_TAKE_9(function), wherry::preload::parameter<function, 9> j
#define WHERRY_TAKE_11(function) WHERRY_TAKE_10(function), wherry::preload::parameter<function, 10> k
#define WHERRY_PASS_1 a
#define WHERRY_PASS_2 WHERRY_PASS_1, b
#define WHERRY_PASS_3 WHERRY_PASS_2, c
#define WHERRY_PASS_4 WHERRY_PASS_3, d
#define WHERRY_PASS_5 WHERRY_PASS_4, e
#define WHERRY_PASS_6 WHERRY_PASS_5, f
#define WHERRY_PASS_7 WHERRY_PASS_6, g
#define WHERRY_PASS_8 WHERRY_PASS_7, h
#define WHERRY_PASS_9 WHERRY_PASS_8, i
#define WHERRY_PASS_10 WHERRY_PASS_9, j
#define WHERRY_PASS_11 WHERRY_PASS_10, k
#define WHERRY_PASS_12 WHERRY_PASS_11, l

/// The parameters of Fortran's procedures, which are all addresses.
#define WHERRY_REFER_1 void* a
#define WHERRY_REFER_2 WHERRY_REFER_1, void* b
#define WHERRY_REFER_3 WHERRY_REFER_2, void* c
#define WHERRY_REFER_4 WHERRY_REFER_3, void* d
#define WHERRY_REFER_5 WHERRY_REFER_4, void* e
#define WHERRY_REFER_6 WHERRY_REFER_5, void* f
#define WHERRY_REFER_7 WHERRY_REFER_6, void* g
#define WHERRY_REFER_8 WHERRY_REFER_7, void* h
#define WHERRY_REFER_9 WHERRY_REFER_8, void* i
#define WHERRY_REFER_10 WHERRY_REFER_9, void* j
#define WHERRY_REFER_11 WHERRY_REFER_10, void* k
