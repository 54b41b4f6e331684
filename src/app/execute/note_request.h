// What a request, and what came of it, leave as evidence of how their page was asked for.
#pragma once

#include "app/send/sender.h"
#include "domain/task/evidence.h"

namespace patra::app {

// That it went out, or waited to. Once for every Send.
void NoteSent(const Sent& sent, domain::Evidence& evidence);

// That the gate let nothing out. An answer that came before stays what is to be looked at.
void NoteParked(const Sent& sent, domain::Evidence& evidence);

struct AnswerPlace {
  Instant at;
  int batch_no = 1;
};

// What the answer, or what came instead, was. Once it is settled.
void NoteAnswer(Sent& sent, const domain::Verdict& verdict, const AnswerPlace& place,
                domain::Evidence& evidence);

// That it brought no page. `status` is 0 where no whole answer came.
void NoteFailure(const AnswerPlace& place, domain::ErrorLevel level, const std::string& reason,
                 int status, domain::Evidence& evidence);

// That it is tried again after the wait.
void NoteRetry(Duration wait, domain::Evidence& evidence);

}  // namespace patra::app
