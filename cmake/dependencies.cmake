# Everything comes from Debian 12 packages (tools/install_dependencies lists them).
# Used by the build and, through twinsetConfig.cmake, by projects that link twinset.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(tl-expected REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(simdjson REQUIRED)
find_package(ZLIB REQUIRED)
find_package(BZip2 REQUIRED)
find_package(LibLZMA REQUIRED)
foreach(package IN ITEMS libhwy libhwy-contrib libxxhash libzstd liblz4 libbrotlidec libutf8proc uchardet
                liburiparser libpsl nettle libsodium)
  string(MAKE_C_IDENTIFIER ${package} name)
  pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${package})
endforeach()
pkg_check_modules(libdeflate REQUIRED IMPORTED_TARGET libdeflate)
# Unpacks gzip three times as fast as zlib, on some processors.
pkg_check_modules(libisal IMPORTED_TARGET libisal)
# Only twinset::measure stores anything in a database.
if(NOT twinset_FIND_COMPONENTS OR twinset_FIND_COMPONENTS MATCHES "measure|corpora")
  pkg_check_modules(sqlite3 REQUIRED IMPORTED_TARGET sqlite3)
endif()
# Only twinset::corpora reads regular expressions.
if(NOT twinset_FIND_COMPONENTS OR twinset_FIND_COMPONENTS MATCHES "corpora")
  pkg_check_modules(libpcre2-8 REQUIRED IMPORTED_TARGET libpcre2-8)
endif()
if(NOT TARGET CLD2::cld2)  # comes without a description of itself
  find_path(CLD2_INCLUDE_DIR cld2/public/compact_lang_det.h REQUIRED)
  find_library(CLD2_LIBRARY cld2 REQUIRED)
  add_library(CLD2::cld2 UNKNOWN IMPORTED)
  set_target_properties(CLD2::cld2 PROPERTIES IMPORTED_LOCATION ${CLD2_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${CLD2_INCLUDE_DIR})
endif()
if(NOT TARGET Snowball::stemmer)  # comes without one too
  find_path(STEMMER_INCLUDE_DIR libstemmer.h REQUIRED)
  find_library(STEMMER_LIBRARY stemmer REQUIRED)
  add_library(Snowball::stemmer UNKNOWN IMPORTED)
  set_target_properties(Snowball::stemmer PROPERTIES IMPORTED_LOCATION ${STEMMER_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${STEMMER_INCLUDE_DIR})
endif()
