# SPDX-License-Identifier: BSD-3-Clause
"""The table of what MPT needs (tools/release/parts.tsv) has what the build, the wheel and the laboratory ask
for, and the bill of materials that is made of it is whole."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/release"))
import sbom

bad = list(sbom.missing())
bill = json.loads(sbom.bill("1.2.3", "2026-01-02T03:04:05Z", [sbom.Artifact("mpt-1.2.3.tar.gz", "0" * 64)]))
known = {"SPDXRef-DOCUMENT", *(package["SPDXID"] for package in bill["packages"])}
named = {one[key] for one in bill["relationships"] for key in ("spdxElementId", "relatedSpdxElement")}
if known != named:
    bad.append(f"the bill names these once only: {known ^ named}")
print("\n".join(bad) or f"{len(bill['packages'])} packages")
sys.exit(1 if bad else 0)
