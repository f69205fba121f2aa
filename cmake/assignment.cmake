# add_assignment(NAME name JUDGE target POLICY file CONTRACT dir DISPATCH file [TEMPLATE file…]
#                [INSTALL])
#
# Lays an assignment folder out in the build tree, as grader/assignment/assignment.hpp describes it:
#
#   <build>/assignments/<name>/assignment.json   copied from POLICY
#   <build>/assignments/<name>/dispatch.cpp      copied from DISPATCH
#   <build>/assignments/<name>/contract/…        the headers under CONTRACT, same relative paths
#   <build>/assignments/<name>/template/…        the files of TEMPLATE
#   <build>/assignments/<name>/judge.so          JUDGE, a MODULE library made by the caller
#
# JUDGE exports attention_grader_judge() and attention_grader_judge_version() and nothing else, and
# must not link RapidCheck (its Debian archive is not position independent). With INSTALL the folder
# is installed as lib/attention-grader/assignments/<name>. Builds with target assignment_<name>.
function(add_assignment)
  cmake_parse_arguments(PARSE_ARGV 0 arg "INSTALL" "NAME;JUDGE;POLICY;CONTRACT;DISPATCH" "TEMPLATE")
  foreach(required NAME JUDGE POLICY CONTRACT DISPATCH)
    if(NOT arg_${required})
      message(FATAL_ERROR "add_assignment: ${required} is missing")
    endif()
  endforeach()
  foreach(path POLICY CONTRACT DISPATCH)
    get_filename_component(arg_${path} "${arg_${path}}" ABSOLUTE)
  endforeach()
  set(folder "${CMAKE_BINARY_DIR}/assignments/${arg_NAME}")

  set_target_properties(${arg_JUDGE} PROPERTIES
    PREFIX "" OUTPUT_NAME judge SUFFIX .so
    LIBRARY_OUTPUT_DIRECTORY "${folder}"
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  # Symbols of the static libraries inside the module stay inside it.
  target_link_options(${arg_JUDGE} PRIVATE -Wl,--exclude-libs,ALL)

  set(outputs "")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${arg_CONTRACT}" "${arg_CONTRACT}/*")
  set(sources "${arg_POLICY}" "${arg_DISPATCH}")
  set(targets assignment.json dispatch.cpp)
  foreach(header IN LISTS headers)
    list(APPEND sources "${arg_CONTRACT}/${header}")
    list(APPEND targets "contract/${header}")
  endforeach()
  foreach(file IN LISTS arg_TEMPLATE)
    get_filename_component(name "${file}" NAME)
    list(APPEND sources "${file}")
    list(APPEND targets "template/${name}")
  endforeach()
  foreach(source target IN ZIP_LISTS sources targets)
    add_custom_command(
      OUTPUT "${folder}/${target}"
      COMMAND "${CMAKE_COMMAND}" -E copy "${source}" "${folder}/${target}"
      DEPENDS "${source}"
      COMMENT "Assignment ${arg_NAME}: ${target}"
      VERBATIM)
    list(APPEND outputs "${folder}/${target}")
  endforeach()
  add_custom_target(assignment_${arg_NAME} ALL DEPENDS ${outputs})
  add_dependencies(assignment_${arg_NAME} ${arg_JUDGE})

  if(arg_INSTALL)
    install(DIRECTORY "${folder}/" DESTINATION "lib/attention-grader/assignments/${arg_NAME}")
  endif()
endfunction()
