// The answers to the parts of one page as one document, and back: the raw vault has one document for a batch.
#pragma once

#include <vector>

#include "app/port/transport.h"

namespace patra::app {

// Several are joined as mails are (RFC 2046); one alone stays as it is. Fills content type and body of `whole`.
void JoinAnswers(const std::vector<HttpResponse>& answers, HttpResponse& whole);

// Each with the status and the time of the whole; an answer that is not joined comes alone.
std::vector<HttpResponse> SplitAnswers(const HttpResponse& whole);

}  // namespace patra::app
