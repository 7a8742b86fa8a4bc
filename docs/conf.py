# What ./run docs makes the site of. Pages are Markdown (MyST), and read as well where no site is made of them.
import posixpath
import re

project = "Wherry"
author = "the authors of Wherry"
copyright = "the authors of Wherry"
extensions = ["myst_parser", "sphinx_design"]
exclude_patterns = []
templates_path = []

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4  # of headings as they are in a repository's browser: halo.md#options

html_theme = "furo"
html_title = "Wherry"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_extra_path = ["../build/references"]  # what Doxygen and FORD have made
html_show_sourcelink = False
html_copy_source = False
highlight_language = "text"
pygments_style = "friendly"
pygments_dark_style = "monokai"


def link_files_outside(app, page, source):
    """Pages outside of docs/ are no pages of the site: a link to one leads to a copy of its text."""
    def outside(link):
        place = posixpath.normpath(posixpath.join(posixpath.dirname(page), link.group(1)))
        return f"](path:{link.group(1)})" if place.startswith("../") else link.group(0)

    source[0] = re.sub(r"\]\(((?:\.\./)+[\w/]+\.md)(?:#[\w-]*)?\)", outside, source[0])


def setup(app):
    app.connect("source-read", link_files_outside)
