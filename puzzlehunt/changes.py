"""Changes and questions of a session, for programs.

They are values: pass a change to `Session.apply` and a question to `Session.ask`. `dump` and
`load_change` convert changes to and from JSON, the form in HTTP requests.

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
from puzzlehunt.session.changes import Question as Question
from puzzlehunt.session.changes import RecordTurns as RecordTurns
from puzzlehunt.session.changes import Redo as Redo
from puzzlehunt.session.changes import ReplaceHistory as ReplaceHistory
from puzzlehunt.session.changes import SetDoubt as SetDoubt
from puzzlehunt.session.changes import SetReadRates as SetReadRates
from puzzlehunt.session.changes import SetStrategy as SetStrategy
from puzzlehunt.session.changes import SetWordList as SetWordList
from puzzlehunt.session.changes import Undo as Undo
from puzzlehunt.session.changes import dump as dump
from puzzlehunt.session.changes import load_change as load_change
