// What a small wheel leaves out of the archives that it links: code that only
// functions call which nobody here calls, but that the linker takes whole with
// what stands beside it, .15 MB of a packed wheel. Named here, it is not
// looked for there; compiled for small wheels alone.
#include <cstdlib>

extern "C" {

// The compiler to machine code of PCRE2. A pattern asks for none of these
// before pcre2_jit_compile has been called with it.
[[noreturn]] void _pcre2_jit_check_exec_8() { std::abort(); }
[[noreturn]] void _pcre2_jit_free_8() { std::abort(); }
[[noreturn]] void _pcre2_jit_get_size_8() { std::abort(); }
[[noreturn]] void _pcre2_jit_get_target_8() { std::abort(); }
[[noreturn]] void pcre2_jit_match_8() { std::abort(); }

// The end that libsodium makes of a call that its manual forbids. It stands
// beside sodium_init, which knows all of libsodium and is not called
// (src/ground/base/keys/signature.cc).
[[noreturn]] void sodium_misuse() { std::abort(); }

}  // extern "C"
