#pragma once

#include <string>

namespace spca {

/// Returns a moment in UTC in the form "2026-11-23T08:15:00Z", in which texts sort by time. `text`
/// is a day ("2026-11-23", which begins at midnight UTC), or a day and a time with Z or an offset
/// ("2026-11-23T09:15:00+01:00"). Throws InputError "where: found ...; accepted: ...".
std::string utc_moment(const std::string& text, const std::string& where);

/// Returns the present moment.
std::string utc_now();

}  // namespace spca
