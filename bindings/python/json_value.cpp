#include "bindings/python/json_value.h"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "spca/base/error.h"

namespace spca::python {

namespace py = pybind11;

py::object to_python(const Json& value) {
  switch (value.type()) {
    case Json::value_t::object: {
      py::dict object;
      for (const auto& [name, member] : value.items()) {
        object[py::str(name)] = to_python(member);
      }
      return object;
    }
    case Json::value_t::array: {
      py::list list(value.size());
      for (std::size_t i = 0; i < value.size(); ++i) {
        list[i] = to_python(value[i]);
      }
      return list;
    }
    case Json::value_t::string: {
      // Names in files need not be UTF-8.
      const std::string& text = value.get_ref<const std::string&>();
      return py::reinterpret_steal<py::object>(
          PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
    }
    case Json::value_t::boolean:
      return py::bool_(value.get<bool>());
    case Json::value_t::number_integer:
      return py::int_(value.get<std::int64_t>());
    case Json::value_t::number_unsigned:
      return py::int_(value.get<std::uint64_t>());
    case Json::value_t::number_float:
      return py::float_(value.get<double>());
    case Json::value_t::null:
    case Json::value_t::binary:
    case Json::value_t::discarded:
      break;
  }
  return py::none();
}

Json to_json(const py::handle& value, const std::string& where) {
  if (value.is_none()) {
    return nullptr;
  }
  if (py::isinstance<py::bool_>(value)) {
    return value.cast<bool>();
  }
  if (py::isinstance<py::int_>(value)) {
    int overflow = 0;  // its sign: of the number
    const long long whole = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    if (overflow == 0) {
      return whole;
    }
    try {
      return value.cast<std::uint64_t>();
    } catch (const py::cast_error&) {
      throw InputError(where + ": found a whole number beyond 64 bits");
    }
  }
  if (py::isinstance<py::float_>(value)) {
    return value.cast<double>();
  }
  if (py::isinstance<py::str>(value)) {
    return value.cast<std::string>();
  }
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
    Json list = Json::array();
    for (const py::handle item : value) {
      list.push_back(to_json(item, where));
    }
    return list;
  }
  if (py::isinstance<py::dict>(value)) {
    Json object = Json::object();
    for (const auto& [name, member] : value.cast<py::dict>()) {
      if (!py::isinstance<py::str>(name)) {
        throw InputError(where + ": accepted: keys that are strings");
      }
      const auto word = name.cast<std::string>();
      object[word] = to_json(member, where + "/" + word);
    }
    return object;
  }
  if (py::hasattr(value, "__fspath__")) {
    return to_json(value.attr("__fspath__")(), where);
  }
  // NumPy's numbers and arrays convert themselves to Python values.
  if (py::hasattr(value, "tolist")) {
    return to_json(value.attr("tolist")(), where);
  }
  throw InputError(
      fmt::format("{}: found a {}; accepted: None, a bool, a number, a string, a list or a dict",
                  where, py::str(py::type::of(value).attr("__name__")).cast<std::string>()));
}

}  // namespace spca::python
