/* INIT(name): what makes a persistent collective, MPI 4's or Open MPI's of its own; not defined where there is none. */
#ifndef WHERRY_TESTS_COMPAT_PRELOAD_PERSISTENT_INIT_H
#define WHERRY_TESTS_COMPAT_PRELOAD_PERSISTENT_INIT_H

#include <mpi.h>

#if defined(OPEN_MPI) && defined(HAS_MPI_EXT)
#include <mpi-ext.h>
#endif
#if defined(HAS_PERSISTENT)
#define INIT(name) MPI_##name##_init
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define INIT(name) MPIX_##name##_init
#endif

#endif
