// What was read of a page, without secrets, however the page spelled them.
//
// Bodies are redacted as they come, but a parser may put together what no search of the bytes finds: text of several
// elements, sections of CDATA, an id of two parts. So what it makes of them is looked at once more (I11).
#pragma once

#include "app/send/redaction.h"
#include "base/result.h"
#include "domain/page/page_content.h"

namespace patra::app {

Result<domain::PageContent> RedactPage(Result<domain::PageContent> read, const Redactor& redactor);

}  // namespace patra::app
