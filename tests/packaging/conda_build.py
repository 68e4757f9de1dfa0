# SPDX-License-Identifier: BSD-3-Clause
"""Run by conda.py with the Python that has rattler-build: renders the recipe; with a folder, builds and tests it there.

A channel of conda's may not be within reach, so what the recipe asks for comes from a channel of empty packages, one
for each, made here; compilers, headers and the environment are then the system's.
Usage: conda_build.py RECIPE-FOLDER [CHANNEL-FOLDER]
"""

import sys
from pathlib import Path

from rattler_build import EnvironmentIsolation, Package, RenderConfig, Stage0Recipe, VariantConfig

# Of a package by this name there is one; others have a version that satisfies all.
STUB = """
package: {{name: {name}, version: "{version}"}}
build: {{noarch: generic, script: "true"}}
"""
VERSIONS = {"sysroot_linux-64": "2.28", "python": "3.13.0"}


def rendered(recipe):
    held = Stage0Recipe.from_file(recipe / "recipe.yaml")
    return held.render(VariantConfig.from_file(recipe / "variants.yaml"), RenderConfig())


def wanted(variants):
    """Names of packages that no output is."""
    asked = [v.recipe.requirements.to_dict() for v in variants]
    names = {str(one).split()[0] for held in asked for kind in ("build", "host", "run") for one in held.get(kind, ())}
    return sorted(name for name in names if name[0] != "{" and name != "mpi")


def stubs(names, channel):
    for name in names:
        made = Stage0Recipe.from_yaml(STUB.format(name=name, version=VERSIONS.get(name, "99.0")))
        made.render(VariantConfig(), RenderConfig())[0].run_build(output_dir=channel, channels=[])


def main():
    recipe = Path(sys.argv[1])
    variants = rendered(recipe)
    for variant in variants:
        print(variant.recipe.package.name, variant.recipe.package.version, variant.recipe.build.string)
    if len(sys.argv) == 2:
        return
    channel = Path(sys.argv[2])
    stubs(wanted(variants), channel)
    for variant in variants:
        result = variant.run_build(None, channel, [channel.as_uri()], env_isolation=EnvironmentIsolation.NONE)
        for file in result.packages:
            print("built", file)
            tests = Package.from_file(file).run_tests(channel=[channel.as_uri()])
            if not all(test.success for test in tests):
                sys.exit(f"failed: {file}")


if __name__ == "__main__":
    main()
