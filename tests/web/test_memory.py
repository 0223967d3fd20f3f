"""All threads of the service take their memory from one place, and what is large is given back."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

HEAPS = """
import ctypes, sys, threading
from web.memory import share_memory
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.fopen.restype = ctypes.c_void_p, ctypes.c_void_p
if sys.argv[2:] == ["shared"]:
    share_memory()
held = threading.Barrier(4)
def hold():
    libc.malloc(ctypes.c_size_t(10_000))
    held.wait()
threads = [threading.Thread(target=hold) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
file = ctypes.c_void_p(libc.fopen(sys.argv[1].encode(), b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
print(open(sys.argv[1]).read().count("<heap "))
"""

FREED = """
import ctypes, sys
from pathlib import Path
from web.memory import share_memory
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
if sys.argv[1:] == ["shared"]:
    share_memory()
def held():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) // 1024
def large():
    place = ctypes.c_void_p(libc.malloc(ctypes.c_size_t(24 << 20)))
    ctypes.memset(place, 1, 24 << 20)
    return place
libc.free(large())
before, place = held(), large()
libc.malloc(ctypes.c_size_t(100_000))
libc.free(place)
print(held() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries keep no memory for each thread")
def test_threads_that_begin_later_share_one_heap(tmp_path: Path) -> None:
    def heaps(*words: str) -> int:
        run = subprocess.run([sys.executable, "-c", HEAPS, f"{tmp_path}/heaps.xml", *words], capture_output=True, text=True, check=True)
        return int(run.stdout)

    assert heaps() > 1
    assert heaps("shared") == 1


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have their own ways")
def test_what_is_large_is_given_back_though_something_small_lies_behind_it() -> None:
    def held(*words: str) -> int:
        return int(subprocess.run([sys.executable, "-c", FREED, *words], capture_output=True, text=True, check=True).stdout)

    assert held() > 16
    assert held("shared") < 8
