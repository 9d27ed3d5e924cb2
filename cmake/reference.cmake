# The target `reference`: the reference manual of the library,
# build/release/reference/html/index.html (docs/CPP.md). It is not part of the default build.
add_custom_target(reference
  COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/docs/reference/build.py --program $<TARGET_FILE:spca>
          --output ${PROJECT_BINARY_DIR}/reference --version ${PROJECT_VERSION}
  DEPENDS spca VERBATIM)
