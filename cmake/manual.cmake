# Manual pages, from docs/man/NAME.SECTION.scd (tools/manual writes those of the command), if scdoc is there;
# and completions, which the command writes itself.
find_program(SCDOC scdoc)
file(GLOB pages CONFIGURE_DEPENDS docs/man/*.scd)
if(SCDOC)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/man)
  foreach(page IN LISTS pages)
    cmake_path(GET page STEM LAST_ONLY name)
    string(REGEX MATCH "[0-9]$" section ${name})
    set(file ${PROJECT_BINARY_DIR}/man/${name})
    add_custom_command(OUTPUT ${file} COMMAND ${SCDOC} < ${page} > ${file} DEPENDS ${page} VERBATIM)
    install(FILES ${file} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
    list(APPEND manual ${file})
  endforeach()
endif()

function(completion shell file folder)
  set(file ${PROJECT_BINARY_DIR}/completion/${file})
  add_custom_command(OUTPUT ${file}
    COMMAND sito_command completion ${shell} > ${file} DEPENDS sito_command VERBATIM)
  install(FILES ${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder})
  set(manual ${manual} ${file} PARENT_SCOPE)
endfunction()

if(NOT CMAKE_CROSSCOMPILING)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/completion)
  completion(bash sito bash-completion/completions)
  completion(zsh _sito zsh/site-functions)
  completion(fish sito.fish fish/vendor_completions.d)
endif()

add_custom_target(manual ALL DEPENDS ${manual})
