#include "sides.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

namespace nb = nanobind;

namespace twinset::python {

SideData SideOf(nb::dict said) {
  SideData data;
  data.data = said["data"];
  data.is_arrow = nb::cast<bool>(said["is_arrow"]);
  data.names = nb::cast<std::vector<std::string>>(said["names"]);
  data.roles.others = nb::cast<std::vector<std::string>>(said["roles"]);
  data.roles.is_html = nb::cast<bool>(said["is_html"]);
  return data;
}

OpenSide::OpenSide(SideData data, ServedCall* call)
    : source(data.is_arrow ? FromArrow(std::move(data.data), data.names,
                                       std::move(data.roles), &ids)
                           : FromBatches(std::move(data.data),
                                         std::move(data.roles), call, &ids)) {}

}  // namespace twinset::python
