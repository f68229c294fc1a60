"""What is read of files that others have written: regular ones, of bounded size."""

import os
from pathlib import Path

import pytest

from puzzlehunt.codes.files import read_bytes
from puzzlehunt.errors import WordListError


def test_a_file_is_read_whole_up_to_the_size_that_is_allowed(tmp_path: Path) -> None:
    file = tmp_path / "list"
    file.write_bytes(b"12345678")
    assert read_bytes(file, 8, WordListError) == b"12345678"
    with pytest.raises(WordListError, match="larger than 0 MB"):
        read_bytes(file, 7, WordListError)


@pytest.mark.skipif(os.name != "posix", reason="there are no such files")
def test_what_has_no_end_or_nobody_writes_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(WordListError, match=r"not a regular file|larger than"):
            read_bytes(path, 1000, WordListError)
    assert read_bytes(Path(os.devnull), 1000, WordListError) == b""


@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="pipes have no names")
def test_a_pipe_that_the_shell_opened_is_read(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.write(writer, b"ACE")
    os.close(writer)
    assert read_bytes(Path(f"/dev/fd/{reader}"), 1000, WordListError) == b"ACE"
    os.close(reader)
