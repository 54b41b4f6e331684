#include "app/execute/joined_answers.h"

#include <string_view>

#include <fmt/format.h>

#include "base/hash.h"

namespace patra::app {
namespace {

constexpr std::string_view kJoined = "multipart/mixed; boundary=";
constexpr std::string_view kPartType = "Content-Type: ";
constexpr std::string_view kHeadEnd = "\r\n\r\n";

}  // namespace

// The boundary depends on all of them, so none holds it.
void JoinAnswers(const std::vector<HttpResponse>& answers, HttpResponse& whole) {
  if (answers.size() == 1) {
    whole.content_type = answers.front().content_type;
    whole.body = answers.front().body;
    return;
  }
  Sha256Stream all;
  for (const auto& answer : answers) all.Append(answer.body);
  const auto boundary = "part-" + all.FinishHex().substr(0, 32);
  whole.content_type = std::string(kJoined) + boundary;
  for (const auto& answer : answers) {
    whole.body += fmt::format("--{}\r\n{}{}{}", boundary, kPartType, answer.content_type, kHeadEnd);
    whole.body += answer.body;
    whole.body += "\r\n";
  }
  whole.body += fmt::format("--{}--\r\n", boundary);
}

std::vector<HttpResponse> SplitAnswers(const HttpResponse& whole) {
  if (!whole.content_type.starts_with(kJoined)) return {whole};
  const auto mark = "--" + whole.content_type.substr(kJoined.size());
  const auto delimiter = "\r\n" + mark;
  std::vector<HttpResponse> answers;
  std::string_view rest = whole.body;
  const auto opening = mark + "\r\n" + std::string(kPartType);
  while (rest.starts_with(opening)) {
    rest.remove_prefix(opening.size());
    const auto head_end = rest.find(kHeadEnd);
    if (head_end == std::string_view::npos) break;
    const auto content_type = rest.substr(0, head_end);
    rest.remove_prefix(head_end + kHeadEnd.size());
    const auto body_end = rest.find(delimiter);
    if (body_end == std::string_view::npos) break;
    auto& answer = answers.emplace_back();
    answer.status = whole.status;
    answer.content_type = content_type;
    answer.body = rest.substr(0, body_end);
    answer.received_at = whole.received_at;
    answer.has_headers = whole.has_headers;
    rest.remove_prefix(body_end + std::string_view("\r\n").size());
  }
  return answers;
}

}  // namespace patra::app
