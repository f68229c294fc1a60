"""Changes and questions of a session, for programs.

They are values: pass a change to `Session.apply` and a question to `Session.answer`. `dump`,
`load_change` and `load_question` convert them to and from JSON, the form in files and HTTP
requests.

>>> import puzzlehunt
>>> from puzzlehunt import changes
>>> session = puzzlehunt.Session("4x6")
>>> _ = session.apply(changes.RecordTurns((session.game.parse_turn("AABB 1b"),)))
>>> len(session.history), changes.dump(session.game, changes.Undo())
(1, {'steps': 1, 'kind': 'undo'})
"""

from puzzlehunt.session.changes import AddFact as AddFact
from puzzlehunt.session.changes import AddMarks as AddMarks
from puzzlehunt.session.changes import Change as Change
from puzzlehunt.session.changes import Clear as Clear
from puzzlehunt.session.changes import DropRow as DropRow
from puzzlehunt.session.changes import EditRows as EditRows
from puzzlehunt.session.changes import RecordTurns as RecordTurns
from puzzlehunt.session.changes import Redo as Redo
from puzzlehunt.session.changes import ReplaceHistory as ReplaceHistory
from puzzlehunt.session.changes import SetDoubt as SetDoubt
from puzzlehunt.session.changes import SetReadRates as SetReadRates
from puzzlehunt.session.changes import SetStrategy as SetStrategy
from puzzlehunt.session.changes import SetWordList as SetWordList
from puzzlehunt.session.changes import Undo as Undo
from puzzlehunt.session.codec import dump as dump
from puzzlehunt.session.codec import load_change as load_change
from puzzlehunt.session.codec import load_question as load_question
from puzzlehunt.session.questions import Candidates as Candidates
from puzzlehunt.session.questions import Certain as Certain
from puzzlehunt.session.questions import Conflicts as Conflicts
from puzzlehunt.session.questions import Explain as Explain
from puzzlehunt.session.questions import Export as Export
from puzzlehunt.session.questions import Legend as Legend
from puzzlehunt.session.questions import Question as Question
from puzzlehunt.session.questions import RateGuess as RateGuess
from puzzlehunt.session.questions import ReadRates as ReadRates
from puzzlehunt.session.questions import Repairs as Repairs
from puzzlehunt.session.questions import ReviewGuesses as ReviewGuesses
from puzzlehunt.session.questions import Status as Status
from puzzlehunt.session.questions import Suggest as Suggest
from puzzlehunt.session.questions import Suspects as Suspects
from puzzlehunt.session.questions import Unread as Unread
from puzzlehunt.session.questions import Why as Why
