"""The programs of docs/python.md run, one after the other, with the names that they take for granted, and that of the README."""
import os
import re

import numpy

import wherry as wh
from support import directory

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
MANUAL = os.path.join(ROOT, "docs", "python.md")
README = os.path.join(ROOT, "README.md")


def programs(page):
    with open(page) as text:
        return re.findall(r"```python\n(.*?)```", text.read(), re.S)


def names():
    c = wh.communicator()
    others = wh.FloorPlan(wh.cut_blocks(wh.Box((0, 0), (128, 64)), (128, 32)), [0, c.size - 1])
    mine = 10 * c.rank + numpy.arange(10)
    wanted = numpy.arange(10 * c.size)
    given = {"numpy": numpy, "comm": None, "inner": lambda u, v: None, "rim": lambda u, v: None, "nx": 0, "ny": 0,
             "my_ids": mine, "ghost_ids": [10 * ((c.rank + 1) % c.size)] if c.size > 1 else [], "my_values": 2.0 * mine,
             "positions": numpy.random.default_rng(c.rank).uniform(0, 512, (20, 2)), "particles": numpy.arange(20.0), "wanted": wanted,
             "table": 0.5 * mine, "first": 10 * c.rank, "y": others.zeros()}
    return given, c, others, wanted


def test_programs_of_the_manual():
    blocks = programs(MANUAL)
    assert len(blocks) > 5
    given, c, others, wanted = names()
    for block in blocks:
        if "velocity" in block:
            given["nx"], given["ny"] = given["g"].box.shape
        if "SparsePlan" in block:  # the manual's owners are those of the values before, and then those of the numbers
            block = block.replace("SparsePlan(owners", "SparsePlan(wanted // 10")
        if "halo.start" in block:
            given["y"] = numpy.zeros(len(given["my_ids"]) + len(given["ghost_ids"]))
        if "FloorPlan" in block:
            given["owners"] = [k % c.size for k in range(8)]
            given["y"] = others.zeros()
        if "g.particles" in block:
            given["positions"] = numpy.random.default_rng(c.rank).random((20, 2))
            given["velocities"], given["ids"] = given["positions"] - 0.5, 20 * c.rank + numpy.arange(20)
        if "write_array" in block:
            given["w"].core[...] = 3
        with directory() as path:  # where the programs have their files
            exec(compile(block.replace('("field.wh', f'("{path}/field.wh').replace('("run.wh', f'("{path}/run.wh'),
                         MANUAL, "exec"), given)
    assert given["whole"].shape == (512, 512) and (given["whole"] == 3).all() and (given["last"] == given["whole"]).all()
    assert (given["answers"] == 0.5 * wanted).all()
    assert wh.allreduce(len(given["positions"])) == 20 * c.size
    assert all((array == 1).all() for number in others.mine for array in [given["y"][number]])


def test_program_of_the_readme():
    program, = programs(README)
    names = {}
    exec(compile(program + "u.core[...] = 1\nfill(u)\n", README, "exec"), names)
    assert (names["u"].array == 1).all()
