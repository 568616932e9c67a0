"""Runs a command and writes the peak memory of its processes: launcher.py FILE COMMAND...

A process inherits the peak of the one that starts it, so the runner, which holds data, may not start
rivals itself: this small one does.
"""

import resource
import subprocess
import sys

status = subprocess.call(sys.argv[2:])
with open(sys.argv[1], "w") as file:
    file.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024))  # MiB
sys.exit(status)
