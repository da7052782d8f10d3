import { createHash } from 'node:crypto';

/** A program in Lua that the server runs in one step. */
export type Script = { readonly text: string; readonly sha: string };

/** Of the layout of a record. A record of another one is unreadable. */
const format = 1;

/**
 * A kind of records has these keys below its base:
 *
 * | Key | Type | Holds |
 * |---|---|---|
 * | `:record:<owner>:<key>` | hash | the record |
 * | `:stamps:<owner>` | sorted set | the stamps of an owner's records, by key |
 * | `:sizes:<owner>` | hash | their bytes, by key |
 * | `:owners` | sorted set | the bytes of each owner |
 * | `:names` | hash | the name of each owner |
 * | `:ages` | sorted set | the stamps of all records, by owner and key |
 * | `:bytes` | string | the bytes of all records |
 * | `:aside:<owner>:<key>` | hash | for a week, an unreadable record that was replaced |
 *
 * An owner is a digest of 43 characters, because its name may be any text.
 */
const shared = `
local deadline, base, owner, key, oldest = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local owners, names, ages, total = base .. ':owners', base .. ':names', base .. ':ages', base .. ':bytes'
local function recordOf(o, k) return base .. ':record:' .. o .. ':' .. k end
local function stampsOf(o) return base .. ':stamps:' .. o end
local function sizesOf(o) return base .. ':sizes:' .. o end

-- The version at a place; nil for a missing or expired record, 'damaged' for one that we cannot have written.
local function look(o, k)
  local record = recordOf(o, k)
  local kind = redis.call('TYPE', record).ok
  local stamp = redis.call('ZSCORE', stampsOf(o), k)
  if kind == 'none' or (stamp and tonumber(stamp) <= tonumber(oldest)) then
    return nil
  end
  if kind ~= 'hash' or not stamp then
    return 'damaged'
  end
  local bytes = redis.call('HSTRLEN', record, 'summary') + redis.call('HSTRLEN', record, 'text')
  local head = redis.call('HMGET', record, 'format', 'version')
  if head[1] ~= '${format}' or not head[2] or tostring(bytes) ~= redis.call('HGET', sizesOf(o), k) then
    return 'damaged'
  end
  return head[2]
end

local function drop(o, k)
  redis.call('UNLINK', recordOf(o, k))
  redis.call('ZREM', stampsOf(o), k)
  redis.call('ZREM', ages, o .. ':' .. k)
  local bytes = redis.call('HGET', sizesOf(o), k)
  if bytes then
    redis.call('HDEL', sizesOf(o), k)
    redis.call('DECRBY', total, bytes)
    redis.call('ZINCRBY', owners, -bytes, o)
    if redis.call('EXISTS', sizesOf(o)) == 0 then
      redis.call('ZREM', owners, o)
      redis.call('HDEL', names, o)
    end
  end
end

-- The caller has reported the failure of a call that comes this late.
local function isLate()
  local now = redis.call('TIME')
  return now[1] * 1000 + now[2] / 1000 > deadline
end
`;

/** Replies with null, `damaged`, or version, digest, summary and text. */
export const getScript: Script = script(`
local version = look(owner, key)
if not version or version == 'damaged' then
  return version
end
return redis.call('HMGET', recordOf(owner, key), 'version', 'digest', 'summary', 'text')
`);

/** Replies with null, `damaged` or the version. */
export const versionScript: Script = script('return look(owner, key)');

/** Replies with `saved`, `set-aside` (saved in the place of an unreadable record), `conflict`, `full` or `late`. */
export const putScript: Script = script(`
local expected, version, stamp, name, digest = ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10]
local refuses, maxRecords, maxOwnerBytes, maxBytes = ARGV[11], tonumber(ARGV[12]), tonumber(ARGV[13]), tonumber(ARGV[14])
local summary, text = ARGV[15], ARGV[16]
local bytes = #summary + #text
if isLate() then
  return 'late'
end
for _, member in ipairs(redis.call('ZRANGE', ages, '-inf', oldest, 'BYSCORE', 'LIMIT', 0, 100)) do
  drop(string.sub(member, 1, 43), string.sub(member, 45))
end
local now = look(owner, key)
-- The first try of this call was carried out, and its reply was lost.
if now == version then
  return 'saved'
end
local record = recordOf(owner, key)
if now and now ~= 'damaged' and expected == '0' then
  local found = redis.call('HMGET', record, 'summary', 'text', 'digest')
  if redis.sha1hex(owner .. key .. #found[1] .. ':' .. found[1] .. found[2]) ~= found[3] then
    now = 'damaged'
  end
end
local isDamaged = now == 'damaged' and expected == '0'
if not isDamaged and (now or '0') ~= expected then
  return 'conflict'
end
local had = tonumber(redis.call('HGET', sizesOf(owner), key)) or 0
local count = redis.call('HLEN', sizesOf(owner)) + 1 - redis.call('HEXISTS', sizesOf(owner), key)
local ofOwner = (tonumber(redis.call('ZSCORE', owners, owner) or 0)) + bytes - had
local ofAll = (tonumber(redis.call('GET', total) or 0)) + bytes - had
if refuses == '1' and (count > maxRecords or ofOwner > maxOwnerBytes or ofAll > maxBytes) then
  return 'full'
end
if isDamaged then
  local aside = base .. ':aside:' .. owner .. ':' .. key
  redis.call('RENAME', record, aside)
  redis.call('PEXPIRE', aside, 604800000)
end
redis.call('HSET', record, 'format', '${format}', 'version', version, 'digest', digest, 'summary', summary, 'text', text)
redis.call('ZADD', stampsOf(owner), stamp, key)
redis.call('ZADD', ages, stamp, owner .. ':' .. key)
redis.call('HSET', sizesOf(owner), key, bytes)
redis.call('HSET', names, owner, name)
redis.call('ZINCRBY', owners, bytes - had, owner)
redis.call('INCRBY', total, bytes - had)

local function dropOldest(o)
  for _, k in ipairs(redis.call('ZRANGE', stampsOf(o), 0, 1)) do
    if o ~= owner or k ~= key then
      drop(o, k)
      return true
    end
  end
  return false
end
local function isOver()
  return redis.call('HLEN', sizesOf(owner)) > maxRecords or tonumber(redis.call('ZSCORE', owners, owner)) > maxOwnerBytes
end
while isOver() and dropOldest(owner) do end
while tonumber(redis.call('GET', total)) > maxBytes do
  local largest = redis.call('ZREVRANGE', owners, 0, 1)
  if not dropOldest(largest[1]) and not (largest[2] and dropOldest(largest[2])) then
    break
  end
end
return isDamaged and 'set-aside' or 'saved'
`);

/** Replies with `deleted`, `unknown` or `late`. */
export const deleteScript: Script = script(`
if isLate() then
  return 'late'
end
if not look(owner, key) then
  return 'unknown'
end
drop(owner, key)
return 'deleted'
`);

const newest = `
-- The newest readable records of an owner: key, version, bytes and summary of each.
local function newest(o, limit)
  local found, start = {}, 0
  repeat
    local keys = redis.call('ZREVRANGEBYSCORE', stampsOf(o), '+inf', '(' .. oldest, 'LIMIT', start, 100)
    for _, k in ipairs(keys) do
      local version = #found < limit and look(o, k)
      if version and version ~= 'damaged' then
        local summary = redis.call('HGET', recordOf(o, k), 'summary')
        table.insert(found, { k, version, redis.call('HGET', sizesOf(o), k), summary })
      end
    end
    start = start + 100
  until #keys < 100 or #found >= limit
  return found
end
`;

/** Replies with key, version, bytes and summary of each record. */
export const listScript: Script = script(`${newest}
return newest(owner, tonumber(ARGV[6]))
`);

/** Replies with the name of each owner of a readable record. */
export const ownersScript: Script = script(`${newest}
local found, all = {}, redis.call('HGETALL', names)
for index = 1, #all, 2 do
  if #newest(all[index], 1) > 0 then
    table.insert(found, all[index + 1])
  end
end
return found
`);

/** Replies with what `INFO` says of memory and replication. */
export const infoScript: Script = script(`return redis.call('INFO', 'memory') .. redis.call('INFO', 'replication')`);

function script(body: string): Script {
  const text = `${shared}${body}`;
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}
