// Everything: #include <lass0/lass0.hpp>
#pragma once

#include <lass0/compare.hpp>
#include <lass0/control.hpp>
#include <lass0/criterion.hpp>
#include <lass0/cross_validate.hpp>
#include <lass0/design.hpp>
#include <lass0/error.hpp>
#include <lass0/fit.hpp>
#include <lass0/io.hpp>
#include <lass0/lasso.hpp>
#include <lass0/model.hpp>
#include <lass0/moments.hpp>
#include <lass0/options.hpp>
#include <lass0/path.hpp>
#include <lass0/problem.hpp>
#include <lass0/problem_info.hpp>
#include <lass0/prove.hpp>
#include <lass0/report.hpp>
#include <lass0/search.hpp>
#include <lass0/simulate.hpp>
#include <lass0/status.hpp>
#include <lass0/support_table.hpp>
#include <lass0/types.hpp>
#include <lass0/version.hpp>
