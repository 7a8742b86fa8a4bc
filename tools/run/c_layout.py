"""How the structures of the C headers lie in memory, on machines with pointers of 8 bytes: whether their members fill them to the end.

A structure that begins with `struct_size` grows at its end. If it ended with unused bytes, a new member could lie in them: the size
would stay, and a program that was compiled before would pass whatever it had left there.
"""
import re

SIZES = {"char": 1, "int": 4, "int32_t": 4, "uint32_t": 4, "int64_t": 8, "uint64_t": 8, "size_t": 8, "double": 8}
MPI_HANDLE = re.compile(r"MPI_(?!Aint|Count|Fint|Offset)\w+")
STRUCTURE = re.compile(r"(?:typedef )?struct (\w+)\{(.*)\}\w*")


class Layouts:
    def __init__(self, found, handle_bytes):
        """`found`: the declarations of c_interface. `handle_bytes`: of MPI's handles, which are numbers or pointers."""
        self.handle_bytes = handle_bytes
        self.numbers, self.constants, self.structures = dict(SIZES), {}, {}
        for kind, line in found:
            number, structure = re.fullmatch(r"typedef (\w+) (\w+)", line), STRUCTURE.fullmatch(line)
            if kind == "constant":
                self.constants.update([line.split(" ", 1)])
            elif structure:
                self.structures[structure.group(1)] = structure.group(2)
            elif number and number.group(1) in self.numbers:
                self.numbers[number.group(2)] = self.numbers[number.group(1)]
            elif re.match(r"typedef (struct \w+\*\w+$|\w+\*?\(\*\w+\)\()", line):
                self.numbers[re.search(r"\(?\*(\w+)(\)\(.*)?$", line).group(1)] = 8

    def _type(self, name):
        """(bytes, alignment)"""
        if name in self.structures:
            end, alignment = self.end_of(name)
            return -(-end // alignment) * alignment, alignment
        size = self.handle_bytes if MPI_HANDLE.fullmatch(name) else self.numbers[name]
        return size, size

    def _members(self, text):
        """(bytes, alignment, how many) of each member, in order."""
        for declaration in filter(None, text.split(";")):
            if "(*" in declaration:
                yield 8, 8, 1
                continue
            base, names = re.match(r"(?:const )?(?:unsigned )?(?:struct )?(\w+) ?(.*)", declaration).groups()
            for name in names.split(","):
                count = 1
                for bound in re.findall(r"\[(\w+)\]", name):
                    count *= int(self.constants.get(bound, bound))
                yield (8, 8, count) if "*" in name else (*self._type(base), count)

    def end_of(self, structure):
        """Where the last member ends, and the alignment of the whole."""
        end, widest = 0, 1
        for size, alignment, count in self._members(self.structures[structure]):
            end = -(-end // alignment) * alignment + size * count
            widest = max(widest, alignment)
        return end, widest


def faults(found):
    result = []
    for handle_bytes in (4, 8):
        layouts = Layouts(found, handle_bytes)
        for name, members in layouts.structures.items():
            end, alignment = layouts.end_of(name)
            if members.startswith("size_t struct_size;") and end % alignment:
                result.append(f"bindings/c/include: {name} ends with {alignment - end % alignment} unused bytes where MPI's handles have "
                              f"{handle_bytes}: fill them with a member 'reserved', or a new option there does not change struct_size")
    return result
