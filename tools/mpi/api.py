# SPDX-License-Identifier: BSD-3-Clause
"""The table of MPI's procedures (src/mpi/api.tsv, and api_ulfm.tsv and api_removed.tsv beyond the standard) as Python
objects, with their C declarations.

A procedure with counts has two C forms: small (int) and large (`_c`, MPI_Count). The library
implements each procedure once, in a third form that both forward to ("core form"):
single counts are wide; arrays and results, whose width differs, come as void pointers and a last
argument `wide` says which width they have (1: large).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

# C type of a kind where it is not int; a pair: small and large form.
C_TYPES: dict[str, str | tuple[str, str]] = {}
for _type, _kinds in {
    "void": "BUFFER C_BUFFER C_BUFFER2 C_BUFFER3 C_BUFFER4 EXTRA_STATE EXTRA_STATE2 ATTRIBUTE_VAL_10 ATTRIBUTE_VAL "
    "LOGICAL_VOID TOOL_MPI_OBJ NOTHING",
    "char": "STRING STRING_ARRAY STRING_2DARRAY ARGUMENT_LIST",
    "MPI_Aint": "WINDOW_SIZE ALLOC_MEM_NUM_BYTES WIN_ATTACH_SIZE DISPLACEMENT DISPLACEMENT_NNI RMA_DISPLACEMENT "
    "RMA_DISPLACEMENT_NNI DISPOFFSET_SMALL LOCATION_SMALL",
    "MPI_Offset": "OFFSET",
    "MPI_Count": "DROPPED_COUNT GENERIC_DTYPE_COUNT NUM_BYTES XFER_NUM_ELEM XFER_NUM_ELEM_NNI TOOLS_TICK_COUNT",
    "MPI_T_event_cb_function": "EVENT_CB_FUNCTION",
    "MPI_T_event_free_cb_function": "EVENT_FREE_CB_FUNCTION",
    "MPI_T_event_dropped_cb_function": "EVENT_DROP_CB_FUNCTION",
    "MPI_T_enum": "TOOLS_ENUM",
    "MPI_T_source_order": "SOURCE_ORDERING",
    "MPI_T_cb_safety": "CALLBACK_SAFETY",
    "MPI_Comm": "COMMUNICATOR",
    "MPI_Datatype": "DATATYPE",
    "MPI_Errhandler": "ERRHANDLER",
    "MPI_File": "FILE",
    "MPI_Group": "GROUP",
    "MPI_Info": "INFO",
    "MPI_Message": "MESSAGE",
    "MPI_Request": "REQUEST",
    "MPI_Session": "SESSION",
    "MPI_Status": "STATUS",
    "MPI_Win": "WINDOW",
    "MPI_Op": "OPERATION",
    "MPI_T_cvar_handle": "CVAR",
    "MPI_T_pvar_handle": "PVAR",
    "MPI_T_pvar_session": "PVAR_SESSION",
    "MPI_T_event_registration": "EVENT_REGISTRATION",
    "MPI_T_event_instance": "EVENT_INSTANCE",
    "double": "WALL_TIME TICK_RESOLUTION",
}.items():
    C_TYPES.update({kind: _type for kind in _kinds.split()})
for _small, _large, _kinds in (
    ("int", "MPI_Aint", "POLYDISPLACEMENT POLYRMA_DISPLACEMENT"),
    (
        "MPI_Aint",
        "MPI_Count",
        "POLYDISPOFFSET POLYDTYPE_STRIDE_BYTES POLYDISPLACEMENT_AINT_COUNT POLYDTYPE_PACK_SIZE POLYLOCATION",
    ),
    (
        "int",
        "MPI_Count",
        "POLYDTYPE_NUM_ELEM_NNI POLYDTYPE_NUM_ELEM POLYDTYPE_NUM_ELEM_PI POLYDISPLACEMENT_COUNT POLYNUM_BYTES "
        "POLYNUM_BYTES_NNI POLYXFER_NUM_ELEM_NNI POLYXFER_NUM_ELEM POLYNUM_PARAM_VALUES",
    ),
):
    C_TYPES.update({kind: (_small, _large) for kind in _kinds.split()})

# Weights are pointers, not arrays: compilers warn of an array argument that is MPI_UNWEIGHTED, an invented address.
POINTER_KINDS = set(
    "BUFFER C_BUFFER C_BUFFER2 C_BUFFER3 C_BUFFER4 STRING EXTRA_STATE EXTRA_STATE2 ATTRIBUTE_VAL STATUS WEIGHT "
    "ATTRIBUTE_VAL_10 STRING_ARRAY FUNCTION FUNCTION_SMALL POLYFUNCTION TOOL_MPI_OBJ".split()
)

# Procedures whose small and large form behave differently beyond their widths: a
# constructor remembers which integers it was given, a callback has two types.
ALWAYS_WIDE = {
    "MPI_Type_contiguous",
    "MPI_Type_vector",
    "MPI_Type_create_hvector",
    "MPI_Type_create_resized",
    "MPI_Op_create",
    "MPI_Register_datarep",
}
# The standard has no large form of these: their counts are large anyway.
ONE_FORM = {"MPI_Psend_init", "MPI_Precv_init"}


@dataclass
class Parameter:
    name: str
    kind: str
    direction: str
    length: str | None
    flags: dict[str, str] = field(default_factory=dict)

    @property
    def poly(self) -> bool:
        return self.kind.startswith("POLY")

    @property
    def function(self) -> str | None:
        return self.flags.get("func")

    def base(self, large: bool) -> str:
        if self.function:
            return self.function + ("_c" if large and self.poly else "")
        c = C_TYPES.get(self.kind, "int")
        return c if isinstance(c, str) else c[large]

    @property
    def stars(self) -> int:
        if "value" in self.flags:
            return int(self.kind == "ARGUMENT_LIST")
        if self.kind == "STRING_2DARRAY":
            return 2
        if self.kind == "ARGUMENT_LIST":
            return 3
        if self.kind == "STRING" and self.length == "*" and "pointer" not in self.flags:
            return 0
        if self.kind in POINTER_KINDS:
            return 1
        return int((self.direction != "in" or "pointer" in self.flags) and self.length is None)

    @property
    def brackets(self) -> str:
        length = self.length
        if self.kind == "C_BUFFER4":
            return ""
        if length and ";" in length:
            return f"[][{length.split(';')[1]}]"
        if self.kind in ("STRING_ARRAY", "STRING_2DARRAY") or (
            self.kind == "STRING" and length == "*" and "pointer" not in self.flags
        ):
            return "[]"
        return "[]" if self.kind not in ("STRING", "WEIGHT") and length and "pointer" not in self.flags else ""

    @property
    def width_differs_behind_pointer(self) -> bool:
        return (self.poly and bool(self.stars or self.brackets)) or bool(self.function and self.poly)

    def declare(self, large: bool) -> str:
        if self.kind == "VARARGS":
            return "..."
        const = "const " if "const" in self.flags else ""
        return f"{const}{self.base(large)} {'*' * self.stars}{self.name}{self.brackets}"

    def declare_core(self) -> str:
        """In the core form."""
        if self.function and self.poly:
            return f"MPII_Function *{self.name}"
        if self.width_differs_behind_pointer:
            return f"{'const ' if self.direction == 'in' else ''}void *{self.name}"
        return self.declare(True)


@dataclass
class Procedure:
    name: str
    returns_kind: str
    flags: set[str]
    parameters: list[Parameter]

    @property
    def c_parameters(self) -> list[Parameter]:
        return [p for p in self.parameters if "noc" not in p.flags]

    @property
    def returns(self) -> str:
        return C_TYPES.get(self.returns_kind, "int")

    @property
    def has_large(self) -> bool:
        return any(p.poly for p in self.parameters) and self.name not in ONE_FORM and "callback" not in self.flags

    @property
    def wide(self) -> bool:
        """The core form has the argument `wide`."""
        return self.has_large and (
            self.name in ALWAYS_WIDE
            or any(p.width_differs_behind_pointer or "large" in p.flags for p in self.parameters)
        )

    @property
    def in_c_abi(self) -> bool:
        """Is a function of the C library (not a callback type, a constant, or Fortran's)."""
        f90 = any(p.kind.startswith(("F90_", "F08_")) for p in self.parameters) or self.returns_kind.startswith("F90_")
        return "c" in self.flags and not f90 and not self.flags & {"callback", "predefined"}

    def declare(self, large: bool = False, prefix: str = "") -> str:
        parameters = [p.declare(large) for p in self.c_parameters if large or "large" not in p.flags]
        name = prefix + self.name + ("_c" if large and self.has_large else "")
        return f"{self.returns} {name}({', '.join(parameters) or 'void'})"

    @property
    def bare(self) -> str:
        """Without MPI_, or MPIX_ of what is beyond the standard."""
        return self.name.split("_", 1)[1]

    @property
    def core_name(self) -> str:
        return "mpii_" + self.bare

    def declare_core(self, name: str | None = None) -> str:
        parameters = [p.declare_core() for p in self.c_parameters if p.kind != "VARARGS"] + (
            ["int wide"] if self.wide else []
        )
        return f"{self.returns} {name or self.core_name}({', '.join(parameters) or 'void'})"


def load(path: Path | None = None) -> list[Procedure]:
    folder = Path(__file__).parents[2] / "src/mpi"
    paths = [path] if path else [folder / "api.tsv", folder / "api_ulfm.tsv", folder / "api_removed.tsv"]
    procedures: list[Procedure] = []
    for line in "".join(p.read_text() for p in paths).splitlines():
        if line.startswith("#"):
            continue
        columns = line.split("\t")
        if columns[0]:
            procedures.append(Procedure(columns[0], columns[1], set(filter(None, columns[2].split(","))), []))
            continue
        _, name, kind, direction, length, flags = columns
        pairs = (flag.partition("=") for flag in flags.split(",") if flag)
        procedures[-1].parameters.append(
            Parameter(name, kind, direction, None if length == "-" else length, {k: v for k, _, v in pairs})
        )
    return procedures


def c_functions() -> list[Procedure]:
    return [p for p in load() if p.in_c_abi]
