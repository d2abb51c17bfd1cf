# twinset_test_pch(TARGET): the headers of every test program, precompiled. One file serves all where
# all are compiled alike; sanitizer builds optimise some tests and others not, so each has its own.
if(TWINSET_TESTS AND TWINSET_PCH AND NOT TWINSET_SANITIZE)
  find_package(GTest REQUIRED)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/test_pch.cc CONTENT "int main() {}\n")
  add_executable(twinset_test_pch EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/test_pch.cc)
  target_link_libraries(twinset_test_pch PRIVATE GTest::gmock nlohmann_json::nlohmann_json)
  target_compile_options(twinset_test_pch PRIVATE ${TWINSET_TEST_OPTIONS})
  target_precompile_headers(twinset_test_pch PRIVATE <gmock/gmock.h> <gtest/gtest.h>
                            <nlohmann/json.hpp>)
endif()

function(twinset_test_pch target)
  if(TARGET twinset_test_pch)
    target_precompile_headers(${target} REUSE_FROM twinset_test_pch)
  elseif(TWINSET_PCH)
    target_precompile_headers(${target} PRIVATE <gmock/gmock.h> <gtest/gtest.h>
                              <nlohmann/json.hpp>)
  endif()
endfunction()
