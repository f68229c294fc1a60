"""Work shared among threads, as compiled kernels share it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlehunt.kernels.compiled.threads import parallel_for, thread_limit


@given(size=st.integers(0, 200), least=st.integers(1, 70), cores=st.integers(1, 3))
@settings(max_examples=30, deadline=None)
def test_blocks_make_up_the_whole_and_none_but_the_last_is_smaller_than_asked(size, least, cores):
    blocks = []
    with thread_limit(cores):
        parallel_for(lambda begin, end: blocks.append((begin, end)), size, least)
    blocks = sorted(block for block in blocks if block[0] < block[1])
    assert [n for begin, end in blocks for n in range(begin, end)] == list(range(size))
    assert all(end - begin >= least for begin, end in blocks[:-1])
