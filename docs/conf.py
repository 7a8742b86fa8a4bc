# What ./run docs makes the site of. Pages are Markdown (MyST), and read as well where no site is made of them.
import posixpath
import re

project = "Wherry"
author = "the authors of Wherry"
copyright = "the authors of Wherry"
extensions = ["myst_parser", "sphinx_design", "autoapi.extension"]
exclude_patterns = []
templates_path = []

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4  # of headings as they are in a repository's browser: halo.md#options

# The reference of the Python package is made of its sources, so that nothing must be compiled.
autoapi_dirs = ["../bindings/python/wherry"]
autoapi_root = "python_reference"
autoapi_options = ["members", "undoc-members", "imported-members"]
autoapi_python_class_content = "both"
autoapi_add_toctree_entry = False
suppress_warnings = ["autoapi.python_import_resolution"]  # the build makes wherry._built_for
nitpick_ignore_regex = [("py:.*", ".*")]

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


def show_docstrings_as_they_are(app, what, name, python_object, skip, options):
    """Docstrings are plain text with aligned columns. Private modules are no pages: `wherry` has what is public of them."""
    if what in ("module", "package"):
        return name.split(".")[-1].startswith("_") or None
    first, _, rest = python_object.docstring.partition("\n\n")
    pieces = re.split(r"`+", first)  # of these, each second one is code
    first = "``".join(re.sub(r"([*|_\\])", r"\\\1", piece) if i % 2 == 0 else piece for i, piece in enumerate(pieces))
    rest = "".join(f"\n   {line}" for line in rest.rstrip().split("\n")) if rest.strip() else ""
    python_object.docstring = first + (f"\n\n.. code-block:: text\n{rest}\n" if rest else "")
    return None


def setup(app):
    app.connect("source-read", link_files_outside)
    app.connect("autoapi-skip-member", show_docstrings_as_they_are)
