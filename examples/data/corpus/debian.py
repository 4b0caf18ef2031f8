"""What we need of the Debian archive: lists of descriptions, and some files of some packages.

Everything goes through the machine's own apt, with its own sources (so its mirror and proxy are
respected and signatures are checked), but with package lists in a folder of ours: the system is
not changed and root is not needed.
"""
import glob
import os
import shutil
import subprocess
import tarfile

from .errors import CorpusError

_APT_HELPER = "/usr/lib/apt/apt-helper"
_DEBIAN_SOURCES = "/etc/apt/sources.list.d/debian.sources"


def check_tools():
    """Complain about a machine that is not a Debian one before anything is fetched."""
    for tool in ("apt-get", "dpkg-deb"):
        if shutil.which(tool) is None:
            raise CorpusError(
                f"'{tool}' is not on this machine: the corpus is made of Debian packages and is "
                "fetched with apt. Run this on Debian, or give the trainer a folder of your own "
                "with train.tsv, valid.tsv and test.tsv (--data DIR)"
            )


class Archive:
    """The Debian archive, seen through apt; keeps what it fetched under `folder`."""

    def __init__(self, folder):
        # apt takes a relative path to be relative to its own folders.
        self._folder = os.path.abspath(folder)
        self._lists = os.path.join(self._folder, "lists")
        self._updated = False

    def translations(self, language):
        """The path of the uncompressed list of package descriptions in `language`."""
        return self._list("Translation-" + language, f"i18n_Translation-{language}")

    def packages(self):
        """The path of the uncompressed list of all packages."""
        return self._list("Packages", "binary-*_Packages")

    def package(self, name, wanted):
        """The folder with those files of package `name` whose path the pattern `wanted` finds."""
        folder = os.path.join(self._folder, name)
        if not os.path.exists(folder):
            self._update()
            self._unpack_package(self._download(name), wanted, folder)
        return folder

    def _update(self):
        if self._updated:
            return
        print("  package lists", flush=True)
        os.makedirs(os.path.join(self._lists, "partial"), exist_ok=True)
        said = self._apt_get(["-o", "Acquire::Languages=en,de", "update"], "fetch package lists")
        # For `apt-get update` an unreachable mirror is only worth a warning.
        if not glob.glob(os.path.join(glob.escape(self._lists), "*_Packages*")):
            raise CorpusError(_failure("fetch package lists", "apt-get", said))
        self._updated = True

    def _list(self, name, pattern):
        path = os.path.join(self._folder, name)
        if not os.path.exists(path):
            self._update()
            self._unpack_list(f"_main_{pattern}", path)
        return path

    def _unpack_list(self, suffix, path):
        # The release's own list: those of later updates lack most packages.
        lists = [
            found
            for found in sorted(glob.glob(os.path.join(glob.escape(self._lists), f"*{suffix}*")))
            if "-security_" not in found and "-updates_" not in found
        ]
        if not lists:
            raise CorpusError(
                f"apt's sources offer no list named *{suffix}. Is the network reachable, and "
                "does /etc/apt name a complete Debian mirror with the section 'main'?"
            )
        with open(path + ".partial", "wb") as file:
            for found in lists:
                file.write(_run([_APT_HELPER, "cat-file", found], f"read '{found}'").stdout)
        os.replace(path + ".partial", path)

    def _download(self, name):
        print(f"  {name}", flush=True)
        downloads = os.path.join(self._folder, "downloads")
        shutil.rmtree(downloads, ignore_errors=True)
        os.makedirs(downloads)
        self._apt_get(["download", name], f"download the package '{name}'", downloads)
        found = glob.glob(os.path.join(glob.escape(downloads), name + "_*.deb"))
        if not found:
            raise CorpusError(f"apt downloaded no file for the package '{name}'")
        return found[0]

    def _unpack_package(self, package, wanted, folder):
        partial = folder + ".partial"
        shutil.rmtree(partial, ignore_errors=True)
        os.makedirs(partial)
        listing = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE)
        is_whole = True
        try:
            with listing.stdout, tarfile.open(fileobj=listing.stdout, mode="r|") as archive:
                for member in archive:
                    if member.isfile() and wanted.search(member.name):
                        archive.extract(member, partial)
        except tarfile.TarError:
            is_whole = False
        if listing.wait() != 0 or not is_whole:
            raise CorpusError(f"dpkg-deb cannot unpack '{package}': the file is damaged")
        os.replace(partial, folder)
        os.remove(package)

    def _apt_get(self, arguments, purpose, folder=None):
        options = {
            "Dir::State::lists": self._lists,
            "Dir::Cache::pkgcache": "",
            "Dir::Cache::srcpkgcache": "",
            "APT::Sandbox::User": "root",  # the default one may not enter our folder
            "Acquire::Retries": "3",
        }
        if os.path.exists(_DEBIAN_SOURCES):  # do not ask third parties for their lists
            options["Dir::Etc::sourcelist"] = _DEBIAN_SOURCES
            options["Dir::Etc::sourceparts"] = "/dev/null"
        command = ["apt-get", "-qq"]
        for key, value in options.items():
            command += ["-o", f"{key}={value}"]
        return _run(command + arguments, purpose, folder).stderr


def _failure(purpose, program, said):
    said = said.decode(errors="replace").strip() or "nothing"
    return f"cannot {purpose}. Is the network reachable? {program} said:\n{said}"


def _run(command, purpose, folder=None):
    """Run a command to its end; if it fails, say what it was for and what it said."""
    # The messages are quoted in errors and searched by the tests: always in English.
    environment = dict(os.environ, LC_ALL="C.UTF-8")
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            check=False,
        )
    except OSError as error:
        raise CorpusError(f"cannot {purpose}: '{command[0]}': {error.strerror}") from error
    if done.returncode != 0:
        raise CorpusError(_failure(purpose, command[0], done.stderr))
    return done
