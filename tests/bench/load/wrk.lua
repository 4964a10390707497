-- What wrk sends and tells: `wrk … -s wrk.lua <url> -- <file> <once|turns>`. The file holds whole HTTP requests, each after a line
-- with its length in bytes. Tells FIRST with the first request, LAST with the last answer where each is sent once, and at the end
-- the figures of the run as one line of JSON.
local thread
function setup(one) thread = one end

-- Wrk asks for one before all others, to look at it.
local requests, isOnce, sent = {}, false, -1
answered, statuses = 0, {}

local function tell(line)
  io.stdout:write(line, "\n")
  io.stdout:flush()
end

function init(args)
  isOnce = args[2] == "once"
  local file = assert(io.open(args[1], "rb"))
  for length in file:lines() do requests[#requests + 1] = file:read(tonumber(length)) end
  file:close()
end

function request()
  sent = sent + 1
  if sent == 0 then return requests[1] end
  if sent == 1 then tell("FIRST") end
  -- Where all are sent, a connection sends nothing and is left open.
  if isOnce then return requests[sent] or "" end
  return requests[(sent - 1) % #requests + 1]
end

function response(status)
  answered = answered + 1
  statuses[status] = (statuses[status] or 0) + 1
  if isOnce and answered == #requests then tell("LAST") end
end

function done(summary, latency)
  local byStatus = {}
  for status, count in pairs(thread:get("statuses")) do byStatus[#byStatus + 1] = string.format('"%d":%d', status, count) end
  local errors = summary.errors
  tell(string.format('{"requests":%d,"broken":%d,"p50":%.3f,"p99":%.3f,"statuses":{%s}}', thread:get("answered"),
    errors.connect + errors.read + errors.write, latency:percentile(50) / 1000, latency:percentile(99) / 1000, table.concat(byStatus, ",")))
end
