-- Spends calls from buckets, by the clock of Redis. buckets.ts has the same arithmetic for a single process.
-- KEYS: the buckets of the first call, then those of the second, and so on. A key holds the microsecond at which the
-- bucket is full.
-- ARGV: one text for each call. It lists for each bucket the microseconds in which one call refills, and the calls of a
-- burst.
-- Returns four numbers for each call: 1 if it passes, the position of its tightest bucket, the whole calls left in that
-- bucket, and the microseconds to wait.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local kept, moved, sizes = {}, {}, {}
local function stored(key)
  -- With "call" a key of another type would fail every call of this run.
  local text = redis.pcall('GET', key)
  -- This script writes digits only. Any other text counts as a new bucket, and the next call that passes overwrites it.
  return type(text) == 'string' and string.match(text, '^%d+$') and tonumber(text)
end
local function fullAt(key)
  kept[key] = kept[key] or stored(key) or now
  return kept[key]
end
local function keep(key, instant)
  kept[key], moved[key] = instant, true
end
local function sizesOf(text)
  if not sizes[text] then
    sizes[text] = {}
    for number in string.gmatch(text, '%d+') do table.insert(sizes[text], tonumber(number)) end
  end
  return sizes[text]
end
local answers, first = {}, 0
for call = 1, #ARGV do
  local size = sizesOf(ARGV[call])
  local buckets = #size / 2
  local lefts, eaches, afters = {}, {}, {}
  local longest, tightest = 1, 1
  for i = 1, buckets do
    local key, each = KEYS[first + i], size[2 * i - 1]
    local capacity = each * size[2 * i]
    local before = math.max(fullAt(key), now)
    if before > now + capacity then
      before = now + capacity
      keep(key, before)
    end
    eaches[i], afters[i], lefts[i] = each, before + each, now + capacity - before - each
    if lefts[i] < lefts[longest] then longest = i end
    if lefts[i] / each < lefts[tightest] / eaches[tightest] then tightest = i end
  end
  local passes, place, remaining, wait = 0, longest, 0, -lefts[longest]
  if lefts[longest] >= 0 then
    for i = 1, buckets do keep(KEYS[first + i], afters[i]) end
    passes, place, remaining = 1, tightest, math.floor(lefts[tightest] / eaches[tightest])
    wait = eaches[tightest] * (remaining + 1) - lefts[tightest]
  end
  for _, number in ipairs({ passes, place, remaining, wait }) do table.insert(answers, number) end
  first = first + buckets
end
for key in pairs(moved) do
  redis.call('SET', key, string.format('%.0f', kept[key]), 'PX', math.max(1, math.ceil((kept[key] - now) / 1000)))
end
return answers
