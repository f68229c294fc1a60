"""Loops compiled by numba.

Importing any of these files except `threads` loads numba, which takes a third of a second. Machine
code is stored in numba's cache, so that only the first use on a machine waits for the compiler.
"""
