"""What the package shows."""
import inspect
import os

import wherry as wh
from wherry import _core


def test_everything_has_a_text():
    for name in wh.__all__:
        one = getattr(wh, name)
        assert one.__doc__ or name == "Communicator", name
        if inspect.isclass(one):
            for member, value in vars(one).items():
                if not member.startswith("_") and inspect.isfunction(value):
                    assert value.__doc__, f"{name}.{member}"


def test_stubs_name_what_is_there():
    with open(os.path.join(os.path.dirname(wh.__file__), "_core.pyi")) as stub:
        text = stub.read()
    for name, one in vars(_core).items():
        if name.startswith("_"):
            continue
        assert f"class {name}:" in text or f"def {name}(" in text, name
        if inspect.isclass(one):
            for member in vars(one):
                assert member.startswith("_") or f"def {member}(" in text, f"{name}.{member}"


def test_version():
    major, minor, patch = map(int, wh.__version__.split("."))
    assert (major, minor, patch) >= (0, 9, 0)
