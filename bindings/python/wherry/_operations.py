"""Operations that combine elements: numpy's functions, Python's, mpi4py's, or their names."""
import operator

import numpy

from ._errors import refuse

NAMES = ("add", "multiply", "minimum", "maximum", "bitwise_and", "bitwise_or", "bitwise_xor", "logical_and", "logical_or")
_OTHER_NAMES = {"sum": "add", "prod": "multiply", "min": "minimum", "max": "maximum"}
_FUNCTIONS = {getattr(numpy, name): name for name in NAMES}
_FUNCTIONS.update({sum: "add", min: "minimum", max: "maximum", operator.add: "add", operator.mul: "multiply",
                   operator.and_: "bitwise_and", operator.or_: "bitwise_or", operator.xor: "bitwise_xor"})
_OF_MPI = {"SUM": "add", "PROD": "multiply", "MIN": "minimum", "MAX": "maximum", "BAND": "bitwise_and", "BOR": "bitwise_or",
           "BXOR": "bitwise_xor", "LAND": "logical_and", "LOR": "logical_or"}


def name_of(operation, where, argument):
    """The name of an operation in the library; empty for None."""
    if operation is None:
        return ""
    if isinstance(operation, str):
        name = _OTHER_NAMES.get(operation, operation)
        if name in NAMES:
            return name
    else:
        try:
            if operation in _FUNCTIONS:
                return _FUNCTIONS[operation]
        except TypeError:
            pass
        from ._mpi import MPI
        if MPI is not None and isinstance(operation, MPI.Op):
            for theirs, ours in _OF_MPI.items():
                if operation == getattr(MPI, theirs):
                    return ours
    known = ", ".join("numpy." + name for name in NAMES)
    return refuse(where, f"'{argument}' is {operation!r}, expected one of {known}")
