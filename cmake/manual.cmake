# Manual pages and completions. The command writes its own, from the table that it parses by; so its pages
# are sito.1 and a sito-NAME.1 for each cli/cmd_NAME.c. Others are docs/man/NAME.SECTION.scd.
find_program(SCDOC scdoc)
if(CMAKE_CROSSCOMPILING OR SITO_SANITIZE)
  return() # the command cannot run here, or nobody will read what it writes
endif()

set(manual_dir ${PROJECT_BINARY_DIR}/man)
file(MAKE_DIRECTORY ${manual_dir})

function(written_by_sito file) # ARGN: the words after `sito`
  add_custom_command(OUTPUT ${file} COMMAND sito_command ${ARGN} > ${file} DEPENDS sito_command VERBATIM)
endfunction()

function(manual_page name source)
  string(REGEX MATCH "[0-9]$" section ${name})
  add_custom_command(OUTPUT ${manual_dir}/${name}
    COMMAND ${SCDOC} < ${source} > ${manual_dir}/${name} DEPENDS ${source} VERBATIM)
  install(FILES ${manual_dir}/${name} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
  set(manual ${manual} ${manual_dir}/${name} PARENT_SCOPE)
endfunction()

if(SCDOC)
  written_by_sito(${manual_dir}/sito.1.scd help --man)
  manual_page(sito.1 ${manual_dir}/sito.1.scd)
  file(GLOB commands CONFIGURE_DEPENDS cli/cmd_*.c)
  foreach(command IN LISTS commands)
    string(REGEX REPLACE ".*/cmd_(.*)\\.c" "\\1" name ${command})
    written_by_sito(${manual_dir}/sito-${name}.1.scd help --man ${name})
    manual_page(sito-${name}.1 ${manual_dir}/sito-${name}.1.scd)
  endforeach()
  file(GLOB pages CONFIGURE_DEPENDS docs/man/*.scd)
  foreach(page IN LISTS pages)
    cmake_path(GET page STEM LAST_ONLY name)
    manual_page(${name} ${page})
  endforeach()
endif()

function(completion shell file folder)
  written_by_sito(${PROJECT_BINARY_DIR}/completion/${file} completion ${shell})
  install(FILES ${PROJECT_BINARY_DIR}/completion/${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder})
  set(manual ${manual} ${PROJECT_BINARY_DIR}/completion/${file} PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/completion)
completion(bash sito bash-completion/completions)
completion(zsh _sito zsh/site-functions)
completion(fish sito.fish fish/vendor_completions.d)

add_custom_target(manual ALL DEPENDS ${manual})
