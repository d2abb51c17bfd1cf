#include "base/narrow_modes.h"

#include <map>
#include <mutex>
#include <string_view>

namespace twinset {
namespace {

struct Place {
  mode_t mode = kResultMode;
  bool is_file = false;
};
struct Places {
  std::mutex mutex;
  std::map<std::string, Place> modes;
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
  const std::string folder = WithoutSlash(place);
  const std::lock_guard lock(places.mutex);
  std::erase_if(places.modes, [&](const auto& other) {
    return other.second.is_file && Covers(folder, other.first);
  });
  places.modes[folder] = {mode, /*is_file=*/false};
}

void NarrowFileMode(const std::string& file, mode_t mode) {
  Places& places = AllPlaces();
  const std::lock_guard lock(places.mutex);
  places.modes[file] = {mode, /*is_file=*/true};
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
    most = of_place.mode;
  }
  return mode & most;
}

}  // namespace twinset
