# SPDX-License-Identifier: BSD-3-Clause
"""The join with the papers: every figure of theirs has its place, and only what measures the same stands beside it."""

import re

import pytest

from conftest import OURS, PEER, environment, laboratory, record, write
from mpt_report.runs import join, published
from mpt_report.runs.records import load_run
from mpt_report.runs.study import study
from mpt_report.tables import seeds, summary
from mpt_report.tables.table import to_text
from mpt_report.words import figure, printed


def of(tmp_path, *lines, name="mpt-a"):
    write(tmp_path / f"{name}.jsonl", [environment(), *lines])
    return study([load_run(tmp_path)])


def fact(test, metric, **params):
    return next(
        one
        for one in published.load()
        if one["test"] == test
        and one["metric"] == metric
        and all(one["params"].get(name) == value for name, value in params.items())
    )


def group(name):
    return next(one for one in join.groups() if one.id == name)


def test_every_figure_of_the_papers_is_in_a_table(one):
    """Each of them, as printed, in the table that its place in the paper says."""
    tables = [table for table, _ in seeds.all_tables(one)]
    assert len(tables) == len(join.groups()) > 35
    shown = 0
    for found, table in zip(join.groups(), tables, strict=True):
        cells = [cell for row in table.rows for cell in row]
        for item in found.facts:
            assert printed(item["value"]) in cells, (table.title, item["id"])
            shown += 1
        assert sum(cell != "" for cell in cells) >= len(found.facts)
    assert shown == sum(map(join.shown, published.load()))


def test_predictions_stand_beside_their_figures(one):
    """In rows below the machine's, in columns beside it; and only for figures that the papers have."""
    values = published.predicted()
    assert set(values) <= {item["id"] for item in published.load()}
    tables = {table.id: table for table, _ in seeds.all_tables(one)}
    barriers = to_text(tables["002/table-5"])
    assert "T3E-1200E, predicted" in barriers
    assert figure(values["p0105"]) in barriers
    partitions = next(table for table in tables.values() if "Fig. 5" in table.title or "fig-5" in table.id)
    column = partitions.header.index("T3E-900, predicted")
    assert figure(values["p0937"]) in [row[column] for row in partitions.rows]


def test_every_figure_finds_the_record_with_its_parameters(tmp_path):
    """Records seven times better than each figure must give seven in every place, and nothing else may."""
    found = of(tmp_path, *laboratory(7.0))
    here, judged, wrong = join.ours(found), 0, []
    for one in join.groups():
        for item in one.facts:
            record_of = here.one(item, one.varying)
            gain = join.gain(item, join.in_its_unit(record_of, item["unit"])) if record_of else None
            if gain is None:
                assert not item["value"] or record_of is not None, item["id"]
                continue
            judged += 1
            if abs(gain - 7.0) > 1e-6:
                wrong.append((item["id"], gain))
    assert judged > 600
    # Two machines that ran one test, or two of the paper's compiler options: both meet the better of the two records.
    twins = [told(fact) for fact in published.load()]
    assert all(twins.count(told(fact)) > 1 for fact in published.load() if fact["id"] in dict(wrong))


def told(fact):
    """What the join sees of a figure, less what names its machine."""
    params = {name: value for name, value in fact["params"].items() if name not in join.OF_THE_MACHINE}
    library = fact["library"] if fact["library"] in join.LIBRARIES else ""
    return fact["test"], fact["metric"], library, params


def test_no_two_figures_share_a_cell(one):
    for found in join.groups():
        layout = seeds.Layout(found, seeds.across(found))
        places = [(layout.key(item), item["machine"], layout.column(item)) for item in found.facts]
        assert len(set(places)) == len(places), found.label


def test_all_tables_of_all_papers_have_a_title_of_their_own(one):
    titles = [table.title for table, _ in seeds.all_tables(one)]
    assert len(set(titles)) == len(titles)
    for number in range(1, 21):
        assert any(f"T3E-1200E report, 1999. Table {number}:" in title for title in titles), number
    names = [table.id for table, _ in seeds.all_tables(one)]
    assert len(set(names)) == len(names) and {f"002/table-{number}" for number in range(1, 21)} <= set(names)


def test_records_stand_beside_what_they_measure(tmp_path):
    where = {"routine": "SGEMM", "n": 300}
    found = of(
        tmp_path,
        record("LAPACK timing program", where, "rate", "Gflop/s", 50.0, "none", "OpenBLAS"),
        record("LAPACK timing program", where, "rate", "Gflop/s", 2.0, "none", "reference"),
    )
    here = join.ours(found)
    table8 = group("002/table-8")
    best = here.one(fact("LAPACK timing program", "rate", routine="SGEMM", n=300), table8.varying)
    assert best.implementation == "OpenBLAS" and join.in_its_unit(best, "Mflop/s") == pytest.approx(50000)
    assert here.one(fact("LAPACK timing program", "rate", routine="SGEMM", n=400), table8.varying) is None
    assert here.one(fact("LAPACK timing program", "rate", routine="SGETRF", n=300), table8.varying) is None
    table, measured = seeds.table_of(table8, here, [])
    assert measured
    own = table.row("SGEMM/here")
    assert own == ["SGEMM", "OpenBLAS", "", "", "50,000", "", ""]
    published_rate = fact("LAPACK timing program", "rate", routine="SGEMM", n=300)["value"]
    better = table.row("SGEMM/gain/T3E-1200E")
    assert better[4] == f"{50000 / published_rate:.1f} x"


def test_origin_s_strides_are_answered_by_sends_as_mpi_is_set(tmp_path):
    told = {"npes": 2, "datatype": "MPI_Type_vector", "message_bytes": 2 << 20, "stride": ">=16"}
    found = of(
        tmp_path,
        record("echo with strides", told | {"mode": "buffered"}, "bandwidth_low", "MB/s", 900, "MPI"),
        record("echo with strides", told, "bandwidth_low", "MB/s", 90, "MPI"),
    )
    here = join.ours(found)
    figure3 = next(one for one in join.groups() if one.seed == "004" and one.label == "text (Fig. 3)")
    facts = [one for one in figure3.facts if one["metric"] == "bandwidth_low"]
    assert [one["params"]["threads_per_node"] for one in facts] == [1, 2]
    assert [here.one(one, figure3.varying).value for one in facts] == [90, 90]


def test_reference_library_stands_beside_the_best(tmp_path):
    def rate(by, value):
        where = {"routine": "SGEMM", "n": 2000, "by": by}
        return record("BLAS asymptotic", where, "rate", "Mflop/s", value, "libraries", "")

    found = of(tmp_path, rate("OpenBLAS", 30000), rate("reference", 40000))  # even where it is faster
    table = next(one for one in seeds.tables(found, only_measured=True) if one.id == "002/table-7")
    cells = [table.cell("SGEMM/2000", column) for column in ("here", "by", "other/reference")]
    assert cells == ["30,000", "OpenBLAS", "40,000"]


def test_compiler_options_meet_their_like(tmp_path):
    def mean_of(options, language, value):
        where = {"options": options, "language": language, "samples": 72}
        return record("LFK", where, "geometric_mean", "Mflop/s", value, "compiler", "gcc")

    found = of(
        tmp_path,
        mean_of("gcc -O2", "C", 1),
        mean_of("gfortran -O2", "Fortran", 2),
        mean_of("gfortran -O3", "Fortran", 3),
        mean_of("gfortran -O3 -march=native", "Fortran", 40),
        mean_of("gfortran -O3 -funroll-loops", "Fortran", 4),
        mean_of("gfortran -O3 -funroll-loops -fmodulo-sched", "Fortran", 7),
        mean_of("gfortran -O3 -funroll-loops -fmodulo-sched -malign-data=cacheline", "Fortran", 8),
        mean_of("gfortran -Ofast -floop-nest-optimize", "Fortran", 9),
        mean_of("gfortran -Ofast", "Fortran", 5),
        mean_of("gcc -O3, kernels 3 and 13 by hand", "C", 6),
    )
    here = join.ours(found)
    by_options = {
        one["params"]["options"]: here.one(one, ()).value
        for one in published.load()
        if one["test"] == "LFK" and one["metric"] == "geometric_mean"
    }
    assert by_options.pop("f90 -O2") == 2 and by_options.pop("f90 -dp -O3") == 3
    assert by_options.pop("f90 -dp -O3,unroll2") == 4 and by_options.pop("f90 -dp -O3,unroll2,pipeline2") == 7
    assert by_options.pop("f90 -dp -O3,unroll2,pipeline2 -a pad") == 8
    assert by_options.pop("f90 -dp -O3,unroll2,pipeline2,split2 -lmfastv") == 9
    assert by_options.pop("f90 -dp -O3,unroll2,pipeline2 -lmfastv") == 5
    assert [value for options, value in by_options.items() if options.startswith("hand")] == [6]


def test_a_library_that_still_exists_answers_for_itself_only(tmp_path):
    found = of(
        tmp_path,
        record("SYNCH1", {"npes": 2}, "barrier_time", "us", 0.3, "MPI"),
        record("SYNCH1", {"npes": 2, "call": "pvm_barrier"}, "barrier_time", "us", 0.4, "PVM"),
    )
    here, table5 = join.ours(found), group("002/table-5")
    by_library = {one["library"]: here.one(one, table5.varying) for one in table5.facts if one["params"]["npes"] == 2}
    assert by_library["MPI"].value == 0.3 and by_library["PVM"].value == 0.4 and by_library["SHMEM"] is None


def test_pe_counts_of_ours_get_columns_of_their_own(tmp_path):
    found = of(
        tmp_path, *(record("NPB EP", {"cls": "A", "npes": npes}, "rate_per_pe", "Mflop/s", 100.0) for npes in (1, 2))
    )
    table, measured = seeds.table_of(group("002/table-16"), join.ours(found), [])
    assert measured and table.header[:5] == ["test", "figure", "system", "1 PE", "2 PEs"]
    assert any(row[2] == OURS and row[3:5] == ["100.0", "100.0"] for row in table.rows)
    other, _ = seeds.table_of(group("002/table-17"), join.ours(found), [])
    assert not any(OURS in row for row in other.rows)  # class B was not measured


def test_load_and_networks_do_not_count(tmp_path):
    found = of(
        tmp_path,
        record("barrier", {"npes": 2, "burner": True}, "barrier_time", "us", 1.0),
        record("barrier", {"npes": 2, "network": "tcp, 1 host"}, "barrier_time", "us", 2.0),
    )
    assert join.ours(found).index == {}


def test_gain_needs_a_direction():
    assert join.gain(fact("barrier", "barrier_time", npes=2), 0.1) > 1
    assert join.gain(fact("LFK", "checksum"), 1.0) is None
    assert join.gain(fact("STREAM", "bandwidth"), None) is None


def test_summary_has_all_ratios(both):
    table = summary.table(both)
    cells = dict(zip(table.columns, table.row("ping_pong"), strict=True))
    assert cells["here"] == "125.0 ns"
    assert cells[f"peer/{PEER}"] == "4.00 x"
    assert cells["limit"] == "1.12 x"  # of 100 ns: the mean of 125 and the shortest, 100
    then = [3.433507 / 0.2, 1.629012 / 0.1, 2.076176 / 0.125, 64 / 3.853237]
    mean = (then[0] * then[1] * then[2] * then[3]) ** 0.25
    assert cells["papers"] == f"T3D {mean:.1f} x"
    barrier = table.row("barrier")
    assert barrier[-1].startswith("T3D ") and ", J90 " in barrier[-1]
    assert "Every test against" in to_text(table)


def test_geometric_mean():
    assert summary.mean([2.0, 8.0]) == pytest.approx(4.0)
    assert summary.mean([None, 0, 3.0]) == pytest.approx(3.0)
    assert summary.mean([None]) is None


def test_names_of_parameters_are_written_for_readers(one):
    headings = [cell for table, _ in seeds.all_tables(one) for cell in table.header]
    assert [cell for cell in headings if re.search("[a-z]_[a-z]", cell)] == []
    assert "message, bytes" in headings and "threads per node" in headings
