// The way of spans to a collector, where one is configured.
#pragma once

#include <memory>
#include <string>

#include "app/port/meters.h"
#include "app/trace/export_spans.h"
#include "app/trace/tracing_log.h"
#include "base/clock.h"
#include "base/result.h"
#include "infra/curl/transport.h"

namespace patra::boot {

class SpanExport {
 public:
  // Null where `url` is empty. Whoever configures it says where it is: any address will do. `meters` may be null.
  static Result<std::unique_ptr<SpanExport>> Open(const std::string& url, app::Meters* meters,
                                                  const Clock& clock);

  app::SpanSink& sink() { return spans_; }

 private:
  SpanExport(const std::string& url, app::Meters* meters,
             std::unique_ptr<infra::curl::Transport> transport, const Clock& clock);

  const std::unique_ptr<infra::curl::Transport> transport_;
  app::NoMeters no_meters_;
  app::ExportSpans spans_;
};

}  // namespace patra::boot
