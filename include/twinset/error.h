// Errors are values. Nothing in the library throws across this API, prints, or
// exits the program.
#ifndef TWINSET_ERROR_H_
#define TWINSET_ERROR_H_

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace twinset {
inline namespace v1 {

// What kind of error happened; callers choose an exit code or a retry by it.
enum class ErrorCode {
  kUsage,  // the request itself is wrong: unknown method, bad range (CLI exit
           // 2)
  kIo,  // the operating system refused: missing file, full disk, no permission
  kCorrupt,  // stored bytes fail their checksum or are not what they claim to
             // be
  kMemory,   // the memory budget cannot hold what one step needs
  kUnsupported,  // valid, but not something this build reads
  kInterrupted,  // a signal asked for a stop; the state is resumable
  kUnavailable,  // another system (a server, an engine) did not answer in time,
                 // or is too busy; the same question may succeed later
  kNotFound,     // the other system answered that there is no such thing
  kInternal,     // an invariant of twinset is broken: a bug
};

// One failure. `message` is one line without a final period, `where` names the
// file and position when there is one, `remedy` says what the user can do.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
  std::string where = {};
  std::string remedy = {};

  // "where: message (remedy)", leaving out what is empty.
  std::string ToString() const;
};

template <typename T>
using Result = tl::expected<T, Error>;
using Status = tl::expected<void, Error>;

// An unexpected value, to `return` from a function whose result is Result or
// Status.
inline tl::unexpected<Error> Fail(ErrorCode code, std::string message,
                                  std::string where = {},
                                  std::string remedy = {}) {
  return tl::unexpected<Error>(
      Error{code, std::move(message), std::move(where), std::move(remedy)});
}

}  // namespace v1
}  // namespace twinset

#define TWINSET_CONCAT_INNER_(a, b) a##b
#define TWINSET_CONCAT_(a, b) TWINSET_CONCAT_INNER_(a, b)

// Returns the error of a Status or Result expression from the enclosing
// function. The variable is numbered because the expression may hold a lambda
// that uses the macro too.
#define TWINSET_TRY(expression) \
  TWINSET_TRY_IMPL_(TWINSET_CONCAT_(twinset_try_, __COUNTER__), expression)
#define TWINSET_TRY_IMPL_(result, expression)                             \
  do {                                                                    \
    if (auto result = (expression); !result)                              \
      return tl::unexpected<::twinset::Error>(std::move(result).error()); \
  } while (false)

// TWINSET_ASSIGN(auto x, F()): x becomes the value, or the error is returned.
#define TWINSET_ASSIGN(declaration, expression)                       \
  TWINSET_ASSIGN_IMPL_(TWINSET_CONCAT_(twinset_result_, __COUNTER__), \
                       declaration, expression)
#define TWINSET_ASSIGN_IMPL_(result, declaration, expression)           \
  auto result = (expression);                                           \
  if (!result)                                                          \
    return tl::unexpected<::twinset::Error>(std::move(result).error()); \
  declaration = std::move(result).value()

#endif  // TWINSET_ERROR_H_
