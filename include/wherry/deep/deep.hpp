/// @file
/// All of deep copies: describing structures, carrying them between ranks, keeping them in files.
#pragma once

#include "wherry/deep/checkpoint.hpp"
#include "wherry/deep/collect.hpp"
#include "wherry/deep/communicate.hpp"
#include "wherry/deep/device.hpp"
#include "wherry/deep/file.hpp"
#include "wherry/deep/in_flight.hpp"
#include "wherry/deep/polymorphic.hpp"
