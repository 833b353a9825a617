-- One request for each session of a file, in turn, because a script does not know its connection.
-- The file holds more sessions than there are connections, so that no player has two requests at once.
-- Arguments: file, number of sessions to pass over, path, and what follows the sessionID in the body.

local head, tail
local sessions = {}
local place

function init(args)
  for line in io.lines(args[1]) do sessions[#sessions + 1] = line end
  place = tonumber(args[2])
  tail = args[4]
  local bytes = #'{"sessionID":"' + #sessions[1] + #tail
  head = "POST " .. args[3] .. " HTTP/1.1\r\nHost: " .. wrk.headers["Host"]
    .. "\r\nContent-Type: application/json\r\nContent-Length: " .. bytes .. '\r\n\r\n{"sessionID":"'
end

function request()
  place = place % #sessions + 1
  return head .. sessions[place] .. tail
end

function done(summary, latency)
  local failed = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  io.write(string.format('\n{"requests":%d,"micros":%d,"failed":%d,"refused":%d,"p50Micros":%d,"p99Micros":%d}\n',
    summary.requests, summary.duration, failed, summary.errors.status, latency:percentile(50), latency:percentile(99)))
end
