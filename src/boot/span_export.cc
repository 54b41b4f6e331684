#include "boot/span_export.h"

#include "base/process_name.h"

namespace patra::boot {

Result<std::unique_ptr<SpanExport>> SpanExport::Open(const std::string& url, app::Meters* meters,
                                                     const Clock& clock) {
  if (url.empty()) return nullptr;
  auto transport = PATRA_TRY(infra::curl::Transport::Create(
      {.allow_loopback = true, .networks = {"0.0.0.0/0", "::/0"}}, clock));
  if (auto known = transport->Check(url); !known)
    return std::unexpected(std::move(known).error().While("trace.endpoint"));
  return std::unique_ptr<SpanExport>(new SpanExport(url, meters, std::move(transport), clock));
}

SpanExport::SpanExport(const std::string& url, app::Meters* meters,
                       std::unique_ptr<infra::curl::Transport> transport, const Clock& clock)
    : transport_(std::move(transport)),
      spans_(url, NewProcessName(clock), *transport_, meters == nullptr ? no_meters_ : *meters) {}

}  // namespace patra::boot
