#include "sim/truth.h"

#include "base/canonical_json.h"
#include "sim/text_format.h"

namespace patra::sim {

void AppendTruthLine(const TruthEntry& entry, std::string& out) {
  out += R"({"id":)";
  AppendJsonString(entry.id, out);
  out += R"(,"version":)";
  out += std::to_string(entry.version);
  out += R"(,"updatedAt":")";
  out += PrintSeconds(entry.updated);
  out += '"';
  if (!entry.hash.empty()) {
    out += R"(,"hash":")";
    out += entry.hash;
    out += '"';
  }
  if (entry.deleted) out += R"(,"deleted":true)";
  if (entry.silent) out += R"(,"silent":true)";
  out += "}\n";
}

}  // namespace patra::sim
