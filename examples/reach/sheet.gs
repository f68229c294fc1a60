// A Google Sheet asks a puzzlehunt server: =PUZZLEHUNT("wordle", A1:B9), a row of the sheet for each
// guess and its clue. Paste this under Extensions, Apps Script, and name your server.
const SERVER = "https://hunt.example.org";
const PASSWORD = "";

/** The best next guess, or the `top` best. @customfunction */
function PUZZLEHUNT(game, rows, top) {
  return ask_("suggest", game, rows, `&top=${top || 1}`);
}

/** How many candidates are left, and their names. @customfunction */
function PUZZLEHUNT_LEFT(game, rows) {
  return ask_("candidates", game, rows, "");
}

function ask_(question, game, rows, more) {
  const lines = [].concat(rows || []).map((row) => [].concat(row).join("\t").trim());
  const query = `game=${encodeURIComponent(game)}&rows=${encodeURIComponent(lines.join("\n"))}`;
  const headers = PASSWORD ? { Authorization: `Bearer ${PASSWORD}` } : {};
  const address = `${SERVER}/api/v1/${question}.txt?${query}${more}`;
  return UrlFetchApp.fetch(address, { headers, muteHttpExceptions: true }).getContentText();
}
