// What runs inside Redis. The scripts compare and set, and know nothing about limits: the rules are in domain/gate, once.
//
// {patra}:gate            the head: generation and run (of the server) that the state belongs to, lost_at (what was sent before
//                         is unknown), resume_at (until then those who were cut off go on by themselves), and for every cell
//                         until when it is kept ("cell:NAME"), so that one that was evicted is told from one that never was
// {patra}:cell:NAME       version, generation, bytes, and of each client its last request ("by:CLIENT")
//
// All keys are declared and share a hash tag. Numbers of microseconds stay below 2^53, where Lua's are exact.
#pragma once

#include <string_view>

namespace patra::infra::redis {

inline constexpr std::string_view kHeadKey = "{patra}:gate";
inline constexpr std::string_view kCellPrefix = "{patra}:cell:";

// KEYS head cells…
// ARGV stores client request generation now early late keep_ms, then of each cell: "VERSION@GENERATION" as expected ("0@": none),
// and its new bytes. The first version of a cell is the time, so that none comes twice.
// Answers status, seconds, microseconds, the head's four fields, then of each cell: version, generation, bytes, is_missed.
// Bytes are left out where the version is as expected. Status: "stored", "done" (by this very request, before), "time" (the
// asker's clock is too far off), "changed" (decide again with this), or "read".
inline constexpr std::string_view kExchangeScript = R"lua(
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local head = redis.call('HMGET', KEYS[1], 'generation', 'run', 'lost_at', 'resume_at')
local answer = {'', time[1], time[2], head[1] or '', head[2] or '', head[3] or '', head[4] or ''}
local is_same = (head[1] or '') == ARGV[4]
for i = 2, #KEYS do
  local cell = redis.call('HMGET', KEYS[i], 'version', 'generation')
  local version = cell[1] or '0'
  local bytes, is_missed = '', '0'
  if version .. '@' .. (cell[2] or '') ~= ARGV[5 + 2 * i] then
    is_same = false
    bytes = redis.call('HGET', KEYS[i], 'bytes') or ''
  end
  if not cell[1] then
    local kept_until = redis.call('HGET', KEYS[1], 'cell:' .. KEYS[i])
    if kept_until and tonumber(kept_until) > now then is_missed = '1' end
  end
  answer[#answer + 1] = version
  answer[#answer + 1] = cell[2] or ''
  answer[#answer + 1] = bytes
  answer[#answer + 1] = is_missed
end
if ARGV[1] == '0' then answer[1] = 'read' return answer end
local by = 'by:' .. ARGV[2]
local last = redis.call('HGET', KEYS[2], by)
if last and string.match(last, '^%d+') == ARGV[3] then answer[1] = 'done' return answer end
if not is_same then answer[1] = 'changed' return answer end
local late_by = now - tonumber(ARGV[5])
if tonumber(ARGV[7]) > 0 and (late_by > tonumber(ARGV[7]) or -late_by > tonumber(ARGV[6])) then
  answer[1] = 'time'
  return answer
end
local keep = tonumber(ARGV[8])
for i = 2, #KEYS do
  local version = tonumber(string.match(ARGV[5 + 2 * i], '^%d+'))
  version = string.format('%.0f', version == 0 and now or version + 1)
  redis.call('HSET', KEYS[i], 'version', version, 'generation', ARGV[4], 'bytes', ARGV[6 + 2 * i])
  answer[4 * i] = version
  redis.call('PEXPIRE', KEYS[i], ARGV[8])
  redis.call('HSET', KEYS[1], 'cell:' .. KEYS[i], string.format('%.0f', now + keep * 1000))
end
redis.call('HSET', KEYS[2], by, ARGV[3] .. ' ' .. time[1])
if redis.call('HLEN', KEYS[2]) > 256 then
  local fields = redis.call('HGETALL', KEYS[2])
  for i = 1, #fields, 2 do
    local at = string.match(fields[i + 1], '^%d+ (%d+)$')
    if string.sub(fields[i], 1, 3) == 'by:' and at and time[1] - at > 60 then
      redis.call('HDEL', KEYS[2], fields[i])
    end
  end
end
redis.call('PEXPIRE', KEYS[1], keep * 30)
answer[1] = 'stored'
return answer
)lua";

// KEYS head
// ARGV generation and resume_at that are expected, then the new generation, run, lost_at, resume_at, and keep_ms
// Answers like the other, with the head as it is then.
inline constexpr std::string_view kHeadScript = R"lua(
local time = redis.call('TIME')
local head = redis.call('HMGET', KEYS[1], 'generation', 'resume_at')
local status = 'changed'
if (head[1] or '') == ARGV[1] and (head[2] or '') == ARGV[2] then
  redis.call('HSET', KEYS[1], 'generation', ARGV[3], 'run', ARGV[4], 'lost_at', ARGV[5], 'resume_at', ARGV[6])
  redis.call('PEXPIRE', KEYS[1], ARGV[7] * 30)
  local now = time[1] * 1000000 + time[2]
  local fields = redis.call('HGETALL', KEYS[1])
  for i = 1, #fields, 2 do
    if string.sub(fields[i], 1, 5) == 'cell:' and tonumber(fields[i + 1]) < now then
      redis.call('HDEL', KEYS[1], fields[i])
    end
  end
  status = 'stored'
end
local is = redis.call('HMGET', KEYS[1], 'generation', 'run', 'lost_at', 'resume_at')
return {status, time[1], time[2], is[1] or '', is[2] or '', is[3] or '', is[4] or ''}
)lua";

}  // namespace patra::infra::redis
