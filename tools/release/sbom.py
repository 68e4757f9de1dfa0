# SPDX-License-Identifier: BSD-3-Clause
"""The bill of materials of a release, in SPDX 2.3's JSON: MPT's artifacts with their checksums, and what they need.

What is needed stands in parts.tsv. Nothing is copied into MPT, so each part is a tool or a library that is installed
beside it, of the version that is there: the bill tells none, but the range that a package of Python asks for.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LICENCE = "BSD-3-Clause"
MAKER = "Organization: The MPT developers"
# How a part of this role stands to MPT, as SPDX names it: PART relation MPT.
RELATIONS = {
    "build": "BUILD_TOOL_OF",
    "runtime": "RUNTIME_DEPENDENCY_OF",
    "fortran": "OPTIONAL_DEPENDENCY_OF",
    "optional": "OPTIONAL_DEPENDENCY_OF",
    "laboratory": "OPTIONAL_DEPENDENCY_OF",
    "benchmarks": "OPTIONAL_DEPENDENCY_OF",
    "wheel": "BUILD_TOOL_OF",
}


@dataclass(frozen=True)
class Part:
    name: str
    role: str
    licence: str
    debian: str
    home: str


@dataclass(frozen=True)
class Artifact:
    name: str
    sha256: str


def parts() -> list[Part]:
    lines = [line for line in (HERE / "parts.tsv").read_text().splitlines() if line and line[0] != "#"]
    return [Part(*line.split("\t")) for line in lines[1:]]


def name_of(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower()


def laboratory() -> dict[str, str]:
    """Python's packages that the laboratory asks for, by name, with what it asks for."""
    project = tomllib.loads((ROOT / "report/pyproject.toml").read_text())["project"]
    return {name_of(text): text for text in project["dependencies"]}


def missing() -> Iterator[str]:
    """What the tree asks for elsewhere and the table has not, or the other way round."""
    lines = (ROOT / "packaging/wheel/requirements.txt").read_text().splitlines()
    wheel = {name_of(line) for line in lines if line and line[0] != "#"}
    setup = re.findall(r"(?m)^(?:need|want) (\S+) ", (ROOT / "tools/setup.sh").read_text())
    asked = {"laboratory": set(laboratory()), "wheel": wheel, "Debian's": set(setup)}
    table = parts()
    listed = {role: {part.name for part in table if part.role == role} for role in ("laboratory", "wheel")}
    listed["Debian's"] = {name for part in table for name in part.debian.split() if name != "-"}
    for what, names in asked.items():
        for name in sorted(names ^ listed[what]):
            yield f"parts.tsv: {what} {name}: " + ("missing" if name in names else "nobody asks for it")


def identifier(name: str) -> str:
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(name: str, licence: str, **more: object) -> dict[str, object]:
    return {
        "SPDXID": identifier(name),
        "name": name,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        **more,
    }


def of_part(part: Part) -> dict[str, object]:
    more: dict[str, object] = {"homepage": part.home, "comment": f"{part.role}; not contained"}
    if part.role in ("laboratory", "wheel"):
        locator = f"pkg:pypi/{part.name}"
        more["externalRefs"] = [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}
        ]
        if part.name in laboratory():
            more["comment"] = f"{part.role}; not contained; wanted: {laboratory()[part.name]}"
    return package(part.name, part.licence, **more)


def of_artifact(artifact: Artifact, version: str) -> dict[str, object]:
    return package(
        artifact.name,
        LICENCE,
        versionInfo=version,
        supplier=MAKER,
        packageFileName=artifact.name,
        primaryPackagePurpose="ARCHIVE",
        checksums=[{"algorithm": "SHA256", "checksumValue": artifact.sha256}],
    )


def relation(one: str, kind: str, other: str) -> dict[str, str]:
    return {"spdxElementId": identifier(one), "relationshipType": kind, "relatedSpdxElement": identifier(other)}


def bill(version: str, created: str, artifacts: Sequence[Artifact]) -> str:
    """`created`: when the sources were committed, so that the same sources have the same bill."""
    table = parts()
    main = package("mpt", LICENCE, versionInfo=version, supplier=MAKER, primaryPackagePurpose="LIBRARY")
    main["copyrightText"] = re.findall(r"(?m)^Copyright .*$", (ROOT / "LICENSE").read_text())[0]
    relations = [relation("DOCUMENT", "DESCRIBES", "mpt")]
    relations += [relation("mpt", "DISTRIBUTION_ARTIFACT", artifact.name) for artifact in artifacts]
    relations += [relation(part.name, RELATIONS[part.role], "mpt") for part in table]
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"mpt-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/mpt-{version}-{artifacts[0].sha256[:32]}",
        "creationInfo": {"created": created, "creators": [MAKER, f"Tool: mpt-release-{version}"]},
        "packages": [
            main,
            *(of_artifact(artifact, version) for artifact in artifacts),
            *map(of_part, table),
        ],
        "relationships": relations,
    }
    return json.dumps(document, indent=2) + "\n"
