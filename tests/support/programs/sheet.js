// Prints what custom functions of a sheet return, as JSON: node sheet.js SHEET.gs SERVER CALLS, where
// CALLS is JSON, too: [[FUNCTION, ARGUMENT, ...], ...].
// UrlFetchApp is as Google's: it waits for the answer, and throws at a status that is not muted.
const { execFileSync } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { runInThisContext } = require("node:vm");

const [file, server, calls] = process.argv.slice(2);
const ASK = `fetch(process.argv[1], { headers: JSON.parse(process.argv[2]) }).then(async (answer) =>
  console.log(JSON.stringify([answer.status, await answer.text()])))`;

globalThis.UrlFetchApp = {
  fetch(address, { headers = {}, muteHttpExceptions = false } = {}) {
    const asked = execFileSync(process.execPath, ["-e", ASK, address, JSON.stringify(headers)]);
    const [status, text] = JSON.parse(asked);
    if (status >= 400 && !muteHttpExceptions) throw new Error(`Request failed: code ${status}`);
    return { getContentText: () => text, getResponseCode: () => status };
  },
};
runInThisContext(readFileSync(file, "utf8").replace("https://hunt.example.org", server));
const cells = JSON.parse(calls).map(([name, ...given]) => globalThis[name](...given));
console.log(JSON.stringify(cells));
