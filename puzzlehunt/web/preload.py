"""What a worker needs in any case: loaded once, before the workers part from their parent."""

import puzzlehunt.engines.choice
import puzzlehunt.explain.certainty
import puzzlehunt.explain.conflict
import puzzlehunt.explain.review
import puzzlehunt.explain.unread
import puzzlehunt.session.conversation
import puzzlehunt.strategies.adviser
import puzzlehunt.views.conversation
import puzzlehunt.views.json
import puzzlehunt.views.page
import puzzlehunt.web.questions  # noqa: F401
