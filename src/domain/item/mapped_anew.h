// A page of the raw vault that is mapped anew by a changed definition, beside what is stored under the ids of its records.
//
// The page that brought the stored version of a record decides about it, whatever its new mapping makes of dates and versions: it is
// what the provider said last. Other pages have older versions of it. A record that nobody had made of a page before, or one
// that was mapped anew already, goes by its version like any other (I7).
#pragma once

#include "base/id.h"
#include "domain/item/record.h"
#include "domain/item/stored_item.h"

namespace patra::domain {

enum class Decides {
  kThisPage,    // it brought what is stored
  kItsOwnPage,  // another one did, and was not mapped anew yet; or a replay of the same batch
  kVersions,    // another one did, and was
};
Decides WhoDecides(const StoredItem& stored, const Record& record, Id batch);

// Whether the page makes of the record what it made of it before.
bool IsAsItWas(const StoredItem& stored, const Record& record);

// What is stored as it would be had the page been mapped then as it is now, so that the record is the newer one of the two.
// REQUIRES: this page decides
void Restate(StoredItem& stored, const Record& record);

}  // namespace patra::domain
