"""The command line: commands read their options, call the library, and print its answers."""

import gc

gc.set_threshold(150_000)  # new objects before unused ones are searched: 700 is too eager
