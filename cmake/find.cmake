# find_package, required, with the Debian package named where it is missing:
#   plica_find(TBB libtbb-dev)      plica_find(HDF5 libhdf5-dev COMPONENTS C)
macro(plica_find package debian)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "${package} was not found: install ${debian} (./plica installs all of cmake/packages.txt)")
  endif()
endmacro()
