# How every target of this project is made: one place for warnings, sanitizers and link order.

add_library(project_options INTERFACE)
target_include_directories(project_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(project_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Werror
  -fno-fast-math -ffp-contract=off)
if(ATTENTION_GRADER_SANITIZE)
  target_compile_options(project_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
    # GCC's analysis does not follow sanitized code: false alarms in std::optional.
    -Wno-maybe-uninitialized)
  target_link_options(project_options INTERFACE -fsanitize=address,undefined)
endif()
if(ATTENTION_GRADER_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "ATTENTION_GRADER_FUZZ needs clang++: use the preset \"fuzz\".")
  endif()
  target_compile_options(project_options INTERFACE
    -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  target_link_options(project_options INTERFACE -fsanitize=address,undefined)
  add_custom_target(fuzz_targets)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  find_program(MOLD_LINKER mold)
  if(MOLD_LINKER)
    target_link_options(project_options INTERFACE -fuse-ld=mold)
  endif()
endif()

# add_grader_library(NAME SOURCES… [LINK LIBRARIES…]): a static library grader_NAME, alias grader::NAME.
function(add_grader_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK;PRIVATE_LINK")
  add_library(grader_${name} STATIC ${arg_SOURCES})
  add_library(grader::${name} ALIAS grader_${name})
  target_link_libraries(grader_${name} PUBLIC ${arg_LINK} PRIVATE project_options ${arg_PRIVATE_LINK})
  target_include_directories(grader_${name} PUBLIC ${PROJECT_SOURCE_DIR})
endfunction()

# add_grader_test(NAME SOURCES… [LINK LIBRARIES…] [LABELS unit|e2e|slow]): one GoogleTest binary.
function(add_grader_test name)
  if(NOT ATTENTION_GRADER_TESTS)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;LINK;LABELS")
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE project_options ${arg_LINK} GTest::gtest GTest::gtest_main)
  # What is tested is optimised; the tests' own code is compiled once and run once.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O0>)
  gtest_discover_tests(${name} NO_PRETTY_VALUES PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT}
                       DISCOVERY_TIMEOUT 60)
endfunction()

# test_at_lower_levels(NAME): runs the whole test NAME once more at each level of isolation below the
# machine's own.
function(test_at_lower_levels name)
  if(TARGET ${name})
    foreach(level L3 L2 L1 L0)
      add_test(NAME ${level}.${name} COMMAND ${name} --gtest_brief=1)
      set_tests_properties(${level}.${name} PROPERTIES LABELS unit TIMEOUT 240
                           ENVIRONMENT "ATTENTION_GRADER_ISOLATION=${level}")
    endforeach()
  endif()
endfunction()

# add_grader_fuzz(NAME SOURCES… [LINK LIBRARIES…]): a libFuzzer target, one function
# LLVMFuzzerTestOneInput. NAME ends in _fuzz; its seeds and every input it ever found are files in
# the folder NAME_corpus beside its CMakeLists.txt. With ATTENTION_GRADER_FUZZ it is the fuzzer, to
# be run by scripts/fuzz; otherwise it is a test that runs the files of the corpus once.
function(add_grader_fuzz name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
  if(ATTENTION_GRADER_FUZZ)
    add_executable(${name} ${arg_SOURCES})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzz_targets ${name})
  elseif(ATTENTION_GRADER_TESTS)
    add_executable(${name} ${arg_SOURCES} ${PROJECT_SOURCE_DIR}/cmake/run_corpus.cpp)
    add_test(NAME ${name}.corpus
             COMMAND ${name} ${CMAKE_CURRENT_SOURCE_DIR}/${name}_corpus)
    set_tests_properties(${name}.corpus PROPERTIES LABELS unit TIMEOUT 120)
  else()
    return()
  endif()
  target_link_libraries(${name} PRIVATE project_options ${arg_LINK})
endfunction()
