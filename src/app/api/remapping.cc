#include "app/api/remapping.h"

namespace patra::app {
namespace {

Value FieldsOf(const RemapLook& look) {
  Value::Object fields;
  for (const auto& [name, change] : look.fields) {
    Value::Array samples;
    for (const auto& sample : change.samples)
      samples.push_back(
          Value::Object{{"id", sample.id}, {"before", sample.before}, {"after", sample.after}});
    fields[name] = Value::Object{{"records", change.records}, {"samples", std::move(samples)}};
  }
  return fields;
}

Value TextsOf(const std::vector<std::string>& texts) {
  return Value::Array(texts.begin(), texts.end());
}

}  // namespace

Value ToValue(const RemapReport& report) {
  const auto& look = report.look;
  return Value::Object{{"source", report.source},
                       {"endpoint", report.endpoint},
                       {"dryRun", report.dry_run},
                       {"takenUp", report.is_taken_up},
                       {"generation", report.generation},
                       {"look", Value::Object{{"pages", look.pages},
                                              {"whole", look.is_whole},
                                              {"pagesLost", look.pages_lost},
                                              {"whyLost", look.why_lost},
                                              {"same", look.same},
                                              {"changed", look.changed},
                                              {"leftAlone", look.left_alone},
                                              {"bad", look.bad},
                                              {"firstBad", TextsOf(look.first_bad)},
                                              {"new", look.fresh},
                                              {"firstNew", TextsOf(look.first_fresh)},
                                              {"fields", FieldsOf(look)}}},
                       {"pages", report.pages},
                       {"pagesLost", report.pages_lost},
                       {"whyLost", report.why_lost},
                       {"records", report.records},
                       {"inserted", report.inserted},
                       {"updated", report.updated},
                       {"unchanged", report.unchanged},
                       {"leftAlone", report.left_alone},
                       {"bad", report.bad},
                       {"isolated", report.isolated}};
}

}  // namespace patra::app
