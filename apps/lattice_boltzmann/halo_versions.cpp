#include "halo.hpp"

namespace lattice_boltzmann {

const std::vector<halo_version> halo_versions = {
    {"datatype", make_datatype_halo, LINES_DATATYPE},
    {"packed", make_packed_halo, LINES_PACKED},
    {"wherry", make_wherry_halo, LINES_WHERRY},
};

}  // namespace lattice_boltzmann
