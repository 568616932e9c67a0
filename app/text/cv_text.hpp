// What `lass0 cv` prints for people: the model, the curve around it, and why it was chosen.
#pragma once

#include <lass0/criterion.hpp>
#include <lass0/cross_validate.hpp>
#include <lass0/io.hpp>
#include <string>

namespace lass0::app {

std::string cv_text(const CrossValidation& cv, const Table& table);
std::string criterion_text(const CriterionSelection& selection, const Table& table);

}  // namespace lass0::app
