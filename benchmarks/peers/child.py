"""A rival in a process of its own: python -m peers.child RIVAL TASK FOLDER THREADS.

Protocol: it reads the data and says "ready". Each line "SETTING OUTPUT" on standard input is a run:
it says "ran SECONDS" when the rival is done and "done" when the models are in the file OUTPUT, which
is not written when it is "-".
"""

import os
import sys

from . import models, rivals
from .dataset import Dataset


def main():
    name, task, folder, threads = sys.argv[1:]
    rival, dataset = rivals.by_name(name), Dataset(folder)
    command = rival.command(task, dataset, int(threads))
    if command:
        os.execvp(command[0], command)
    replies = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what a library prints goes to the log
    run = rival.load(task, dataset, int(threads))
    replies.write("ready\n")
    for line in sys.stdin:
        setting, output = line.split()
        seconds, answer = run(setting)
        replies.write(f"ran {seconds}\n")
        if output != "-":
            models.write(output, answer())
        replies.write("done\n")


if __name__ == "__main__":
    main()
