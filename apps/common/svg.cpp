#include "common/svg.hpp"

#include "harness/text.hpp"

namespace apps {
namespace {

std::string escaped(std::string_view words) {
  std::string result;
  for (const char letter : words) result += letter == '<' ? "&lt;" : letter == '&' ? "&amp;" : std::string(1, letter);
  return result;
}

}  // namespace

svg::svg(double width, double height, int font_size)
    : drawn_(bench::text("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", width, "\" height=\"", height,
                         "\" font-family=\"sans-serif\" font-size=\"", font_size,
                         "\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n")) {}

void svg::label(double x, double y, std::string_view style, std::string_view words) {
  drawn_ += bench::text("<text x=\"", x, "\" y=\"", y, "\" ", style, ">", escaped(words), "</text>\n");
}

void svg::rectangle(double x, double y, double width, double height, std::string_view style) {
  drawn_ +=
      bench::text("<rect x=\"", x, "\" y=\"", y, "\" width=\"", width, "\" height=\"", height, "\" ", style, "/>\n");
}

void svg::circle(double x, double y, double radius, std::string_view style) {
  drawn_ += bench::text("<circle cx=\"", x, "\" cy=\"", y, "\" r=\"", radius, "\" ", style, "/>\n");
}

void svg::line(const std::vector<std::pair<double, double>>& points, std::string_view style) {
  drawn_ += "<polyline points=\"";
  for (const auto& [x, y] : points) drawn_ += bench::text(x, ",", y, " ");
  drawn_ += bench::text("\" fill=\"none\" ", style, "/>\n");
}

std::string in_units(int bytes) {
  if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) return bench::text(bytes >> 20, " MiB");
  if (bytes >= 1 << 10 && bytes % (1 << 10) == 0) return bench::text(bytes >> 10, " KiB");
  return bench::text(bytes, " B");
}

}  // namespace apps
