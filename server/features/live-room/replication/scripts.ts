import { script } from '../../../redis/script.ts'
import { MODERATORS_EXPIRY_MS } from './moderators-elsewhere.ts'

// Each script runs atomically in Redis, and uses the clock of Redis.

/** Milliseconds after which Redis forgets the streams of a server that crashed. */
export const STREAMS_EXPIRY_MS = 15_000

/** Milliseconds for which Redis keeps a room that no server has in memory. */
export const ROOM_EXPIRY_MS = 3_600_000

const TIME = `
  local function now()
    local time = redis.call('TIME')
    return time[1] * 1000 + math.floor(time[2] / 1000)
  end
`

/**
 * Identifies the data set of this Redis. A replica that takes over has another id, since it may lack the last writes.
 * Empty if the Redis user may not run INFO.
 */
const HISTORY = `
  local function history()
    local info = redis.pcall('INFO', 'replication')
    return type(info) == 'string' and string.match(info, 'master_replid:(%x+)') or ''
  end
`

/** Appends an entry to the log, unless the room has begun again. */
const APPEND = `
  local function append(log, room, epoch, own, change, signature, ...)
    if redis.call('HGET', room, 'epoch') ~= epoch then return redis.error_reply('EPOCH the room has begun again') end
    local number = redis.call('HINCRBY', room, 'changes', 1)
    redis.call('XADD', log, 'MAXLEN', '~', 5000, '*', 'number', number, 'own', own, 'change', change, 'signature', signature, ...)
    if number == 1 then redis.call('PEXPIRE', log, ${ROOM_EXPIRY_MS}) end
    return 1
  end
`

/** Keys: log, room. Arguments: epoch, id of the change, change, signature. */
export const appendChange = script(`${APPEND} return append(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3], ARGV[4])`)

/**
 * Keys: log, room, seen. Arguments: epoch, id of the change, the whole change, its signature, how the change begins and
 * ends, and for each phone its part of the change, its id and the milliseconds of its assumed silence. Omits phones
 * that sent a heartbeat since. Returns 0 if none is left.
 */
export const appendSilent = script(`${TIME} ${APPEND}
  local silent = {}
  for at = 7, #ARGV, 3 do
    local seen = redis.call('ZSCORE', KEYS[3], ARGV[at + 1])
    if not seen or now() - seen + 1000 > tonumber(ARGV[at + 2]) then silent[#silent + 1] = ARGV[at] end
  end
  if #silent == 0 then return 0 end
  local change = ARGV[5] .. table.concat(silent, ',') .. ARGV[6]
  return append(KEYS[1], KEYS[2], ARGV[1], ARGV[2], change, ARGV[4], 'proposal', ARGV[3])
`)

/** Keys: seen. Arguments: ids of phones that sent a heartbeat. */
export const recordHeartbeats = script(`${TIME}
  for _, id in ipairs(ARGV) do redis.call('ZADD', KEYS[1], now(), id) end
  return redis.call('PEXPIRE', KEYS[1], 3600000)
`)

/** Keys: seen. Arguments: ids of phones. Returns the milliseconds since each one's last heartbeat, or nil. */
export const readSilences = script(`${TIME}
  local silences = {}
  for at, id in ipairs(ARGV) do
    local seen = redis.call('ZSCORE', KEYS[1], id)
    silences[at] = seen and now() - seen
  end
  return silences
`)

/** Keys: streams of one server, servers. Arguments: the server, ids of phones. Replaces the server's phones. */
export const replaceStreams = script(`${TIME}
  redis.call('DEL', KEYS[1])
  for at = 2, #ARGV do redis.call('SADD', KEYS[1], ARGV[at]) end
  redis.call('PEXPIRE', KEYS[1], ${STREAMS_EXPIRY_MS})
  redis.call('ZADD', KEYS[2], now(), ARGV[1])
  redis.call('PEXPIRE', KEYS[2], ${STREAMS_EXPIRY_MS})
  return redis.call('ZREMRANGEBYSCORE', KEYS[2], 0, now() - ${STREAMS_EXPIRY_MS})
`)

/** Keys: streams of one server, servers. Arguments: the server, ids of phones. Adds to the server's phones. */
export const addStreams = script(`${TIME}
  redis.call('SADD', KEYS[1], unpack(ARGV, 2))
  redis.call('PEXPIRE', KEYS[1], ${STREAMS_EXPIRY_MS})
  redis.call('ZADD', KEYS[2], now(), ARGV[1])
  return redis.call('PEXPIRE', KEYS[2], ${STREAMS_EXPIRY_MS})
`)

/** Keys: the streams of each server. Arguments: ids of phones. Returns how many of these have a stream. */
export const countStreams = script(`
  local count = 0
  for _, id in ipairs(ARGV) do
    for _, key in ipairs(KEYS) do
      if redis.call('SISMEMBER', key, id) == 1 then
        count = count + 1
        break
      end
    end
  end
  return count
`)

/**
 * Keys: moderators. Arguments: the server, and its signed list or ''. Returns the servers and their lists, without those
 * that have told nothing for a while.
 */
export const exchangeModerators = script(`${TIME}
  if ARGV[2] == '' then
    redis.call('HDEL', KEYS[1], ARGV[1])
  else
    redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f ', now()) .. ARGV[2])
  end
  local told = {}
  local all = redis.call('HGETALL', KEYS[1])
  for at = 1, #all, 2 do
    local time, text = string.match(all[at + 1], '^(%d+) (.*)$')
    if time and now() - time < ${MODERATORS_EXPIRY_MS} then
      told[#told + 1] = all[at]
      told[#told + 1] = text
    else
      redis.call('HDEL', KEYS[1], all[at])
    end
  end
  redis.call('PEXPIRE', KEYS[1], ${MODERATORS_EXPIRY_MS})
  return told
`)

/**
 * Keys: log, room, snapshot. Returns the epoch ('' if there is none) and its number of changes. Adds the position,
 * number, senders, text and signature of the snapshot, if the log continues from it and the epoch began in this Redis's
 * history.
 */
export const readRoomSnapshot = script(`${HISTORY}
  local epoch = redis.call('HGET', KEYS[2], 'epoch') or ''
  local changes = redis.call('HGET', KEYS[2], 'changes') or '0'
  local snapshot = redis.call('HMGET', KEYS[3], 'epoch', 'position', 'number', 'senders', 'text', 'signature')
  if snapshot[1] ~= epoch then return {epoch, changes} end
  local here = history()
  if (redis.call('HGET', KEYS[2], 'history') or here) ~= here then return {epoch, changes} end
  local oldest = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
  if oldest and tonumber(oldest[2][2]) > snapshot[3] + 1 then return {epoch, changes} end
  return {epoch, changes, snapshot[2], snapshot[3], snapshot[4], snapshot[5], snapshot[6]}
`)

/**
 * Keys: log, room, snapshot. Arguments: the epoch that was found, or ''; the new epoch; the position, number, senders,
 * text and signature of its snapshot.
 */
export const startEpoch = script(`${HISTORY}
  if (redis.call('HGET', KEYS[2], 'epoch') or '') ~= ARGV[1] then return 0 end
  redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
  redis.call('HSET', KEYS[2], 'epoch', ARGV[2], 'changes', 0, 'history', history())
  redis.call('HSET', KEYS[3], 'epoch', ARGV[2], 'position', ARGV[3], 'number', ARGV[4],
    'senders', ARGV[5], 'text', ARGV[6], 'signature', ARGV[7])
  redis.call('PEXPIRE', KEYS[2], ${ROOM_EXPIRY_MS})
  redis.call('PEXPIRE', KEYS[3], ${ROOM_EXPIRY_MS})
  return 1
`)

/**
 * Keys: room, snapshot, log. Arguments: epoch, position, number, senders, text, signature, and '1' to remove the log's
 * entries before the position. Keeps the newer snapshot.
 */
export const storeRoomSnapshot = script(`
  if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
  if tonumber(redis.call('HGET', KEYS[2], 'number') or -1) >= tonumber(ARGV[3]) then return 0 end
  if ARGV[7] == '1' then redis.call('XTRIM', KEYS[3], 'MINID', ARGV[2]) end
  return redis.call('HSET', KEYS[2], 'epoch', ARGV[1], 'position', ARGV[2], 'number', ARGV[3],
    'senders', ARGV[4], 'text', ARGV[5], 'signature', ARGV[6])
`)

/** Keys: room, and the room's other keys. Arguments: epoch. Returns 0 if the room has begun again. */
export const renewRoomExpiry = script(`
  if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
  for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ${ROOM_EXPIRY_MS}) end
  return 1
`)
