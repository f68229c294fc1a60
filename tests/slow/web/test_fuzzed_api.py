"""The API under requests that schemathesis makes of its own description."""

from collections.abc import Iterator

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from servers import ServerProcess

_ENDLESS = "/api/v1/boards/{board}/events"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    server = ServerProcess(tmp_path_factory.mktemp("boards"), "2x3", "--boards", "20")
    yield server
    server.stop()


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_whatever_is_asked_is_answered_or_refused_in_a_sentence(
    server: ServerProcess, mode: GenerationMode
) -> None:
    schema = schemathesis.openapi.from_url(server.url("/api/openapi.json"))
    board = server.addresses["2x3"].rpartition("/")[2]
    operations = [one.ok() for one in schema.get_all_operations()]
    assert len(operations) > 25
    counts = {"answered": 0, "refused": 0}
    checks = [not_a_server_error, status_code_conformance, content_type_conformance,
              response_schema_conformance, negative_data_rejection]  # fmt: skip

    for operation in operations:
        if operation.path == _ENDLESS:
            continue

        @settings(
            max_examples=6,
            derandomize=True,
            deadline=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def ask(case: schemathesis.Case) -> None:
            if "board" in case.path_parameters and len(str(case.path_parameters)) % 4:
                case.path_parameters["board"] = board
            answer = case.call(timeout=30)
            used = [one for one in checks if one is not negative_data_rejection]
            case.validate_response(answer, checks=used)
            if answer.status_code < 400:
                counts["answered"] += 1
            else:
                counts["refused"] += 1
                sentence = answer.json()["detail"]
                assert sentence
                assert "\n" not in sentence
                assert "Traceback" not in sentence

        try:
            ask()
        except Exception as error:
            raise AssertionError(f"{operation.label}: {error}") from error

    assert counts["refused"] > 20
    alive = httpx.get(server.api("2x3"), timeout=20)
    assert alive.status_code == 200
    assert "Traceback" not in server.folder.with_suffix(".log").read_text()
