#!/usr/bin/env python3
"""Runs a libFuzzer program for some seconds over a corpus that another program writes.

run_fuzzer.py --seconds N --corpus PROGRAM [--fuzzer PROGRAM] [--keep FOLDER]; without a fuzzer it says why and is skipped.
"""
import argparse
import os
import subprocess
import sys
import tempfile

SKIPPED = 77


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--fuzzer", default="")
    parser.add_argument("--keep", default="", help="where an input that fails is kept")
    options = parser.parse_args()
    if not options.fuzzer:
        print("skipped: this compiler has no libFuzzer, or nothing is built with the address sanitizer (preset asan)")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        corpus = os.path.join(folder, "corpus")
        os.mkdir(corpus)
        subprocess.run([options.corpus, corpus], check=True, timeout=60)
        files = len(os.listdir(corpus))
        keep = options.keep or folder
        os.makedirs(keep, exist_ok=True)
        # The limits are part of the test: no file may make us take more memory, or time, than it deserves.
        command = [options.fuzzer, corpus, f"-max_total_time={options.seconds}", "-max_len=20000", "-timeout=20",
                   "-malloc_limit_mb=64", "-rss_limit_mb=3000", "-print_final_stats=1",
                   f"-artifact_prefix={keep}{os.sep}"]
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                             timeout=options.seconds + 200, check=False)
        executed = [line for line in run.stdout.splitlines() if line.startswith("stat::number_of_executed_units:")]
        count = int(executed[-1].split(":")[-1]) if executed else 0
        if run.returncode or count < files:
            print(run.stdout[-8000:])
            print(f"FAILED: status {run.returncode}; the input is kept in {keep}")
            return 1
        print(f"{files} files of the corpus, {count} inputs in {options.seconds} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
