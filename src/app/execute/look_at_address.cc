#include "app/execute/look_at_address.h"

#include <fmt/format.h>

#include "domain/guess/propose_definition.h"
#include "domain/guess/source_name.h"
#include "domain/spec/scalars.h"

namespace patra::app {
namespace {

constexpr int kRedirectsMax = 3;

// As little as it takes to send one request.
domain::SpecSnapshot SpecFor(const std::string& source, const Url& url) {
  domain::SpecSnapshot spec;
  spec.provenance = source;
  spec.endpoint = "items";
  spec.http.base_url = url.Origin();
  spec.http.redirects_max = kRedirectsMax;
  spec.paging.style = domain::PagingStyle::kUrl;
  spec.paging.next = "$.next";
  spec.response.items = "$";
  spec.response.id = {"$.id"};
  return spec;
}

std::vector<std::string> SecretsIn(const Url& url) {
  std::vector<std::string> names;
  for (const auto& parameter : domain::ParametersOf(url)) {
    if (IsSecretName(parameter.name)) names.push_back(parameter.name);
  }
  return names;
}

}  // namespace

Result<ProposedSource> LookAtAddress::Run(const std::string& source, const std::string& address) {
  const auto url = PATRA_TRY(ParseUrl(address));
  const auto name = source.empty() ? domain::SourceNameOf(url) : source;
  PATRA_TRY(domain::CheckName(name));
  const auto response = PATRA_TRY(Ask(name, url));
  const auto answer = domain::ParseAnswer(response.body);
  if (!answer) {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("the answer is neither JSON nor XML: {}", answer.error().Describe()),
                {}, "is it the address of an interface, and not of a page for people?");
  }
  auto proposal = PATRA_TRY(domain::ProposeDefinition({.source = name,
                                                       .url = url,
                                                       .secret_parameters = SecretsIn(url),
                                                       .headers = response.headers,
                                                       .answer = *answer}));
  return ProposedSource{
      .source = name, .text = sender_.ForPeople(proposal.text), .notes = std::move(proposal.notes)};
}

Result<HttpResponse> LookAtAddress::Ask(const std::string& source, const Url& url) {
  const auto compiled = PATRA_TRY(domain::CompiledSource::Compile(SpecFor(source, url)));
  auto sent = PATRA_TRY(sender_.Send({.source = compiled, .request = {.url = url.Text()}},
                                     [](const domain::GateWait&) {}));
  if (sent.failure) return std::unexpected(*sent.failure);
  if (!sent.response)
    return Fail(ErrorCode::kUnavailable, "the request could not be sent: the gate is shut", {},
                "try again later");
  PATRA_TRY(sender_.Settle(sent, {}));
  if (sent.response->status < 200 || sent.response->status > 299) {
    return Fail(ErrorCode::kUnavailable,
                fmt::format("the provider answers with status {}", sent.response->status), {},
                "give an address that brings records when a browser asks for it");
  }
  return *std::move(sent.response);
}

}  // namespace patra::app
