#include "read/http_body.h"

#include <brotli/decode.h>
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "base/ascii.h"
#include "read/codec.h"

namespace twinset {
namespace {

constexpr uint64_t kRatioFreeBytes = 1 << 20;
constexpr size_t kStepBytes = 64 << 10;

enum class Outcome { kDone, kPartial, kNotThisCoding, kTooLarge, kRatio };

// Takes the output of a decoder step by step and says when it is too much.
class BoundedOutput {
 public:
  BoundedOutput(uint64_t input_bytes, const BodyLimits& limits)
      : input_bytes_(input_bytes), limits_(limits), step_(kStepBytes, '\0') {}

  char* buffer() { return step_.data(); }
  size_t buffer_size() const { return step_.size(); }
  // Keeps the first n bytes of the buffer.
  std::optional<Outcome> Keep(size_t n) {
    const uint64_t total = bytes_.size() + n;
    if (limits_.max_ratio > 0 && total > kRatioFreeBytes &&
        total / limits_.max_ratio > input_bytes_)
      return Outcome::kRatio;
    if (total > limits_.max_bytes) return Outcome::kTooLarge;
    bytes_.append(step_.data(), n);
    return std::nullopt;
  }
  size_t size() const { return bytes_.size(); }
  void Truncate(size_t size) { bytes_.resize(size); }
  bool may_be_quick() const { return limits_.quick; }
  bool empty() const { return bytes_.empty(); }
  std::string Take() { return std::move(bytes_); }

 private:
  const uint64_t input_bytes_;
  const BodyLimits& limits_;
  std::string step_, bytes_;
};

// Returns true iff the stream is sound to its end and within the limits; else
// *output is as it was, and zlib has to say what is wrong.
bool InflateQuickly(std::string_view body, DeflateFraming framing,
                    BoundedOutput* output, size_t* used) {
  if (!output->may_be_quick()) return false;
  const std::unique_ptr<Codec> codec = MakeQuickCodec(framing);
  if (codec == nullptr || !codec->Reset()) return false;
  const size_t size = body.size(), before = output->size();
  while (true) {
    const Codec::Step step =
        codec->Decode(body, output->buffer(), output->buffer_size());
    body.remove_prefix(step.consumed);
    const bool goes_on = step.state == Codec::State::kEnd ||
                         (step.state == Codec::State::kMore &&
                          step.consumed + step.produced > 0);
    if (!goes_on || output->Keep(step.produced)) {
      output->Truncate(before);
      return false;
    }
    *used = size - body.size();
    if (step.state == Codec::State::kEnd) return true;
  }
}

// One stream of any framing. `*used` is the input consumed, where the framing
// says where it ends.
Outcome Inflate(std::string_view body, DeflateFraming framing,
                BoundedOutput* output, size_t* used) {
  if (InflateQuickly(body, framing, output, used)) return Outcome::kDone;
  const int window_bits = framing == DeflateFraming::kGzip   ? 15 + 16
                          : framing == DeflateFraming::kZlib ? 15
                                                             : -15;
  z_stream stream{};
  if (inflateInit2(&stream, window_bits) != Z_OK)
    return Outcome::kNotThisCoding;
  const std::unique_ptr<z_stream, int (*)(z_streamp)> closer(&stream,
                                                             inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
  stream.avail_in = static_cast<uInt>(body.size());
  while (true) {
    stream.next_out = reinterpret_cast<Bytef*>(output->buffer());
    stream.avail_out = static_cast<uInt>(output->buffer_size());
    const int code = inflate(&stream, Z_NO_FLUSH);
    const size_t made = output->buffer_size() - stream.avail_out;
    if (auto refused = output->Keep(made)) return *refused;
    *used = body.size() - stream.avail_in;
    if (code == Z_STREAM_END) return Outcome::kDone;
    if (code == Z_BUF_ERROR || (code == Z_OK && made == 0))
      return Outcome::kPartial;
    if (code != Z_OK) return Outcome::kNotThisCoding;
  }
}

bool HasGzipMagic(std::string_view body) {
  return body.size() >= 3 && body.substr(0, 3) == "\x1f\x8b\x08";
}

bool HasZlibMagic(std::string_view body) {
  if (body.size() < 2) return false;
  const unsigned cmf = static_cast<unsigned char>(body[0]);
  const unsigned flg = static_cast<unsigned char>(body[1]);
  return (cmf & 0x0f) == 8 && (cmf >> 4) <= 7 && (cmf * 256 + flg) % 31 == 0;
}

// All members of a gzip body; what follows the last one is dropped.
Outcome Gunzip(std::string_view body, BoundedOutput* output) {
  if (!HasGzipMagic(body)) return Outcome::kNotThisCoding;
  while (true) {
    size_t used = 0;
    const Outcome outcome = Inflate(body, DeflateFraming::kGzip, output, &used);
    if (outcome == Outcome::kNotThisCoding)
      return output->empty()
                 ? outcome
                 : Outcome::kPartial;  // broken data, or a bad checksum
    if (outcome != Outcome::kDone) return outcome;
    body.remove_prefix(used);
    if (!HasGzipMagic(body))
      return body.empty() ? Outcome::kDone : Outcome::kPartial;
  }
}

Outcome InflateBody(std::string_view body, BoundedOutput* output) {
  size_t used = 0;
  if (HasZlibMagic(body)) {
    const Outcome outcome = Inflate(body, DeflateFraming::kZlib, output, &used);
    if (outcome != Outcome::kNotThisCoding) return outcome;
    if (!output->empty()) return Outcome::kPartial;
  }
  if (HasGzipMagic(body)) return Gunzip(body, output);
  // Raw deflate has no magic: anything that fails within was probably never
  // deflated.
  return Inflate(body, DeflateFraming::kNone, output, &used);
}

Outcome Unbrotli(std::string_view body, BoundedOutput* output) {
  const std::unique_ptr<BrotliDecoderState, void (*)(BrotliDecoderState*)>
      state(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr),
            BrotliDecoderDestroyInstance);
  if (state == nullptr) return Outcome::kNotThisCoding;
  const auto* next_in = reinterpret_cast<const uint8_t*>(body.data());
  size_t in = body.size();
  while (true) {
    auto* next_out = reinterpret_cast<uint8_t*>(output->buffer());
    size_t out = output->buffer_size();
    const BrotliDecoderResult code = BrotliDecoderDecompressStream(
        state.get(), &in, &next_in, &out, &next_out, nullptr);
    if (auto refused = output->Keep(output->buffer_size() - out))
      return *refused;
    if (code == BROTLI_DECODER_RESULT_SUCCESS) return Outcome::kDone;
    if (code == BROTLI_DECODER_RESULT_ERROR) return Outcome::kNotThisCoding;
    if (code == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT)
      return Outcome::kPartial;
  }
}

// All members of what begins like one; of zstd frames, or of compress(1), which
// has one. `*why` tells what is wrong with a first one.
Outcome Unpack(Compression compression, std::string_view body,
               const BodyLimits& limits, BoundedOutput* output,
               std::string* why) {
  const auto codec = MakeCodec(compression, limits.max_window_bytes);
  while (BeginsMember(compression, body) && codec->Reset()) {
    for (bool ends = false; !ends;) {
      const Codec::Step step =
          codec->Decode(body, output->buffer(), output->buffer_size());
      body.remove_prefix(step.consumed);
      if (auto refused = output->Keep(step.produced)) return *refused;
      ends = step.state == Codec::State::kEnd;
      if (step.state == Codec::State::kBadData ||
          step.state == Codec::State::kBadChecksum) {
        *why = step.detail;
        return output->empty() ? Outcome::kNotThisCoding : Outcome::kPartial;
      }
      if (!ends && step.consumed == 0 && step.produced == 0)
        return codec->MayEnd() ? Outcome::kDone : Outcome::kPartial;
    }
    if (body.empty()) return Outcome::kDone;
  }
  return output->empty() ? Outcome::kNotThisCoding : Outcome::kPartial;
}

// Why a coding is left as it stands that nobody undoes.
std::string WhyUnknown(std::string_view coding) {
  return coding == "dcb" || coding == "dcz"
             ? "which needs a dictionary that another response holds"
             : "which is not known";
}

// Undoes one coding of *body. Returns the reason to refuse, empty when there is
// none. `*undone`: as in DecodedBody.
std::string DecodeLayer(std::string_view coding, const BodyLimits& limits,
                        std::string* body, bool* damaged, std::string* undone) {
  if (body->empty() || coding.empty() || coding == "identity") return "";
  if (coding == "aws-chunked") {
    std::string joined;
    if (JoinChunks(*body, &joined)) *body = std::move(joined);
    return "";
  }
  BoundedOutput output(body->size(), limits);
  Outcome outcome;
  std::string why;
  if (coding == "gzip" || coding == "x-gzip") {
    outcome = Gunzip(*body, &output);
  } else if (coding == "deflate") {
    outcome = InflateBody(*body, &output);
  } else if (coding == "br") {
    outcome = Unbrotli(*body, &output);
  } else if (coding == "zstd") {
    outcome = Unpack(Compression::kZstd, *body, limits, &output, &why);
  } else if (coding == "compress" || coding == "x-compress") {
    outcome = Unpack(Compression::kLzw, *body, limits, &output, &why);
  } else {
    *damaged = true;
    *undone = std::string(coding) + ", " + WhyUnknown(coding);
    return "";
  }
  if (outcome == Outcome::kTooLarge) return "too-large";
  if (outcome == Outcome::kRatio) return "ratio";
  if (outcome != Outcome::kDone) *damaged = true;
  // A stream that ends before its first byte of output says nothing: the body
  // stays.
  const bool keep = outcome == Outcome::kDone ||
                    (outcome == Outcome::kPartial && !output.empty());
  if (keep) {
    *body = output.Take();
  } else {
    *undone = std::string(coding) + ", which the body is not";
    if (!why.empty()) *undone += ": " + why;
  }
  return "";
}

std::vector<std::string> Codings(const HttpHead& head, std::string_view name) {
  std::vector<std::string> codings;
  const std::string list = head.fields.FindAll(name);
  std::string_view rest = list;
  while (!rest.empty()) {
    const size_t comma = rest.find(',');
    const std::string_view coding = rest.substr(0, comma);
    codings.push_back(
        ToLowerAscii(TrimBlanks(coding.substr(0, coding.find(';')))));
    rest.remove_prefix(comma == std::string_view::npos ? rest.size()
                                                       : comma + 1);
  }
  constexpr size_t kMaxCodings = 8;  // nobody means more; bounds the work
  if (codings.size() > kMaxCodings)
    codings.erase(codings.begin(), codings.end() - kMaxCodings);
  return codings;
}

// The size that a chunk header line states.
std::optional<uint64_t> ChunkSize(std::string_view line) {
  line = TrimBlanks(line.substr(0, line.find(';')));
  if (line.empty() || line.size() > 8) return std::nullopt;
  uint64_t size = 0;
  for (char c : line) {
    int digit;
    if (c >= '0' && c <= '9') {
      digit = c - '0';
    } else if (c >= 'a' && c <= 'f') {
      digit = c - 'a' + 10;
    } else if (c >= 'A' && c <= 'F') {
      digit = c - 'A' + 10;
    } else {
      return std::nullopt;
    }
    size = size * 16 + static_cast<uint64_t>(digit);
  }
  return size;
}

}  // namespace

bool JoinChunks(std::string_view body, std::string* joined) {
  joined->clear();
  std::string_view rest = body;
  while (!rest.empty()) {
    std::string_view behind = rest, line;
    TakeLine(&behind, &line);
    const std::optional<uint64_t> size = ChunkSize(line);
    if (!size || behind.data()[-1] != '\n') {
      joined->append(rest);
      return false;
    }
    if (*size == 0) return true;
    if (*size > behind.size()) {
      joined->append(behind);
      return false;
    }
    const std::string_view chunk = behind.substr(0, *size);
    behind.remove_prefix(*size);
    if (behind.empty()) {
      joined->append(chunk);
      return false;
    }
    const size_t end = behind[0] == '\n'               ? 1
                       : behind.substr(0, 2) == "\r\n" ? 2
                                                       : 0;
    if (end == 0) {
      // The size is wrong: this was no chunk.
      joined->append(rest);
      return false;
    }
    joined->append(chunk);
    rest = behind.substr(end);
  }
  return false;
}

DecodedBody DecodeBody(const HttpHead& head, std::string_view body,
                       const BodyLimits& limits) {
  DecodedBody decoded;
  // Codings are listed in the order in which they were applied, chunked last.
  std::vector<std::string> codings = Codings(head, "content-encoding");
  const std::vector<std::string> transfer = Codings(head, "transfer-encoding");
  const size_t content = codings.size();
  codings.insert(codings.end(), transfer.begin(), transfer.end());
  decoded.payload.assign(body);
  for (auto coding = codings.rbegin(); coding != codings.rend(); ++coding) {
    if (limits.keep_stored && coding == codings.rend() - content)
      decoded.stored = decoded.payload;
    if (*coding == "chunked") {
      std::string joined;
      if (!JoinChunks(decoded.payload, &joined)) decoded.damaged = true;
      decoded.payload = std::move(joined);
      continue;
    }
    decoded.refused = DecodeLayer(*coding, limits, &decoded.payload,
                                  &decoded.damaged, &decoded.undone);
    if (!decoded.refused.empty()) break;
  }
  if (decoded.refused.empty() && decoded.payload.size() > limits.max_bytes)
    decoded.refused = "too-large";
  if (!decoded.refused.empty()) decoded.payload.clear();
  return decoded;
}

}  // namespace twinset
