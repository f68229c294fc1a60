-- Reads NetHack's tune from a decision tree: `lua tune.lua nethack.tree`, an answer a line.

local file, problem = io.open(arg[1] or "")
if not file or file:read("l") ~= "puzzlehunt tree 1" then
  io.stderr:write("usage: lua tune.lua nethack.tree (", problem or "this is no decision tree", ")\n")
  os.exit(1)
end

-- The tune after each sequence of answers, such as "00 11 "; the first tune after "".
local tunes, answers = {}, {}
repeat until file:read("l") == ""
for line in file:lines() do
  local depth = #line:match("^ *")
  local answer, tune = line:match("(%d*) ?(%a+)")
  if depth > 0 then
    answers[depth] = answer .. " "
  end
  tunes[table.concat(answers, "", 1, depth)] = tune
end

-- Games one after the other: print a tune, then read how many gears and tumblers move.
local path = ""
io.stdout:setvbuf("line")
print(tunes[path])
for line in io.lines() do
  local gears, tumblers = line:match("^%s*([0-5])%s+([0-5])%s*$")
  local longer = gears and path .. gears .. tumblers .. " "
  if not gears then
    io.stderr:write("expected GEARS TUMBLERS, such as 1 2\n")
  elseif gears == "5" and tumblers == "0" then
    print("found")
    path = ""
  elseif tunes[longer] then
    path = longer
  else
    print("impossible")
    path = ""
  end
  print(tunes[path])
end
