// JSON pages by simdjson. Two things are added to it.
//
// Buffers: the parser's and the document's are several times the page's size, and touching fresh
// memory costs about as much as parsing. So each thread keeps one parser and a few documents whose
// pages are gone. A Document may die on another thread than it was made on; it then feeds that
// thread's store, and nothing is shared.
//
// Errors: simdjson says neither where nor exactly what, and refuses integers of more than 64 bits
// though they are valid. When it fails, CheckJson finds the trouble; if there is none, such integers are given
// a point, which makes them doubles and leaves everything else on the page as it is.
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/document_internal.h"
#include "base/json_tape_internal.h"
#include "base/json_text.h"

namespace patra {
namespace {

constexpr std::size_t kKeptDocuments = 3;         // this page, the next one, one in flight
constexpr std::size_t kKeptBytesMax = 16u << 20;  // of input; larger pages are rare

struct ThreadBuffers {
  simdjson::dom::parser parser;
  std::vector<std::unique_ptr<simdjson::dom::document>> documents;

  ThreadBuffers();
  ~ThreadBuffers();
};

// Null before the first page and when the thread is ending, when a Document of static life may
// still come back.
thread_local ThreadBuffers* buffers_alive = nullptr;

ThreadBuffers::ThreadBuffers() { buffers_alive = this; }
ThreadBuffers::~ThreadBuffers() { buffers_alive = nullptr; }

ThreadBuffers& Buffers() {
  thread_local ThreadBuffers buffers;
  return buffers;
}

JsonDocument TakeDocument(ThreadBuffers& buffers) {
  if (buffers.documents.empty()) return JsonDocument(new simdjson::dom::document);
  JsonDocument document(buffers.documents.back().release());
  buffers.documents.pop_back();
  return document;
}

simdjson::error_code ParseInto(simdjson::dom::document& document, ThreadBuffers& buffers,
                               std::string_view padded, int depth_max) {
  // simdjson counts the page itself as a level.
  const auto depth = static_cast<std::size_t>(depth_max) + 1;
  auto& parser = buffers.parser;
  if (parser.max_depth() != depth || parser.capacity() < padded.size()) {
    const auto capacity = std::max({parser.capacity(), padded.size(), std::size_t{4096}});
    if (const auto error = parser.allocate(capacity, depth)) return error;
  }
  const auto error =
      parser.parse_into_document(document, padded.data(), padded.size(), false).error();
  if (padded.size() > kKeptBytesMax) parser = simdjson::dom::parser();
  return error;
}

std::string_view WithoutByteOrderMark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

std::string WithPoints(std::string_view text, const std::vector<std::size_t>& integer_ends) {
  constexpr std::string_view kPoint = ".0";
  std::string changed;
  changed.reserve(text.size() + integer_ends.size() * kPoint.size() + simdjson::SIMDJSON_PADDING);
  std::size_t begin = 0;
  for (const auto end : integer_ends) {
    changed.append(text.substr(begin, end - begin)).append(kPoint);
    begin = end;
  }
  changed.append(text.substr(begin));
  return changed;
}

// What simdjson refused.
Result<JsonDocument> ParseAgain(std::string_view text, const DocumentLimits& limits,
                                simdjson::error_code reason) {
  if (reason == simdjson::MEMALLOC || reason == simdjson::CAPACITY) {
    return Fail(ErrorCode::kLimit, fmt::format("no memory for {} bytes of JSON", text.size()));
  }
  const auto check = CheckJson(text, limits.json_depth_max);
  if (check.trouble) return std::unexpected(check.trouble->In(text));
  const auto changed = WithPoints(text, check.long_integers);
  auto& buffers = Buffers();
  auto document = TakeDocument(buffers);
  if (const auto error = ParseInto(*document, buffers, changed, limits.json_depth_max)) {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("the JSON parser says: {}", simdjson::error_message(error)));
  }
  return document;
}

}  // namespace

void ReturnJsonDocument::operator()(simdjson::dom::document* document) const {
  std::unique_ptr<simdjson::dom::document> owned(document);
  if (buffers_alive == nullptr || buffers_alive->documents.size() >= kKeptDocuments) return;
  if (owned->capacity() > kKeptBytesMax) return;
  buffers_alive->documents.push_back(std::move(owned));
}

Result<JsonDocument> ParseJsonBytes(const std::string& bytes, const DocumentLimits& limits) {
  if (bytes.size() > limits.bytes_max) {
    return Fail(ErrorCode::kLimit, fmt::format("JSON of {} bytes is larger than the limit of {}",
                                               bytes.size(), limits.bytes_max));
  }
  if (limits.json_depth_max < 1 || limits.json_depth_max > kJsonDepthMost) {
    return Fail(ErrorCode::kInvalidInput, fmt::format("a depth limit of {} is outside 1…{}",
                                                      limits.json_depth_max, kJsonDepthMost));
  }
  // simdjson reads a little beyond the end. Text with so much room behind it, as a response has, needs no copy.
  std::string copy;
  const bool has_room = bytes.capacity() - bytes.size() >= simdjson::SIMDJSON_PADDING;
  if (!has_room) {
    copy.reserve(bytes.size() + simdjson::SIMDJSON_PADDING);
    copy = bytes;
  }
  const auto text = WithoutByteOrderMark(has_room ? bytes : copy);

  auto& buffers = Buffers();
  auto document = TakeDocument(buffers);
  const auto error = ParseInto(*document, buffers, text, limits.json_depth_max);
  if (error) return ParseAgain(text, limits, error);
  return document;
}

}  // namespace patra
