/// @file
/// Includes all patterns of Wherry and everything that their users need. To compile faster, include the header of one
/// module: `wherry/halo/halo.hpp`, `wherry/blocks/blocks.hpp`, `wherry/deep/deep.hpp`, `wherry/notify/notify.hpp` or
/// `wherry/collective/collective.hpp`. Headers for writers of patterns, such as plan/schedule_builder.hpp, and
/// core/openmp_team.hpp are not included here.
///
/// Write `wherry::`, or `namespace w = wherry;`. Names such as `point`, `field` and `error` are also those of a solver,
/// of the standard library and of the system, so `using namespace wherry` makes them ambiguous. The same holds for
/// `wherry::collective` and `wherry::deep` together: both have a `bcast`.
///
/// The order of arguments: what a call runs on (a communicator, a grid, a plan), the data, a root or a peer, and
/// options last; the operation of a reduction stands between the data and the root. Only a list of data of any length
/// comes after the options: `halo_exchange(grid, options, u, v, w)`. One-sided calls, and `send` and `receive` of
/// exchange objects, name the peer first, as GASPI does: `write_notify(to, at, data, id)`.
///
/// Work that begins now and ends later: objects that are used again and again have `start` and `wait`, as persistent
/// requests of MPI do. A single collective begins with `collective::start_allreduce` and its like, a single deep copy
/// with `deep::start_send` and its like; both return an object that has `test` and `wait`. `wait_some` waits until
/// something has come and says what: the ranks whose data an exchange has received, or the id of a notification of a
/// segment, which `reset` then takes.
///
/// Names spell `neighbor` as MPI does; texts and all other names are British (`centring`).
#pragma once

#include "wherry/blocks/blocks.hpp"
#include "wherry/collective/collective.hpp"
#include "wherry/core/communicator.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/memory_space.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/node_memory.hpp"
#include "wherry/core/settings.hpp"
#include "wherry/deep/deep.hpp"
#include "wherry/device/device.hpp"
#include "wherry/geometry/box.hpp"
#include "wherry/geometry/box_calculus.hpp"
#include "wherry/geometry/box_list.hpp"
#include "wherry/geometry/domain.hpp"
#include "wherry/geometry/halo_widths.hpp"
#include "wherry/geometry/layout.hpp"
#include "wherry/geometry/point.hpp"
#include "wherry/geometry/stencil_shape.hpp"
#include "wherry/geometry/view.hpp"
#include "wherry/halo/halo.hpp"
#include "wherry/notify/notify.hpp"
#include "wherry/particles/particles.hpp"
#include "wherry/plan/schedule.hpp"
#include "wherry/sparse/sparse.hpp"
#include "wherry/transport/calibration.hpp"
#include "wherry/transport/exchange.hpp"
#include "wherry/transport/transport.hpp"
