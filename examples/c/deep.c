/* A list of texts on rank 0 becomes a list on every rank, by a table that says what its pointers are. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wherry.h>

typedef struct entry {
  char* name;
  int count;
  double* values; /* `count` of them */
  struct entry* next;
} entry;

static const wherry_deep_type entry_type;
static const wherry_deep_pointer entry_pointers[] = {{.offset = offsetof(entry, name), .kind = WHERRY_POINTS_TO_TEXT},
                                                     {.offset = offsetof(entry, values),
                                                      .element_bytes = sizeof(double),
                                                      .count_offset = offsetof(entry, count),
                                                      .count_bytes = sizeof(int)},
                                                     {.offset = offsetof(entry, next), .target = &entry_type}};
static const wherry_deep_type entry_type = {"entry", sizeof(entry), 3, entry_pointers};

/* Puts an entry with the values 1 to `count` in front of a list. */
static entry* add(entry* list, const char* name, int count) {
  entry* const fresh = malloc(sizeof *fresh);
  fresh->name = malloc(strlen(name) + 1);
  strcpy(fresh->name, name);
  fresh->count = count;
  fresh->values = malloc((size_t)count * sizeof(double));
  for (int i = 0; i < count; ++i) fresh->values[i] = i + 1;
  fresh->next = list;
  return fresh;
}

int main(int argc, char** argv) {
  wherry_communicator comm;
  void* list = NULL;
  double sum = 0, least = 0;
  int rank;

  MPI_Init(&argc, &argv);
  wherry_require(wherry_communicator_create(MPI_COMM_WORLD, &comm));
  wherry_require(wherry_communicator_rank(comm, &rank, NULL));
  if (rank == 0) list = add(add(add(NULL, "energy", 3), "mass", 4), "time", 100);

  wherry_require(wherry_deep_bcast(comm, &entry_type, &list, NULL, 0, NULL));
  for (const entry* one = list; one != NULL; one = one->next)
    for (int i = 0; i < one->count; ++i) sum += one->values[i];
  wherry_require(wherry_allreduce(&sum, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD));
  if (rank == 0) printf("every rank has '%s' and the sum %g\n", ((const entry*)list)->name, least);

  wherry_require(wherry_deep_free(&entry_type, &list, 1, NULL));
  wherry_communicator_free(&comm);
  MPI_Finalize();
  return 0;
}
