"""mpirun -n 2 python -m wherry: what the package found."""
import sys

from . import communicator, info

if sys.argv[1:] not in ([], ["info"]):
    sys.exit("usage: python -m wherry [info]")
text = info()
if communicator().rank == 0:
    print(text)
