// PubMed's formats of one article, as marked text (see spliced_text.h).
#pragma once

#include <string>
#include <string_view>

#include "base/value.h"
#include "sim/work.h"

namespace patra::sim {

std::string WritePubmedArticle(const Work& work);      // efetch XML, <PubmedArticle>…
std::string WritePubmedSummaryXml(const Work& work);   // esummary XML, <DocSum>…
std::string WritePubmedSummaryJson(const Work& work);  // esummary JSON, the object of one uid

// {"title", "journal", "year" (text), "abstract" (sections joined by a blank), "doi"}
Value PubmedFields(const Work& work, std::string_view serial, std::string_view doi);

// One article in nine has no DOI.
bool HasPubmedDoi(const Work& work);

}  // namespace patra::sim
