// What faults do to a request's answer.
#pragma once

#include <vector>

#include "sim/faults.h"
#include "sim/http_message.h"
#include "sim/page_troubles.h"
#include "sim/provider.h"

namespace patra::sim {

// Before the provider builds its page.
PageTroubles TroublesOf(const std::vector<Strike>& strikes);

// Answers in the provider's place where a fault replaces the whole answer; false if none does.
bool AnswerInstead(const std::vector<Strike>& strikes, const Provider& provider, const Call& call,
                   Response& response);

// Spoils a finished answer and the way it is sent.
void SpoilAnswer(const std::vector<Strike>& strikes, Response& response);

}  // namespace patra::sim
