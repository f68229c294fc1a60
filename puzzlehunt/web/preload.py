"""What a worker needs in any case: loaded once, before the workers part from their parent."""

import puzzlehunt.engines.choice
import puzzlehunt.explanation.certainty
import puzzlehunt.explanation.conflict
import puzzlehunt.explanation.review
import puzzlehunt.explanation.unread
import puzzlehunt.session.conversation
import puzzlehunt.strategies.adviser
import puzzlehunt.views.conversation
import puzzlehunt.views.json
import puzzlehunt.views.page
import puzzlehunt.web.questions  # noqa: F401
