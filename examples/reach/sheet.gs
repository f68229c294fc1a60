// A Google Sheet asks a puzzlehunt server: =PUZZLEHUNT("wordle", A1:B9), a row of the sheet for each
// guess and its clue. Paste this under Extensions, Apps Script, and name your server.
const SERVER = "https://hunt.example.org";
const PASSWORD = "";

/** The best next guess, or the `top` best. @customfunction */
function PUZZLEHUNT(game, rows, top) {
  const answer = ask_("suggest", game, rows, `&top=${top || 1}`);
  if (answer.count === 0) return "nothing fits these rows";
  return answer.detail || answer.suggestions.map((one) => one.guess).join(", ") || "solved";
}

/** How many candidates are left, and their names. @customfunction */
function PUZZLEHUNT_LEFT(game, rows) {
  const answer = ask_("candidates", game, rows, "");
  if (answer.detail) return answer.detail;
  const codes = answer.candidates.map((one) => one.code || one);
  return `${answer.count ?? "too many to count"} left: ${codes.join(", ")}`;
}

function ask_(question, game, rows, more) {
  const lines = [].concat(rows || []).map((row) => [].concat(row).join("\t").trim());
  const query = `game=${encodeURIComponent(game)}&rows=${encodeURIComponent(lines.join("\n"))}`;
  const headers = PASSWORD ? { Authorization: `Basic ${Utilities.base64Encode(`:${PASSWORD}`)}` } : {};
  const address = `${SERVER}/api/v1/${question}?${query}${more}`;
  return JSON.parse(UrlFetchApp.fetch(address, { headers, muteHttpExceptions: true }).getContentText());
}
