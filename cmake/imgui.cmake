# Target `imgui`: Dear ImGui 1.93 (docking), ImPlot and ImGuizmo, with the GLFW and OpenGL 3 backends.
#
# Debian's libimgui-dev is of January 2022 and no package ships ImPlot, so the three are compiled from one source archive whose
# hash is pinned. It is fetched once with pip into .cache at the root of the project: a clean build finds it there.
set(PLICA_IMGUI_ARCHIVE "" CACHE FILEPATH "imgui_bundle-1.93.0.tar.gz, already downloaded: nothing is fetched")

set(IMGUI_VERSION 1.93.0)
set(IMGUI_SHA256 10ad1dab8258a6787b4f07bb926b08d0efc648a7906242568c8dd778c5e719bf)
set(IMGUI_DIR ${CMAKE_BINARY_DIR}/imgui)

# Sets ARCHIVE to the path of the verified archive.
function(plica_imgui_archive)
  set(name imgui_bundle-${IMGUI_VERSION}.tar.gz)
  if(PLICA_IMGUI_ARCHIVE)
    set(archive ${PLICA_IMGUI_ARCHIVE})
    if(NOT EXISTS ${archive})
      message(FATAL_ERROR "PLICA_IMGUI_ARCHIVE names ${archive}, which does not exist")
    endif()
  else()
    set(archive ${PROJECT_SOURCE_DIR}/.cache/${name})
  endif()

  if(EXISTS ${archive})
    file(SHA256 ${archive} found)
    if(NOT found STREQUAL IMGUI_SHA256 AND NOT PLICA_IMGUI_ARCHIVE)
      message(STATUS "${archive} is damaged, fetching it again")
      file(REMOVE ${archive})
    endif()
  endif()
  if(NOT EXISTS ${archive})
    find_package(Python3 COMPONENTS Interpreter QUIET)
    if(NOT Python3_FOUND)
      message(FATAL_ERROR "python3 was not found: install python3 and python3-pip")
    endif()
    message(STATUS "Fetching the sources of Dear ImGui, ImPlot and ImGuizmo (54 MB, once)")
    # Into a folder of its own, then renamed: an interrupted download never looks like a finished one.
    string(RANDOM LENGTH 8 suffix)
    set(part ${PROJECT_SOURCE_DIR}/.cache/part-${suffix})
    file(MAKE_DIRECTORY ${part})
    # The first Python of the path may be one without pip.
    foreach(python ${Python3_EXECUTABLE} /usr/bin/python3)
      if(NOT EXISTS ${part}/${name})
        execute_process(
          COMMAND ${python} -m pip download --quiet --disable-pip-version-check --no-deps --no-binary imgui-bundle
            -d ${part} imgui-bundle==${IMGUI_VERSION}
          ERROR_VARIABLE why OUTPUT_QUIET)
      endif()
    endforeach()
    if(EXISTS ${part}/${name})
      file(RENAME ${part}/${name} ${archive})
    endif()
    file(REMOVE_RECURSE ${part})
    if(NOT EXISTS ${archive})
      message(FATAL_ERROR "The sources of Dear ImGui could not be fetched with pip:\n${why}\n"
        "Is python3-pip installed and the network reachable? Without network: download the source archive of imgui-bundle "
        "${IMGUI_VERSION} elsewhere and configure with -DPLICA_IMGUI_ARCHIVE=/path/to/${name}")
    endif()
  endif()
  file(SHA256 ${archive} found)
  if(NOT found STREQUAL IMGUI_SHA256)
    message(FATAL_ERROR "${archive} has the SHA-256 ${found}, expected ${IMGUI_SHA256}: not the archive this build was made for")
  endif()
  set(ARCHIVE ${archive} PARENT_SCOPE)
endfunction()

if(NOT EXISTS ${IMGUI_DIR}/${IMGUI_VERSION}.extracted)
  plica_imgui_archive()
  file(REMOVE_RECURSE ${IMGUI_DIR})
  file(ARCHIVE_EXTRACT INPUT ${ARCHIVE} DESTINATION ${IMGUI_DIR}
    PATTERNS "*/external/imgui/imgui/*" "*/external/implot/implot/*" "*/external/ImGuizmo/ImGuizmo/*")
  file(RENAME ${IMGUI_DIR}/imgui_bundle-${IMGUI_VERSION}/external ${IMGUI_DIR}/external)
  file(REMOVE_RECURSE ${IMGUI_DIR}/imgui_bundle-${IMGUI_VERSION})
  file(TOUCH ${IMGUI_DIR}/${IMGUI_VERSION}.extracted)
endif()

set(imgui ${IMGUI_DIR}/external/imgui/imgui)
set(implot ${IMGUI_DIR}/external/implot/implot)
set(imguizmo ${IMGUI_DIR}/external/ImGuizmo/ImGuizmo/src)
add_library(imgui STATIC
  ${imgui}/imgui.cpp ${imgui}/imgui_draw.cpp ${imgui}/imgui_tables.cpp ${imgui}/imgui_widgets.cpp
  ${imgui}/imgui_stacklayout.cpp  # part of this copy of ImGui: it does not link without
  ${imgui}/backends/imgui_impl_glfw.cpp ${imgui}/backends/imgui_impl_opengl3.cpp ${imgui}/misc/cpp/imgui_stdlib.cpp
  ${implot}/implot.cpp ${implot}/implot_items.cpp ${imguizmo}/ImGuizmo.cpp)
target_include_directories(imgui SYSTEM PUBLIC ${imgui} ${imgui}/backends ${imgui}/misc/cpp ${implot} ${imguizmo})
# Plots of float, double and int only, at -O1: the templates of ImPlot otherwise take longer than all of Plica.
target_compile_definitions(imgui PUBLIC "IMPLOT_CUSTOM_NUMERIC_TYPES=(float)(double)(int)")
target_compile_options(imgui PRIVATE -w $<$<NOT:$<CONFIG:Debug>>:-O1>)
plica_find(glfw3 libglfw3-dev)
find_package(Threads REQUIRED)
target_link_libraries(imgui PUBLIC glfw Threads::Threads ${CMAKE_DL_LIBS})
