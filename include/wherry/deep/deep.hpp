/// @file
/// Everything for deep copies: it includes all headers of this module.
///
/// A deep copy sends, broadcasts, collects, saves or loads a structure together with all objects behind its pointers.
/// Each header below opens with its own example; docs/deep.md is the manual. For arrays without pointers take an
/// exchange (`wherry/halo`) or a collective (`wherry/collective`) instead.
#pragma once

#include "wherry/deep/checkpoint.hpp"
#include "wherry/deep/collect.hpp"
#include "wherry/deep/communicate.hpp"
#include "wherry/deep/device.hpp"
#include "wherry/deep/file.hpp"
#include "wherry/deep/in_flight.hpp"
#include "wherry/deep/polymorphic.hpp"
#include "wherry/deep/send_to.hpp"
