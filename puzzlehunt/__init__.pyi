"""The public names, each with its module, for type checkers and for `__init__.py`."""

from puzzlehunt import errors as errors
from puzzlehunt.channel.model import Channel as Channel
from puzzlehunt.channel.model import Lies as Lies
from puzzlehunt.channel.model import Rate as Rate
from puzzlehunt.engines import smtlib as smtlib
from puzzlehunt.engines.base import CandidateView as CandidateView
from puzzlehunt.engines.base import Count as Count
from puzzlehunt.engines.base import candidates as candidates
from puzzlehunt.errors import PuzzlehuntError as PuzzlehuntError
from puzzlehunt.explanation.remaining import NearMiss as NearMiss
from puzzlehunt.explanation.repair import Repair as Repair
from puzzlehunt.explanation.repair import Suspect as Suspect
from puzzlehunt.explanation.repair import near_misses as near_misses
from puzzlehunt.explanation.repair import repairs as repairs
from puzzlehunt.explanation.repair import suspects as suspects
from puzzlehunt.explanation.review import Partition as Partition
from puzzlehunt.explanation.review import Review as Review
from puzzlehunt.explanation.review import ReviewedTurn as ReviewedTurn
from puzzlehunt.explanation.review import UnreadMark as UnreadMark
from puzzlehunt.explanation.review import partition as partition
from puzzlehunt.explanation.review import review as review
from puzzlehunt.explanation.review import unread_marks as unread_marks
from puzzlehunt.explanation.why import Certainty as Certainty
from puzzlehunt.explanation.why import Explanation as Explanation
from puzzlehunt.explanation.why import Verdict as Verdict
from puzzlehunt.explanation.why import certain as certain
from puzzlehunt.explanation.why import conflicts as conflicts
from puzzlehunt.explanation.why import explain as explain
from puzzlehunt.explanation.why import why as why
from puzzlehunt.game.files.gamefile import games as games
from puzzlehunt.game.files.gamefile import load as load
from puzzlehunt.game.game import Game as Game
from puzzlehunt.game.history import Fact as Fact
from puzzlehunt.game.history import History as History
from puzzlehunt.game.history import Turn as Turn
from puzzlehunt.game.play import Play as Play
from puzzlehunt.lab.comparison import Comparison as Comparison
from puzzlehunt.lab.comparison import compare as compare
from puzzlehunt.lab.execution import Execution as Execution
from puzzlehunt.lab.tournament import Tournament as Tournament
from puzzlehunt.lab.tournament import run as run
from puzzlehunt.session import changes as changes
from puzzlehunt.session.codemaker import Codemaker as Codemaker
from puzzlehunt.session.codemaker import open_codemaker as open_codemaker
from puzzlehunt.session.session import Session as Session
from puzzlehunt.strategies.adviser import Advice as Advice
from puzzlehunt.strategies.adviser import suggest as suggest
from puzzlehunt.strategies.base import Suggestion as Suggestion
from puzzlehunt.strategies.position import Budget as Budget
from puzzlehunt.views.plots import plot as plot
from puzzlehunt.web.remote import connect as connect

__version__: str

# Rooms, from which other names are imported: `from puzzlehunt.rules import ScoreRule`.

def engines() -> dict[str, str]: ...
def rules() -> dict[str, str]: ...
def strategies() -> dict[str, str]: ...
