import { redisScript } from "../../platform/redis.ts";

/**
 * Counts at Redis or Valkey. The server's clock alone decides, so clocks of the gateways do not matter. ARGV[1] is a JSON call:
 *
 * | op     | effect                                                                                            |
 * | ------ | ------------------------------------------------------------------------------------------------- |
 * | read   | returns 1, then used and reset (seconds) of each rule                                             |
 * | admit  | the same; counts the request if no limit is reached, else returns the number of the first, negated |
 * | settle | ends a request: the model tokens used replace those reserved                                      |
 * | renew  | prolongs the leases of running requests                                                           |
 *
 * Keys by subject: `NAME:KIND:SECONDS` is a hash of a window's buckets, with the number of the last one and the total. `NAME:running` is a sorted set
 * of running requests by the end of their leases. `NAME:reserved` is a hash of their model tokens, with the total.
 */
export const COUNT_SCRIPT = redisScript(`
local call = cjson.decode(ARGV[1])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local WINDOW, BUCKETS = 60, 61

local function advance(key, seconds)
  local size = seconds * 1000 / WINDOW
  local bucket = math.floor(now / size)
  local stored = redis.call('HMGET', key, 'bucket', 'total')
  local last, total = tonumber(stored[1]), tonumber(stored[2]) or 0
  if last == nil then return bucket, 0 end
  if bucket == last then return bucket, total end
  if bucket - last >= BUCKETS then
    redis.call('DEL', key)
    return bucket, 0
  end
  if bucket < last then
    -- The clock was set back. All of the window counts as new, so that it ends in time.
    redis.call('DEL', key)
    redis.call('HSET', key, bucket % BUCKETS, total)
  else
    for passed = last + 1, bucket do
      total = total - (tonumber(redis.call('HGET', key, passed % BUCKETS)) or 0)
      redis.call('HDEL', key, passed % BUCKETS)
    end
  end
  redis.call('HSET', key, 'bucket', bucket, 'total', total)
  redis.call('PEXPIRE', key, size * (BUCKETS + 1))
  return bucket, total
end

local function add(key, seconds, amount)
  local bucket, total = advance(key, seconds)
  redis.call('HSET', key, 'bucket', bucket, 'total', total + amount)
  redis.call('HINCRBY', key, bucket % BUCKETS, amount)
  redis.call('PEXPIRE', key, seconds * 1000 / WINDOW * (BUCKETS + 1))
end

local function reset(key, seconds, limit)
  local bucket, total = advance(key, seconds)
  local over = total + 1 - limit
  if over <= 0 then return total, 0 end
  for wait = 1, BUCKETS do
    over = over - (tonumber(redis.call('HGET', key, (bucket + wait) % BUCKETS)) or 0)
    if over <= 0 then return total, wait * seconds / WINDOW end
  end
  return total, seconds
end

local function drop(name, id)
  if redis.call('ZREM', name .. ':running', id) == 0 then return end
  local amount = tonumber(redis.call('HGET', name .. ':reserved', id)) or 0
  if amount == 0 then return end
  redis.call('HDEL', name .. ':reserved', id)
  redis.call('HINCRBY', name .. ':reserved', 'total', -amount)
end

local function hold(name, id, amount)
  local running, reserved = name .. ':running', name .. ':reserved'
  if redis.call('ZADD', running, now + call.lease, id) == 1 and amount > 0 then
    redis.call('HSET', reserved, id, amount)
    redis.call('HINCRBY', reserved, 'total', amount)
  end
  redis.call('PEXPIRE', running, call.lease * 2)
  redis.call('PEXPIRE', reserved, call.lease * 2)
end

local function sweep(name)
  local running = name .. ':running'
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', running, '-inf', now, 'LIMIT', 0, 1000)) do drop(name, id) end
  -- Longer leases were given before the clock was set back.
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', running, now + call.lease + 1000, '+inf', 'LIMIT', 0, 1000)) do
    redis.call('ZADD', running, now + call.lease, id)
  end
end

local function is_held(subject)
  for _, rule in ipairs(subject.rules) do
    if rule[1] == 'concurrent' or rule[1] == 'tokens' then return true end
  end
  return false
end

if call.op == 'renew' then
  for _, claim in ipairs(call.claims) do
    for _, name in ipairs(claim.names) do hold(name, claim.id, claim.tokens) end
  end
  return 1
end

if call.op == 'settle' then
  for _, subject in ipairs(call.subjects) do
    drop(subject.name, call.id)
    for _, rule in ipairs(subject.rules) do
      if rule[1] == 'tokens' then add(subject.name .. ':tokens:' .. rule[2], rule[2], call.used) end
    end
  end
  return 1
end

local answer, reached, number = { 1 }, 0, 0
for _, subject in ipairs(call.subjects) do
  local name, held = subject.name, is_held(subject)
  if held then sweep(name) end
  for _, rule in ipairs(subject.rules) do
    local kind, seconds, limit = rule[1], rule[2], rule[3]
    local used, wait = 0, 0
    if kind == 'concurrent' then used = redis.call('ZCARD', name .. ':running')
    else used, wait = reset(name .. ':' .. kind .. ':' .. seconds, seconds, limit) end
    if kind == 'tokens' then used = used + (tonumber(redis.call('HGET', name .. ':reserved', 'total')) or 0) end
    number = number + 1
    answer[number * 2], answer[number * 2 + 1] = used, wait
    if reached == 0 and used >= limit and (kind ~= 'images' or call.images) then reached = number end
  end
end
if call.op == 'read' then return answer end
if reached > 0 then
  answer[1] = -reached
  return answer
end
number = 0
for _, subject in ipairs(call.subjects) do
  if is_held(subject) then hold(subject.name, call.id, call.tokens) end
  for _, rule in ipairs(subject.rules) do
    local kind, seconds = rule[1], rule[2]
    local cost = 0
    if kind == 'requests' or (kind == 'images' and call.images) then
      cost = 1
      add(subject.name .. ':' .. kind .. ':' .. seconds, seconds, 1)
    elseif kind == 'concurrent' then cost = 1
    elseif kind == 'tokens' then cost = call.tokens end
    number = number + 1
    answer[number * 2] = answer[number * 2] + cost
  end
end
return answer
`);
