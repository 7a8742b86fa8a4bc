/// @file
/// Pictures as SVG files.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apps {

/// A picture on a white background. Places are in dots from the upper left corner. A style is a text of further
/// attributes, such as fill="red".
class svg {
 public:
  svg(double width, double height, int font_size);

  /// @param words may have any letters
  void label(double x, double y, std::string_view style, std::string_view words);
  void rectangle(double x, double y, double width, double height, std::string_view style);
  void circle(double x, double y, double radius, std::string_view style);
  /// Draws a line from point to point.
  void line(const std::vector<std::pair<double, double>>& points, std::string_view style);

  /// The text of the picture's file.
  std::string text() const { return drawn_ + "</svg>\n"; }

 private:
  std::string drawn_;
};

/// "8 B", "64 KiB".
std::string in_units(int bytes);

}  // namespace apps
