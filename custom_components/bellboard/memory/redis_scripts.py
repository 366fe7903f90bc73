"""What Redis does in one step each, in its own language.

A key of another type, or with a value that is no task, belongs to somebody else.
"""

GET = """
local function read(key, most)
  local length = redis.pcall('STRLEN', key)
  if type(length) ~= 'number' or length > tonumber(most) then return false end
  local value = redis.pcall('GET', key)
  return type(value) == 'string' and value
end
local id = read(KEYS[1], ARGV[2])
return id and read('task:' .. id, ARGV[1])
"""
"""Return the newest task of the session at KEYS[1]: at most ARGV[1] bytes, its id at most ARGV[2]."""

GET_ALL = """
local found = {}
for place, key in ipairs(KEYS) do
  local length = redis.pcall('STRLEN', key)
  local value = false
  if type(length) == 'number' and length <= tonumber(ARGV[1]) then
    value = redis.pcall('GET', key)
  end
  found[place] = type(value) == 'string' and value
end
return found
"""
"""Return what is at each of KEYS, and nothing for what has more than ARGV[1] bytes or is no text."""

SAVE = """
local json, ttl, id, held_since = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
if held_since ~= '' then
  local newest = redis.pcall('GET', KEYS[2])
  local kept = type(newest) == 'string' and redis.pcall('GET', 'task:' .. newest)
  local known, task = pcall(cjson.decode, type(kept) == 'string' and kept or '')
  if known and type(task) == 'table' and type(task.status) == 'table'
      and type(task.status.timestamp) == 'string' and task.status.timestamp > held_since then
    return id
  end
end
redis.call('SET', KEYS[1], json, 'EX', ttl)
redis.call('SET', KEYS[2], id, 'EX', ttl)
if KEYS[3] then redis.call('DEL', KEYS[3]) end
return id
"""
"""Keep the task ARGV[1] with id ARGV[3] at KEYS[1] and as newest of its session at KEYS[2].

Both expire after ARGV[2] seconds. KEYS[3] is of the task it follows, if any. What was held back
since ARGV[4], a timestamp, gives way to what somebody else wrote meanwhile. Return the id: that it was read.
"""

FORGET = """
local id = redis.pcall('GET', KEYS[1])
if type(id) ~= 'string' then return 0 end
local kept = redis.pcall('GET', 'task:' .. id)
local known, task = pcall(cjson.decode, type(kept) == 'string' and kept or '')
if not known or type(task) ~= 'table' or task.id ~= id then return 0 end
if task.sessionId == ARGV[1] then redis.call('DEL', 'task:' .. id) end
return redis.call('DEL', KEYS[1])
"""
"""Delete the session ARGV[1], whose newest task is at KEYS[1]; return how many that were."""
