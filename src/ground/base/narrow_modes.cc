#include "base/narrow_modes.h"

#include <map>
#include <mutex>
#include <string_view>

namespace twinset {
namespace {

struct Places {
  std::mutex mutex;
  std::map<std::string, mode_t> modes;
};
Places& AllPlaces() {
  static Places places;
  return places;
}

bool Covers(std::string_view place, std::string_view path) {
  if (!path.starts_with(place)) return false;
  path.remove_prefix(place.size());
  return path.empty() || path == ".part" || path.starts_with('/');
}

// As paths below it begin.
std::string WithoutSlash(std::string place) {
  while (place.size() > 1 && place.ends_with('/')) place.pop_back();
  return place;
}

}  // namespace

void NarrowModes(const std::string& place, mode_t mode) {
  Places& places = AllPlaces();
  const std::lock_guard lock(places.mutex);
  places.modes[WithoutSlash(place)] = mode;
}

void ForgetModes(const std::string& place) {
  Places& places = AllPlaces();
  const std::lock_guard lock(places.mutex);
  places.modes.erase(WithoutSlash(place));
}

mode_t NarrowMode(const std::string& path, mode_t mode) {
  Places& places = AllPlaces();
  const std::lock_guard lock(places.mutex);
  size_t longest = 0;
  mode_t most = mode;
  for (const auto& [place, of_place] : places.modes) {
    if (place.size() < longest || !Covers(place, path)) continue;
    longest = place.size();
    most = of_place;
  }
  return mode & most;
}

}  // namespace twinset
