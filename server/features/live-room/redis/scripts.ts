import { script } from '../../../redis/script.ts'

// Each runs as a whole at Redis, whose clock is the one that counts.

/** A server that stopped without a word has no streams after this long. */
export const STREAMS_KEPT_MS = 15_000

/** How long Redis keeps a room that no server has in memory. */
export const KEPT_MS = 3_600_000

const TIME = `
  local function now()
    local time = redis.call('TIME')
    return time[1] * 1000 + math.floor(time[2] / 1000)
  end
`

/**
 * Names what this Redis holds, and all that follows from it. A replica that takes over has another name, since it may lack
 * the last writes. Empty where the user may not ask.
 */
const HISTORY = `
  local function history()
    local info = redis.pcall('INFO', 'replication')
    return type(info) == 'string' and string.match(info, 'master_replid:(%x+)') or ''
  end
`

/** An entry of the log, unless the room has begun again since. */
const APPEND = `
  local function append(log, room, epoch, own, change, signature, ...)
    if redis.call('HGET', room, 'epoch') ~= epoch then return redis.error_reply('EPOCH the room has begun again') end
    local number = redis.call('HINCRBY', room, 'changes', 1)
    redis.call('XADD', log, 'MAXLEN', '~', 5000, '*', 'number', number, 'own', own, 'change', change, 'signature', signature, ...)
    if number == 1 then redis.call('PEXPIRE', log, ${KEPT_MS}) end
    return 1
  end
`

/** Keys: log, room. Arguments: epoch, whose it is, change, signature. */
export const appendChange = script(`${APPEND} return append(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3], ARGV[4])`)

/**
 * Keys: log, room, seen. Arguments: epoch, whose it is, the whole change, its signature, how the change begins and ends,
 * and for each phone its part of the change, its id and for how many ms it is taken to be silent. Omits those that gave a
 * sign of life since. Returns 0 if none is left.
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

/** Keys: seen. Arguments: ids of phones that gave a sign of life. */
export const seePhones = script(`${TIME}
  for _, id in ipairs(ARGV) do redis.call('ZADD', KEYS[1], now(), id) end
  return redis.call('PEXPIRE', KEYS[1], 3600000)
`)

/** Keys: seen. Arguments: ids of phones. Returns for how many ms each has been silent; nil of those never seen. */
export const silenceOf = script(`${TIME}
  local silences = {}
  for at, id in ipairs(ARGV) do
    local seen = redis.call('ZSCORE', KEYS[1], id)
    silences[at] = seen and now() - seen
  end
  return silences
`)

/** Keys: streams of one server, servers. Arguments: the server, ids of phones. Replaces what it had there. */
export const keepStreams = script(`${TIME}
  redis.call('DEL', KEYS[1])
  for at = 2, #ARGV do redis.call('SADD', KEYS[1], ARGV[at]) end
  redis.call('PEXPIRE', KEYS[1], ${STREAMS_KEPT_MS})
  redis.call('ZADD', KEYS[2], now(), ARGV[1])
  redis.call('PEXPIRE', KEYS[2], ${STREAMS_KEPT_MS})
  return redis.call('ZREMRANGEBYSCORE', KEYS[2], 0, now() - ${STREAMS_KEPT_MS})
`)

/** Keys: streams of one server, servers. Arguments: the server, ids of phones. Adds to what it has there. */
export const addStreams = script(`${TIME}
  redis.call('SADD', KEYS[1], unpack(ARGV, 2))
  redis.call('PEXPIRE', KEYS[1], ${STREAMS_KEPT_MS})
  redis.call('ZADD', KEYS[2], now(), ARGV[1])
  return redis.call('PEXPIRE', KEYS[2], ${STREAMS_KEPT_MS})
`)

/** Keys: those of the streams of servers. Arguments: ids of phones. Returns how many of these have a stream. */
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
 * Keys: log, room, snapshot. Returns the epoch, '' if there is none, how many changes it has, and the position, number,
 * senders, text and signature of a snapshot from which the log goes on, if there is one in the history in which the epoch
 * began.
 */
export const readSnapshot = script(`${HISTORY}
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
 * Keys: log, room, snapshot. Arguments: epoch of the room that was found, or '', then of the new one, the position, number,
 * senders, text and signature of its snapshot.
 */
export const beginRoomAt = script(`${HISTORY}
  if (redis.call('HGET', KEYS[2], 'epoch') or '') ~= ARGV[1] then return 0 end
  redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
  redis.call('HSET', KEYS[2], 'epoch', ARGV[2], 'changes', 0, 'history', history())
  redis.call('HSET', KEYS[3], 'epoch', ARGV[2], 'position', ARGV[3], 'number', ARGV[4],
    'senders', ARGV[5], 'text', ARGV[6], 'signature', ARGV[7])
  redis.call('PEXPIRE', KEYS[2], ${KEPT_MS})
  redis.call('PEXPIRE', KEYS[3], ${KEPT_MS})
  return 1
`)

/** Keys: room, snapshot. Arguments: epoch, position, number, senders, text, signature. Keeps the newer one. */
export const keepSnapshot = script(`
  if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
  if tonumber(redis.call('HGET', KEYS[2], 'number') or -1) >= tonumber(ARGV[3]) then return 0 end
  return redis.call('HSET', KEYS[2], 'epoch', ARGV[1], 'position', ARGV[2], 'number', ARGV[3],
    'senders', ARGV[4], 'text', ARGV[5], 'signature', ARGV[6])
`)

/** Keys: room, and what else belongs to it. Arguments: epoch. Returns 0 if it has begun again. */
export const keepRoom = script(`
  if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
  for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ${KEPT_MS}) end
  return 1
`)
