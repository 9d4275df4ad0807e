export interface Protection {
  protection: string
  /** The file that protects. */
  file: string
  /** The part of the file that was taken out once, to see these tests fail. */
  removed: string
  tests: Record<string, string[]>
}

/** The tests of a protection fail when only the named part is removed. Try this for each new protection. */
export const PROTECTIONS: Protection[] = [
  {
    protection: 'Committed changes apply in the order of their numbers',
    file: 'server/features/live-room/state/change-order.ts',
    removed: 'an early one applies as it comes',
    tests: {
      'server/features/live-room/state/room-state.test.ts': [
        'apply in the order of their numbers, whatever the order of arrival, and once',
      ],
    },
  },
  {
    protection: 'Committed changes apply in the order of their numbers at two servers',
    file: 'server/features/live-room/state/change-order.ts',
    removed: 'the same',
    tests: {
      'test/nodes/races.test.ts': [
        'a thousand mutes that race with Mute All at two servers end as the database has them, in one order for all',
      ],
    },
  },
  {
    protection: "The number of a change is taken under the lock of the room's row",
    file: 'server/db/next-change-number.ts',
    removed: 'it is read, then written',
    tests: { 'test/nodes/live-room.test.ts': ['users who are added at both at once are all answered'] },
  },
  {
    protection: 'What a catch-up contained does not apply again',
    file: 'server/features/live-room/state/change-order.ts',
    removed: 'the comparison of the numbers',
    tests: {
      'server/features/live-room/state/room-state.test.ts': [
        'are made up for from the database, and not applied again when they come late',
      ],
    },
  },
  {
    protection: 'Servers compare the numbers of their rooms with the database',
    file: 'server/features/live-room/live-rooms.ts',
    removed: 'the comparison in the sweep',
    tests: { 'test/nodes/live-room.test.ts': ['a change that one commits and cannot append reaches both'] },
  },
  {
    protection: 'A list waits for what others have committed',
    file: 'server/features/live-room/live-rooms.ts',
    removed: 'the wait of `getFresh`',
    tests: { 'test/nodes/live-room.test.ts': ['what one has committed is in the list of the other at once'] },
  },
  {
    protection: 'A call is answered when the changes before its own are applied',
    file: 'server/features/live-room/live-rooms.ts',
    removed: 'the wait of `commit`',
    tests: {
      'test/nodes/live-room.test.ts': [
        'a call is answered when the changes before its own are applied, which another server appends later',
      ],
    },
  },
  {
    protection: 'A phone gets no state older than what it has obeyed',
    file: 'server/features/live-room/replication/catch-up.ts',
    removed: 'the comparison with its acknowledgements',
    tests: {
      'test/nodes/live-room.test.ts': [
        'a phone that was muted over one gets no older state from the other, which is behind',
      ],
    },
  },
  {
    protection: 'A comparison with the database counts only for the state that it was made with',
    file: 'server/features/live-room/state/room-state.ts',
    removed: 'the comparison of the base',
    tests: {
      'server/features/live-room/state/room-state.test.ts': [
        'are not made up for by a comparison with a state that has passed',
      ],
      'server/features/live-room/reconcile.test.ts': [
        'a comparison with the database is made again when another change comes first',
      ],
    },
  },
  {
    protection: 'Clicks that another server counted long ago are not counted again',
    file: 'server/lib/token-bucket.ts',
    removed: 'the comparison with the time',
    tests: { 'server/lib/token-bucket.test.ts': ['does not count again what others took while this server was away'] },
  },
  {
    protection: 'An upload that cannot be written leaves nothing behind',
    file: 'server/features/app-info/logo/logo-files.ts',
    removed: 'the removal of the part',
    tests: {
      'server/features/app-info/logo/upload-logo.test.ts': ['leaves no part of a logo behind when the disk is full'],
    },
  },
  {
    protection: 'Servers that begin a room at once begin it once',
    file: 'server/features/live-room/replication/scripts.ts',
    removed: 'the comparison of the epoch in `startEpoch`',
    tests: {
      'server/features/live-room/replication/redis-room-logs.test.ts': [
        'servers that begin a room at once share it, and apply the changes of all in one order',
      ],
    },
  },
  {
    protection: 'Snapshots let a server join after the log was trimmed',
    file: 'server/features/live-room/replication/redis-room-log.ts',
    removed: 'writing the snapshots',
    tests: {
      'server/features/live-room/replication/redis-room-logs.test.ts': [
        'a server that joins later continues from a snapshot and the changes since',
      ],
    },
  },
  {
    protection: 'A server that joins has what the database has',
    file: 'server/features/live-room/replication/join-room.ts',
    removed: 'the catch-up of `joinRoom`',
    tests: { 'test/nodes/joining.test.ts': ['a server that joins a room has what was committed and never appended'] },
  },
  {
    protection: 'Event ids follow from the changes',
    file: 'server/features/live-room/streams/event-log.ts',
    removed: 'random ids instead',
    tests: {
      'test/nodes/races.test.ts': [
        'a thousand mutes that race with Mute All at two servers end as the database has them, in one order for all',
      ],
    },
  },
  {
    protection: 'ETags are made of epoch and version',
    file: 'server/features/live-room/streams/polled-list.ts',
    removed: "a part of the server's own added",
    tests: { 'test/nodes/live-room.test.ts': ['a poll that moves to the other server gets its 304'] },
  },
  {
    protection: 'A command to Redis fails after a second',
    file: 'server/redis/connect.ts',
    removed: 'both timeouts',
    tests: { 'server/features/live-room/replication/redis-room-logs.test.ts': ['is frozen: changes go on without it'] },
  },
  {
    protection: 'A failed append applies here, alone',
    file: 'server/features/live-room/replication/redis-room-log.ts',
    removed: 'its caller gets the error',
    tests: { 'server/features/live-room/replication/redis-room-logs.test.ts': ['is frozen: changes go on without it'] },
  },
  {
    protection: 'A change that does not come back applies after 3 s',
    file: 'server/features/live-room/replication/redis-room-logs.ts',
    removed: '`checkWaiting`',
    tests: {
      'server/features/live-room/replication/redis-faults.test.ts': [
        'a change that does not come back takes effect all the same',
      ],
    },
  },
  {
    protection: 'A failed append that no one waits for ends no process',
    file: 'server/features/live-room/flush-timers.ts',
    removed: 'catching it',
    tests: {
      'server/features/live-room/change-faults.test.ts': [
        'a failed change is an error for its caller or a line in the log, and the process continues',
      ],
    },
  },
  {
    protection: 'A closed room leaves no caller waiting',
    file: 'server/features/live-room/replication/redis-room-log.ts',
    removed: 'the check in `#send`',
    tests: {
      'server/features/live-room/replication/redis-faults.test.ts': [
        'an append to a room that was closed is not left waiting',
      ],
    },
  },
  {
    protection: 'A room that goes on alone has an epoch of its own',
    file: 'server/features/live-room/replication/redis-room-log.ts',
    removed: '`newEpoch`',
    tests: {
      'server/features/live-room/replication/redis-room-logs.test.ts': [
        'is away: the room continues alone, and in step again when it is back',
      ],
    },
  },
  {
    protection: 'What was meant for another epoch is not appended',
    file: 'server/features/live-room/replication/scripts.ts',
    removed: 'the comparison in `APPEND`',
    tests: {
      'test/nodes/joining.test.ts': ['what was meant for a room that has begun again is not added to the new one'],
    },
  },
  {
    protection: 'An epoch with fewer changes than were seen is not continued',
    file: 'server/features/live-room/replication/redis-room-log.ts',
    removed: '`#staleEpoch`',
    tests: { 'server/features/live-room/replication/redis-faults.test.ts': ['no event id means two things'] },
  },
  {
    protection: 'An epoch is not continued by a replica that takes over',
    file: 'server/features/live-room/replication/scripts.ts',
    removed: 'the comparison of the history in `readSnapshot`',
    tests: {
      'server/features/live-room/replication/redis-failover.test.ts': [
        'is replaced on purpose, and lives on as a replica: its rooms begin again at the other',
      ],
    },
  },
  {
    protection: 'A server leaves a master that another has replaced',
    file: 'server/redis/master-connector.ts',
    removed: 'both checks for that',
    tests: {
      'server/features/live-room/replication/redis-failover.test.ts': [
        'a slot moves to another master: its rooms go on there',
      ],
    },
  },
  {
    protection: 'Nothing is sent to Redis twice',
    file: 'server/redis/connect.ts',
    removed: 'the two options for that',
    tests: {
      'server/features/live-room/replication/redis-failover.test.ts': [
        'a change whose answer is lost is not sent again',
      ],
    },
  },
  {
    protection: 'A missing change is noticed by its number',
    file: 'server/features/live-room/replication/redis-room-log.ts',
    removed: 'the comparison in `#receive`',
    tests: {
      'server/features/live-room/replication/redis-room-logs.test.ts': [
        'has lost everything, or a part: the room begins again for all',
      ],
    },
  },
  {
    protection: 'A change that cannot be read sets its room apart',
    file: 'server/features/live-room/replication/redis-room-log.ts',
    removed: 'going alone after it',
    tests: { 'server/features/live-room/replication/redis-faults.test.ts': ['leaves the other rooms in step'] },
  },
  {
    protection: 'A room rejoins only where its changes come back',
    file: 'server/features/live-room/replication/join-room.ts',
    removed: 'the change that `joinRoom` appends first',
    tests: {
      'server/features/live-room/replication/redis-faults.test.ts': [
        'a Redis that refuses writes: streams end once, and the room stays as it is',
      ],
    },
  },
  {
    protection: 'A server repeats what its phones reported while it was alone',
    file: 'server/features/live-room/live-room.ts',
    removed: '`republish`',
    tests: {
      'test/nodes/live-room.test.ts': [
        'each server goes on by itself, and the database brings what is committed elsewhere',
      ],
    },
  },
  {
    protection: 'A phone goes offline only if it was silent at all servers',
    file: 'server/features/live-room/replication/scripts.ts',
    removed: 'the comparison in `appendSilent`',
    tests: {
      'server/features/live-room/replication/redis-room-logs.test.ts': [
        'a phone that gave one at another server is not taken offline',
      ],
    },
  },
  {
    protection: 'A server asks when a phone was last seen elsewhere',
    file: 'server/features/live-room/presence.ts',
    removed: '`#checkElsewhere`',
    tests: {
      'test/nodes/signs-of-life.test.ts': ['a phone that gives signs of life at one server is awake at the other'],
    },
  },
  {
    protection: 'A server that is alone gives phones a new lease',
    file: 'server/features/live-room/live-room.ts',
    removed: '`renewLeases`',
    tests: {
      'test/nodes/signs-of-life.test.ts': [
        'a server that goes on alone gives a phone that was in touch with another one a new lease',
      ],
    },
  },
  {
    protection: 'A server that is alone ends no stay',
    file: 'server/features/live-room/live-room.ts',
    removed: 'the check in `#notifyPresence`',
    tests: {
      'test/nodes/attendance.test.ts': [
        'the stay of a phone that moves to another server while Redis is frozen goes on',
      ],
    },
  },
  {
    protection: 'A reader that has vanished loses its stream',
    file: 'server/features/live-room/live-room.ts',
    removed: '`endStreamsOfOffline`',
    tests: {
      'server/features/live-room/presence.test.ts': [
        'ends the stream of a vanished reader even if its network does not report it',
      ],
    },
  },
  {
    protection: 'A message ends a session at the others right away',
    file: 'server/features/auth/sessions.ts',
    removed: 'receiving it',
    tests: { 'test/nodes/sessions.test.ts': ['ends at the other, with its streams'] },
  },
  {
    protection: 'Ended sessions are read from the database each second',
    file: 'server/features/auth/jobs.ts',
    removed: 'reading them',
    tests: { 'test/nodes/sessions.test.ts': ['ends at the other without Redis'] },
  },
  {
    protection: 'A server that was frozen lets nobody in before it has read what ended',
    file: 'server/lib/pause-guard.ts',
    removed: 'the comparison in `isCurrent`',
    tests: { 'test/nodes/sessions.test.ts': ['has ended at the other when that has been frozen meanwhile'] },
  },
  {
    protection: 'A stream that is being opened checks its session once more',
    file: 'server/features/live-room/routes.ts',
    removed: 'the second check',
    tests: { 'test/nodes/sessions.test.ts': ['does not leave a stream behind that was being opened'] },
  },
  {
    protection: 'The address of a stream is signed',
    file: 'server/features/live-room/streams/stream-tickets.ts',
    removed: 'checking the signature',
    tests: { 'test/nodes/sessions.test.ts': ['is refused where its signature is wrong'] },
  },
  {
    protection: 'The address of a stream serves one stream at all servers',
    file: 'server/features/live-room/streams/stream-tickets.ts',
    removed: 'ending the stream before',
    tests: {
      'test/nodes/sessions.test.ts': ['opens it at the other server, and again there after the first has gone'],
    },
  },
  {
    protection: 'Wrong passwords count at all servers',
    file: 'server/features/auth/login-throttle.ts',
    removed: 'receiving what others count',
    tests: { 'test/nodes/sessions.test.ts': ['of wrong passwords count at all servers'] },
  },
  {
    protection: 'Calls count at all servers',
    file: 'server/plugins/rate-limit.ts',
    removed: 'the same',
    tests: { 'test/nodes/sessions.test.ts': ['of calls count at all servers'] },
  },
  {
    protection: 'Each server counts by itself, without Redis too',
    file: 'server/features/auth/login-throttle.ts',
    removed: 'counting its own',
    tests: { 'test/nodes/without-redis.test.ts': ['limits on wrong passwords count at each server'] },
  },
  {
    protection: "Sessions, addresses and presence go by the database's clock",
    file: 'server/run-server.ts',
    removed: "the machine's clock instead",
    tests: {
      'test/processes/wrong-clock.test.ts': [
        'servers whose clocks are ten minutes wrong accept what the others issue, and say that they are wrong',
      ],
    },
  },
  {
    protection: 'A reader that leaves 256 KiB unread is cut off',
    file: 'server/features/live-room/streams/sse.ts',
    removed: 'the limit',
    tests: {
      'server/features/live-room/streams/stream.test.ts': [
        'disconnects a reader that does not read, without delaying others',
      ],
    },
  },
  {
    protection: 'A stream goes on after its last id',
    file: 'server/features/live-room/streams/broadcaster.ts',
    removed: 'the replay',
    tests: {
      'server/features/live-room/streams/stream.test.ts': ['with the last id replays the missed events, in order'],
    },
  },
  {
    protection: 'An id that is too old gets the state',
    file: 'server/features/live-room/streams/event-log.ts',
    removed: 'the comparison with the oldest event',
    tests: {
      'server/features/live-room/streams/stream.test.ts': [
        'with an id older than what is kept sends the state again, and nothing of the past',
      ],
    },
  },
  {
    protection: 'An id of another epoch is not trusted',
    file: 'server/features/live-room/streams/event-log.ts',
    removed: 'the comparison of the epoch',
    tests: { 'server/features/live-room/streams/stream.test.ts': ['with an unknown id (%s) sends the state again'] },
  },
  {
    protection: 'A silent stream gets comments',
    file: 'server/features/live-room/streams/sse.ts',
    removed: 'writing them',
    tests: {
      'server/features/live-room/streams/stream.test.ts': [
        'sends a comment before a proxy would close a silent stream',
      ],
    },
  },
  {
    protection: 'A server that stops serves what comes for 2 s',
    file: 'server/run-server.ts',
    removed: '`drain`',
    tests: {
      'test/processes/proxies.test.ts': [
        'no request through a proxy fails while one node after the other stops and starts again',
      ],
    },
  },
  {
    protection: 'A server that stops fails its checks',
    file: 'server/plugins/health.ts',
    removed: 'the failure',
    tests: {
      'test/nodes/start-and-stop.test.ts': [
        'a server that is about to stop is not ready, serves what comes, and keeps no connection',
      ],
    },
  },
  {
    protection: 'A server that stops keeps no connection',
    file: 'server/app.ts',
    removed: 'closing them',
    tests: {
      'test/nodes/start-and-stop.test.ts': [
        'a server that is about to stop is not ready, serves what comes, and keeps no connection',
      ],
    },
  },
  {
    protection: 'Streams end when it has stopped listening',
    file: 'server/start.ts',
    removed: 'waiting for that',
    tests: {
      'test/nodes/start-and-stop.test.ts': [
        'streams of a server that stops continue at another one: nothing is lost, nothing comes twice',
      ],
    },
  },
  {
    protection: 'Rooms close when its jobs have ended',
    file: 'server/start.ts',
    removed: 'waiting for these',
    tests: { 'test/nodes/start-and-stop.test.ts': ['a server stops although a job still changes a room'] },
  },
  {
    protection: 'A database has one server, without Redis',
    file: 'server/db/advisory-lock.ts',
    removed: 'the refusal',
    tests: {
      'test/processes/postgresql-faults.test.ts': [
        'a second server on one database is refused in one line, and the first continues',
      ],
    },
  },
  {
    protection: 'Servers that share it exclude one that does not',
    file: 'server/db/advisory-lock.ts',
    removed: 'their shared lock',
    tests: {
      'test/processes/proxies.test.ts': [
        'a server without REDIS_URL is refused beside servers that share the database',
      ],
    },
  },
  {
    protection: 'A Redis of another installation is refused',
    file: 'server/redis/shared-redis.ts',
    removed: 'comparing the identity',
    tests: { 'test/nodes/start-and-stop.test.ts': ['a server with another SECRET_KEY is refused, and shares nothing'] },
  },
  {
    protection: 'A data folder has one server',
    file: 'server/db/data-dir-lock.ts',
    removed: 'the exclusive lock',
    tests: {
      'test/processes/data-dir-lock.test.ts': [
        'one of several servers that start at once on the folder of a killed process gets it',
      ],
    },
  },
  {
    protection: 'All migrations run in one transaction',
    file: 'server/db/migrate.ts',
    removed: 'the transaction',
    tests: {
      'test/processes/killed-migration.test.ts': [
        'a start that is killed during a migration changes nothing, and the next one completes it',
      ],
    },
  },
  {
    protection: 'A database of a later release is refused',
    file: 'server/db/migrate.ts',
    removed: 'the refusal',
    tests: { 'server/db/migrate.test.ts': ['refuses a database of a newer version'] },
  },
  {
    protection: 'What another release wrote in Redis is not misread',
    file: 'server/features/live-room/state/room-codec.ts',
    removed: 'comparing the version',
    tests: {
      'server/features/live-room/state/room-codec.test.ts': ['is refused by a release that does not know its form'],
    },
  },
  {
    protection: "The console's files of other releases are served",
    file: 'server/plugins/console-pages/console-pages.ts',
    removed: 'the folder of these',
    tests: {
      'server/plugins/console-pages/kept-files.test.ts': [
        'a server serves the files of the releases that others have started with, and caches them as its own',
      ],
    },
  },
  {
    protection: 'A query that gets no answer fails after 5 s',
    file: 'server/db/postgres-pool.ts',
    removed: '`query_timeout`',
    tests: {
      'test/processes/postgresql-faults.test.ts': [
        'while PostgreSQL does not answer, writes are 503 and polls continue; then it recovers',
      ],
    },
  },
  {
    protection: 'A connection that gave no answer is not used again',
    file: 'server/db/postgres-pool.ts',
    removed: 'destroying it',
    tests: { 'test/processes/postgresql-faults.test.ts': ['replaces connections that stop answering'] },
  },
  {
    protection: 'A connection that is lost between queries ends no process',
    file: 'server/db/postgres-pool.ts',
    removed: 'listening to its errors',
    tests: {
      'test/processes/postgresql-faults.test.ts': [
        'a %s restart of PostgreSQL causes a few 503, signs no one out and loses nothing acknowledged',
      ],
    },
  },
  {
    protection: 'A lost database is 503',
    file: 'server/db/client.ts',
    removed: '`isDatabaseGone`',
    tests: {
      'test/processes/postgresql-faults.test.ts': [
        'a %s restart of PostgreSQL causes a few 503, signs no one out and loses nothing acknowledged',
      ],
    },
  },
  {
    protection: 'A call with a known Idempotency-Key has no second effect',
    file: 'server/plugins/idempotency.ts',
    removed: 'replaying the answer',
    tests: { 'server/plugins/idempotency.test.ts': ['a repeat gets the first answer and has no second effect'] },
  },
  {
    protection: 'A call that died after its effect is not repeated',
    file: 'server/plugins/idempotency.ts',
    removed: 'the condition on `has_effect`',
    tests: {
      'test/processes/postgresql-faults.test.ts': [
        'never repeats a call whose process was killed after its effect and before its answer was stored',
      ],
    },
  },
  {
    protection: 'An event from Zoom is stored once',
    file: 'server/zoom/webhook-inbox.ts',
    removed: 'ignoring a second one',
    tests: {
      'server/zoom/webhook-inbox.test.ts': ['that arrives four times is processed once, and is ignored in other bytes'],
    },
  },
  {
    protection: 'An event from Zoom is processed by one server',
    file: 'server/zoom/webhook-inbox.ts',
    removed: 'the condition on the lease',
    tests: { 'server/zoom/webhook-inbox.test.ts': ['is processed by one of several nodes'] },
  },
]
