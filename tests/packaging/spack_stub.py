# SPDX-License-Identifier: BSD-3-Clause
"""A small part of Spack's interface for recipes, so that ours can be read and carried out where there is no Spack.

`load` imports a package.py with modules of these names; the class then knows what its directives said, `Package(...)`
is one with variants chosen, whose prefix may be an installation. Names that Spack does not have are missing here, too.
"""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import types

DIRECTIVES = "version variant depends_on provides conflicts license generator requires maintainers".split()
said = []
conditions = []


class SkipTest(Exception):
    pass


class when:
    def __init__(self, condition):
        self.condition = condition

    def __enter__(self):
        conditions.append(self.condition)

    def __exit__(self, *_):
        conditions.pop()


def directive(name):
    def note(*words, **more):
        said.append((name, words, {**more, "when": " ".join([*conditions, more.get("when", "")]).strip()}))

    return note


class Prefix(str):
    """A folder whose attributes are folders below it."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Prefix(f"{self}/{name}")


class Executable:
    def __init__(self, path):
        self.path = path

    def __call__(self, *words, output=None, error=None):
        done = subprocess.run([self.path, *words], capture_output=True, text=True, check=True)
        return (done.stdout if output is str else "") + (done.stderr if error is str else "")


def check_outputs(expected, actual):
    for text in expected:
        if not re.search(text, actual):
            raise RuntimeError(f"expected {text!r} in {actual!r}")


def find_libraries(names, root, shared=True, recursive=False):
    found = [pathlib.Path(root) / f"{name}.{'so' if shared else 'a'}" for name in names]
    return [str(path) for path in found if path.exists()]


class Spec:
    """With variants, and dependencies that lie in folders by their names."""

    def __init__(self, variants, extra=()):
        self.variants = variants
        self.last_query = types.SimpleNamespace(extra_parameters=extra)

    def satisfies(self, text):
        if not re.fullmatch(r"[+~]\w+", text) or text[1:] not in self.variants:
            raise ValueError(f"the stub knows no {text}")
        return self.variants[text[1:]] == (text[0] == "+")

    def __getitem__(self, name):
        if not self.variants.get(name, True):
            raise KeyError(f"{name} is no dependency of this")
        return types.SimpleNamespace(prefix=Prefix(f"/deps/{name}"))


class EnvironmentModifications:
    def __init__(self):
        self.values = {}

    def set(self, name, value):
        self.values[name] = str(value)


class CMakePackage:
    def __init__(self, prefix="/none", extra=(), **chosen):
        known = {words[0]: more["default"] for name, words, more in said if name == "variant"}
        if set(chosen) - set(known):
            raise ValueError(f"no variants {set(chosen) - set(known)}")
        self.prefix, self.spec = Prefix(prefix), Spec({**known, **chosen}, extra)

    def __getitem__(self, name):
        return types.SimpleNamespace(cc="/usr/bin/gcc", cxx="/usr/bin/g++", fortran="/usr/bin/gfortran")

    @staticmethod
    def define(name, value):
        if isinstance(value, bool):
            return f"-D{name}:BOOL={'ON' if value else 'OFF'}"
        return f"-D{name}:STRING={value}"

    def define_from_variant(self, name, variant):
        return self.define(name, self.spec.variants[variant])


def load(file):
    """The module of the recipe. What its directives said is in `said`: name, words, and more with the condition."""
    said.clear()
    ours = {
        "spack.package": [*DIRECTIVES[:-3], "requires", "maintainers"],
        "spack_repo.builtin.build_systems.cmake": ["generator"],
    }
    names = ["spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems", *ours]
    for name in names:
        module = sys.modules[name] = types.ModuleType(name)
        module.__path__ = []
        for word in ours.get(name, ()):
            setattr(module, word, directive(word))
    for one in (SkipTest, when, Executable, check_outputs, find_libraries, Spec, EnvironmentModifications):
        setattr(sys.modules["spack.package"], one.__name__, one)
    sys.modules["spack.package"].join_path = os.path.join
    sys.modules["spack.package"].license = directive("license")
    sys.modules["spack_repo.builtin.build_systems.cmake"].CMakePackage = CMakePackage
    found = importlib.util.spec_from_file_location("package", file)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module
