"""What all objects have in common: they cannot be pickled."""
from . import _core
from ._array_files import ArraySeries
from ._field import Field
from ._ghosts import Ghosts
from ._grid import Grid
from ._particles import ParticleExchange


def _refuse_pickle(self, *_):
    raise TypeError(f"a wherry.{type(self).__name__} belongs to the ranks that made it and cannot be pickled or copied: "
                    "send its arrays instead")


for _kind in (_core.Communicator, _core.Exchange, _core.ProcessGrid, Field, Grid, ParticleExchange, Ghosts, ArraySeries):
    _kind.__reduce_ex__ = _refuse_pickle
