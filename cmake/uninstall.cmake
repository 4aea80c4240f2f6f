# Remove what the last install wrote, by its manifest, then the folders that were only ours.
# Run in the build folder, with the DESTDIR of the install.
set(manifest install_manifest.txt)
if(NOT EXISTS ${CMAKE_CURRENT_BINARY_DIR}/${manifest})
  message(FATAL_ERROR "Nothing to uninstall: there is no ${manifest} in ${CMAKE_CURRENT_BINARY_DIR}")
endif()

file(STRINGS ${CMAKE_CURRENT_BINARY_DIR}/${manifest} files)
set(folders "")
foreach(file IN LISTS files)
  set(file "$ENV{DESTDIR}${file}")
  message(STATUS "Removing: ${file}")
  file(REMOVE "${file}")
  cmake_path(GET file PARENT_PATH folder)
  cmake_path(GET folder FILENAME name)
  if(name STREQUAL "sito")
    list(APPEND folders "${folder}")
  endif()
endforeach()

list(REMOVE_DUPLICATES folders)
foreach(folder IN LISTS folders)
  execute_process(COMMAND rmdir -- "${folder}" ERROR_QUIET) # only if it is empty
endforeach()
file(REMOVE ${CMAKE_CURRENT_BINARY_DIR}/${manifest})
