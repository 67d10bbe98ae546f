# Target `glad`: loader of OpenGL 3.3 core functions, written at configure time by Debian's python3-glad.
# #include <glad/gl.h>; gladLoadGL(glfwGetProcAddress) or, off screen, with eglGetProcAddress.
set(GLAD_DIR ${CMAKE_BINARY_DIR}/glad)
if(NOT EXISTS ${GLAD_DIR}/src/gl.c)
  find_program(GLAD_PROGRAM glad)
  if(NOT GLAD_PROGRAM)
    message(FATAL_ERROR "glad was not found: install python3-glad")
  endif()
  # A list of extensions, because without one all 617 are declared (1.5 MB of source).
  execute_process(
    COMMAND ${GLAD_PROGRAM} --quiet --reproducible --api gl:core=3.3 --extensions GL_KHR_debug --out-path ${GLAD_DIR} c
    RESULT_VARIABLE status ERROR_VARIABLE why OUTPUT_QUIET)
  if(NOT status EQUAL 0)
    file(REMOVE_RECURSE ${GLAD_DIR})
    message(FATAL_ERROR "glad could not write the OpenGL loader:\n${why}")
  endif()
endif()
add_library(glad STATIC ${GLAD_DIR}/src/gl.c)
target_include_directories(glad SYSTEM PUBLIC ${GLAD_DIR}/include)
target_link_libraries(glad PUBLIC ${CMAKE_DL_LIBS})
