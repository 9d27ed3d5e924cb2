#include "json_value.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace spcabench {
namespace {

using Json = nlohmann::ordered_json;

bool is_whole(const Json& value) {
  // As a double no whole number wraps around. The least int is R's NA.
  return value.is_number_integer() &&
         std::abs(value.get<double>()) <= std::numeric_limits<int>::max();
}

template <class Test>
bool all(const Json& list, Test test) {
  return !list.empty() && std::all_of(list.begin(), list.end(), test);
}

SEXP word(const std::string& text) {
  return Rf_mkCharLenCE(text.data(), static_cast<int>(text.size()), CE_UTF8);
}

SEXP list_to_r(const Json& list) {
  const auto count = static_cast<R_xlen_t>(list.size());
  if (all(list, is_whole)) {
    return Rcpp::wrap(list.get<std::vector<int>>());
  }
  if (all(list, [](const Json& item) { return item.is_number() || item.is_null(); })) {
    Rcpp::NumericVector numbers(count);
    std::transform(list.begin(), list.end(), numbers.begin(),
                   [](const Json& item) { return item.is_null() ? NA_REAL : item.get<double>(); });
    return numbers;
  }
  if (all(list, [](const Json& item) { return item.is_boolean(); })) {
    Rcpp::LogicalVector values(count);
    std::transform(list.begin(), list.end(), values.begin(),
                   [](const Json& item) { return item.get<bool>(); });
    return values;
  }
  if (all(list, [](const Json& item) { return item.is_string(); })) {
    Rcpp::CharacterVector words(count);
    for (R_xlen_t i = 0; i < count; ++i) {
      SET_STRING_ELT(words, i,
                     word(list[static_cast<std::size_t>(i)].get_ref<const std::string&>()));
    }
    return words;
  }
  Rcpp::List items(count);
  for (R_xlen_t i = 0; i < count; ++i) {
    items[i] = to_r(list[static_cast<std::size_t>(i)]);
  }
  return items;
}

Json item_to_json(SEXP value, R_xlen_t i, const std::string& where) {
  switch (TYPEOF(value)) {
    case LGLSXP:
      if (LOGICAL(value)[i] != NA_LOGICAL) {
        return LOGICAL(value)[i] != 0;
      }
      break;
    case INTSXP:
      if (INTEGER(value)[i] != NA_INTEGER) {
        return INTEGER(value)[i];
      }
      break;
    case REALSXP: {
      const double number = REAL(value)[i];
      constexpr double kWholeBelow = 9007199254740992.0;  // 2^53: beyond it doubles skip integers
      if (std::isfinite(number)) {
        return std::trunc(number) == number && std::abs(number) < kWholeBelow
                   ? Json(static_cast<std::int64_t>(number))
                   : Json(number);
      }
      break;
    }
    case STRSXP:
      if (STRING_ELT(value, i) != NA_STRING) {
        return std::string(Rf_translateCharUTF8(STRING_ELT(value, i)));
      }
      break;
    default:
      break;
  }
  throw std::invalid_argument(where +
                              ": accepted: TRUE or FALSE, finite numbers, words, or lists of them");
}

}  // namespace

SEXP to_r(const Json& value) {
  if (value.is_object()) {
    Rcpp::List items(static_cast<R_xlen_t>(value.size()));
    Rcpp::CharacterVector names(static_cast<R_xlen_t>(value.size()));
    R_xlen_t i = 0;
    for (const auto& [name, member] : value.items()) {
      SET_STRING_ELT(names, i, word(name));
      items[i++] = to_r(member);
    }
    items.names() = names;
    return items;
  }
  if (value.is_array()) {
    return list_to_r(value);
  }
  if (value.is_string()) {
    return Rf_ScalarString(word(value.get_ref<const std::string&>()));
  }
  if (value.is_boolean()) {
    return Rf_ScalarLogical(value.get<bool>());
  }
  if (is_whole(value)) {
    return Rf_ScalarInteger(value.get<int>());
  }
  return value.is_number() ? Rf_ScalarReal(value.get<double>()) : R_NilValue;
}

Json to_json(SEXP value, const std::string& where) {
  if (Rf_isNull(value)) {
    return nullptr;
  }
  const R_xlen_t count = Rf_xlength(value);
  if (TYPEOF(value) != VECSXP) {
    if (count == 1) {
      return item_to_json(value, 0, where);
    }
    Json list = Json::array();
    for (R_xlen_t i = 0; i < count; ++i) {
      list.push_back(item_to_json(value, i, where));
    }
    return list;
  }
  const SEXP names = Rf_getAttrib(value, R_NamesSymbol);
  Json items = Rf_isNull(names) ? Json::array() : Json::object();
  for (R_xlen_t i = 0; i < count; ++i) {
    if (Rf_isNull(names)) {
      items.push_back(to_json(VECTOR_ELT(value, i), where));
    } else {
      const std::string name = Rf_translateCharUTF8(STRING_ELT(names, i));
      items[name] = to_json(VECTOR_ELT(value, i), where + "$" + name);
    }
  }
  return items;
}

}  // namespace spcabench
