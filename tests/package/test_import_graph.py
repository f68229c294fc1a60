"""No files import each other in a circle, be it for types alone or within a function."""

from import_graph import circles, graph


def test_no_files_import_each_other_in_a_circle():
    assert circles(graph()) == []


def test_a_circle_is_found_among_others():
    modules = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}
    assert [sorted(circle) for circle in circles(modules)] == [["b", "c"]]
