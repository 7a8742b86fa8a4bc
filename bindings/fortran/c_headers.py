"""The C interface as Fortran declares it: structures and bind(c) interfaces, made from the headers in bindings/c/include."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools", "run"))
import c_interface  # noqa: E402

NUMBERS = {"int": "integer(c_int)", "int64_t": "integer(c_int64_t)", "uint64_t": "integer(c_int64_t)",
           "int32_t": "integer(c_int32_t)", "uint32_t": "integer(c_int32_t)", "size_t": "integer(c_size_t)",
           "double": "real(c_double)", "MPI_Fint": "integer"}
# Parameters that are not constant and point to several numbers.
LISTS = {"extents", "periodic", "coordinates", "cell", "steps", "point", "arrays", "numbers"}
# Others: patterns of functions, and the argument that is such a list.
LISTS_OF = [(re.compile(function), argument) for function, argument in [
    (r"wherry_domain_wrapped|wherry_box_difference|wherry_boxes_(?!size)\w+", "result"),
    (r"wherry_floor_plan_loads", "loads"),
    (r"wherry_owners_\w+", "owners"),
    (r"wherry_uncovered_ghosts|wherry_without_overlap|wherry_owned_values|wherry_level_ghosts", "parts")]]
# Sizes of members that are arrays.
BOUND = re.compile(r"\[(\w+)\]")


class Interface:
    def __init__(self):
        self.constants, self.handles, self.functions, self.structures, self.numbers = {}, set(), [], {}, dict(NUMBERS)
        self.callbacks = set()
        for kind, line in c_interface.declarations():
            if kind == "constant":
                name, value = line.split(" ", 1)
                if value.isdigit():
                    self.constants[name] = int(value)
            elif kind == "function":
                if not line.startswith("static inline"):
                    self.functions.append(line)
            else:
                self.read_type(line)

    def read_type(self, line):
        handle = re.fullmatch(r"typedef struct \w+\*(\w+)", line)
        callback = re.match(r"typedef \w+\*? ?\(\*(\w+)\)\(", line)
        structure = re.fullmatch(r"(?:typedef )?struct (\w+)\{(.*)\}\w*", line)
        number = re.fullmatch(r"typedef (\w+) (\w+)", line)
        if handle:
            self.handles.add(handle.group(1))
        elif callback:
            self.callbacks.add(callback.group(1))
        elif structure:
            self.structures[structure.group(1)] = structure.group(2)
        elif number and number.group(1) in self.numbers:
            self.numbers[number.group(2)] = self.numbers[number.group(1)]

    def knows(self, text):
        """Whether a structure or a function is free of MPI's types, which Fortran names otherwise."""
        return not re.search(r"\bMPI_(?!Fint)(\w+) \w|wherry_call\b", text.replace("const MPI_Info*", "const void*"))

    def member(self, text):
        """The declarations of one declaration of members."""
        function = re.search(r"\(\*(\w+)\)\(", text)
        if function:
            yield f"    type(c_funptr) :: {function.group(1)} = c_null_funptr\n"
            return
        found = re.match(r"(?:const )?(?:unsigned )?(\w+) ?(?:const)?(.*)", text)
        base, names = found.group(1), found.group(2)
        for name in names.split(","):
            pointer = "*" in name
            bounds = BOUND.findall(name)
            name = re.sub(r"\[.*|[* ]|const", "", name)
            if pointer or base in self.handles:
                declaration, initial = "type(c_ptr)", " = c_null_ptr"
            elif base in self.callbacks:
                declaration, initial = "type(c_funptr)", " = c_null_funptr"
            elif base == "char":
                declaration, initial = "character(kind=c_char)", " = c_null_char"
            elif base in self.numbers:
                declaration, initial = self.numbers[base], " = 0"
            else:
                declaration, initial = f"type(c_{base})", ""
            sizes = ", ".join(str(self.constants.get(bound, bound)) for bound in reversed(bounds))
            yield f"    {declaration} :: {name}{f'({sizes})' if sizes else ''}{initial}\n"

    def structure(self, name, members):
        lines = "".join(line for part in members.split(";") if part for line in self.member(part))
        return f"\n  type, bind(c) :: c_{name}\n{lines}  end type\n"

    def argument(self, text, function):
        """(name, declaration) of an argument of a function."""
        text = text.replace("volatile ", "")
        stars = text.count("*")
        constant = text.startswith("const ")
        found = re.fullmatch(r"(?:const )?(\w+)(?: ?const)?[* ]*(?:const)?[* ]*(\w+)", re.sub(r"\*", "* ", text).replace("  ", " "))
        base, name = found.group(1), found.group(2)
        if stars == 0:
            if base in self.handles:
                return name, "type(c_ptr), value"
            if base in self.callbacks:
                return name, "type(c_funptr), value"
            return name, f"{self.numbers[base]}, value" if base in self.numbers else f"type(c_{base}), value"
        if base == "char" and stars == 1:
            return name + "(*)", "character(kind=c_char), intent(in)"
        if stars > 1:
            return name, "type(c_ptr), value" if re.search(r"\*const\*\w+$", text) else "type(c_ptr), intent(inout)"
        if constant or base == "void":
            return name, "type(c_ptr), value"
        if base in self.handles:
            return name, "type(c_ptr), intent(inout)"
        is_list = name in LISTS or any(which.fullmatch(function) and name == one for which, one in LISTS_OF)
        several = "(*)" if is_list else ""
        # A structure may hold addresses. Without `target`, gfortran takes it that the call leaves what they name alone.
        declared = self.numbers[base] if base in self.numbers else f"type(c_{base}), target"
        return name + several, f"{declared}, intent(inout)"

    def function(self, line):
        head, arguments = re.fullmatch(r"(.*?)\((.*)\)", line).groups()
        result, name = re.fullmatch(r"(.*?)[ *]*(wherry_\w+)", head).groups()
        given = [self.argument(one, name) for one in self.split(arguments)] if arguments not in ("void", "") else []
        names = ", ".join(one.replace("(*)", "") for one, _ in given)
        lines = "".join(f"      {declaration} :: {one}\n" for one, declaration in given)
        short = "c_" + name[len("wherry_"):]
        if result == "void" and "*" not in head:
            return f"    subroutine {short}({names}) &\n      bind(c, name='{name}')\n      import\n{lines}    end subroutine\n"
        declared = "type(c_ptr)" if "*" in head else self.numbers.get(result, f"type(c_{result})")
        return (f"    function {short}({names}) &\n      bind(c, name='{name}') result(status_)\n      import\n{lines}"
                f"      {declared} :: status_\n    end function\n")

    @staticmethod
    def split(arguments):
        return [one.strip() for one in arguments.split(",")]

    def ordered(self):
        """Structures, each behind those that it has as members."""
        done, result = set(), []

        def visit(name):
            if name in done or not self.knows(self.structures[name]):
                return
            done.add(name)
            for other in re.findall(r"\bwherry_\w+\b", self.structures[name]):
                if other in self.structures:
                    visit(other)
            result.append(name)

        for name in self.structures:
            visit(name)
        return result

    def module(self, note):
        functions = [line for line in self.functions if self.knows(line)]
        return f"""{note}!> The functions and structures of the C interface, by the names that they have there, with c_ in front of structures and
!> in place of wherry_ in front of functions. docs/fortran.md says when a program uses this module.
module wherry_interface
  use, intrinsic :: iso_c_binding
  implicit none
  public
{"".join(self.structure(name, self.structures[name]) for name in self.ordered())}
  interface
    function c_strlen(text) bind(c, name='strlen') result(length)
      import
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
{wrapped("".join(self.function(line) for line in functions))}  end interface
end module
"""


def wrapped(text):
    """Long lines in two."""
    lines = []
    for line in text.splitlines():
        while len(line) > 120:
            cut = line.rindex(" ", 0, 116)
            lines.append(line[:cut] + " &")
            line = "      " + line[cut + 1:]
        lines.append(line)
    return "\n".join(lines) + "\n"
