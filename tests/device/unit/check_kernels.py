#!/usr/bin/env python3
"""What nvcc makes of the copy kernel: nothing spilled but in the one for very long moves of numbers of two bytes, and no division but in
those for very long moves.

check_kernels.py NVCC SOURCE_FOLDER
"""
import os
import re
import subprocess
import sys
import tempfile


def compiled(nvcc, folder, *options):
    command = [nvcc, "-std=c++20", "--expt-relaxed-constexpr", "-O3", "-arch=sm_90", f"-I{folder}/include", f"-I{folder}/src",
               *options, os.path.join(folder, "src", "device", "cuda_device.cu")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}{done.stderr}\nnvcc failed")
    return done.stdout + done.stderr


def kernels(ptx):
    """{(is it for long moves, for copies alone, for numbers of two bytes): text} of the six entries."""
    parts = re.split(r"^(?:\.visible )?\.entry ", ptx, flags=re.M)[1:]
    kinds = [re.search(r"ILb([01])ELb([01])E.*combine_knownILb([01])E", part.split("(")[0]) for part in parts]
    return {tuple(flag == "1" for flag in kind.groups()): part for kind, part in zip(kinds, parts) if kind}


def main():
    nvcc, folder = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as place:
        report = compiled(nvcc, folder, "-Xptxas", "-v", "-c", "-o", os.path.join(place, "device.o"))
        path = os.path.join(place, "device.ptx")
        compiled(nvcc, folder, "-ptx", "-o", path)
        with open(path, encoding="utf-8") as file:
            entries = kernels(file.read())
    spills = {name: stores != "0" or loads != "0" for name, stores, loads in re.findall(
        r"Function properties for (\S+)\n.*?(\d+) bytes spill stores, (\d+) bytes spill loads", report)}
    if len(entries) != 6 or len(spills) != 6:
        sys.exit(f"this test does not find six kernels: {report}")
    divisions = re.compile(r"\b(?:div|rem)\.")
    for (is_long, _, _), text in entries.items():
        if is_long and not divisions.search(text):
            sys.exit("this test does not find the divisions that there are in the kernels for long moves")
        if not is_long and divisions.search(text):
            sys.exit("the kernel divides")
    if any(spilled and not re.search(r"ILb1ELb0E.*combine_knownILb1E", name) for name, spilled in spills.items()):
        sys.exit(f"registers are spilled: {report}")
    print("registers: " + ", ".join(re.findall(r"Used (\d+) registers", report)) + "; no spills and no divisions in kernels for usual moves")


if __name__ == "__main__":
    main()
