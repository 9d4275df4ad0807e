/** A fault that Parley was built to survive. docs/reliability.md shows all but the tests, which this list names. */
export interface Fault {
  id: string
  fault: string
  /** Completes "all the same, …". */
  guarantee: string
  /** Test files, each with the names of the tests that show it. */
  tests?: Record<string, string[]>
  /** Set if `npm run test:faults` breaks it under load, too. */
  isInFaultRun?: true
  /** The measurement that prints the figures: `npm run bench -- NAME`. */
  bench?: string
  measured?: string
}

export interface FaultGroup {
  title: string
  faults: Fault[]
}

export const FAULT_GROUPS: FaultGroup[] = [
  {
    title: 'A process is killed',
    faults: [
      {
        id: 'REL-01',
        fault: '`kill -9` of the server while users are being added',
        guarantee: 'each confirmed user is there, none twice, none by half',
        tests: {
          'test/processes/killed-server.test.ts': [
            'a killed server loses no acknowledged change, and restarts on the same folder',
          ],
        },
        measured:
          '3,023 confirmed writes in 12 rounds, none lost ([decision 2](decisions/0002-embedded-database-and-its-lock.md))',
      },
      {
        id: 'REL-02',
        fault: '`kill -9` of all processes of PostgreSQL during writes',
        guarantee:
          'nothing confirmed is lost or doubled, tables and indexes are whole (`pg_amcheck`), and the server goes on by itself',
        tests: {
          'test/processes/postgresql-faults.test.ts': [
            'a %s restart of PostgreSQL causes a few 503, signs no one out and loses nothing acknowledged',
          ],
        },
        measured: '[every fault](#every-fault-measured)',
      },
      {
        id: 'REL-03',
        fault: '`kill -9` or SIGTERM of a server with the embedded database',
        guarantee: 'the database opens again with everything confirmed; a clean stop ends streams and takes a snapshot',
        tests: {
          'test/processes/killed-server.test.ts': [
            'a killed server loses no acknowledged change, and restarts on the same folder',
          ],
          'test/processes/restore-snapshot.test.ts': ['stopping ends open streams, takes a snapshot and exits cleanly'],
        },
      },
      {
        id: 'REL-63',
        fault: 'The disk of the embedded database is full, at run time or at a start',
        guarantee:
          'a snapshot that has no room is not begun, or leaves nothing behind; if the database fails for good, the server ends with one line (`db.failed`), and starts with everything confirmed once there is room: a full disk is not taken for damage',
        tests: {
          'test/processes/snapshots.test.ts': [
            'leaves nothing of a copy that fails, and tries again ten minutes later',
            'takes none where %s has no room',
          ],
          'test/processes/damaged-database.test.ts': [
            'a disk without room is not taken for damage',
            'a database that fails for good says so at once, and nothing that somebody typed does',
          ],
          'test/processes/full-disk.test.ts': [
            'a server whose database fails on a full disk ends, and the next one has everything confirmed',
          ],
        },
      },
      {
        id: 'REL-65',
        fault: 'The embedded database never returns from a query, so that the process hangs',
        guarantee:
          'the server ends itself with one line after two minutes, for its supervisor to start it again with everything confirmed; a suspended process or machine is not taken for it',
        tests: {
          'test/processes/hanging-server.test.ts': [
            'a server that hangs ends itself with one line, and the next one has everything confirmed',
          ],
        },
      },
      {
        id: 'REL-64',
        fault: "The disk of the log is full, where the server's output goes to a file",
        guarantee:
          'the server goes on without its log, and can be stopped; the next line that can be written counts those that were lost (`log.lines_lost`)',
        tests: {
          'test/processes/full-disk.test.ts': [
            'a server goes on without its log on a full disk, counts the lines that it lost, and ends',
          ],
        },
      },
      {
        id: 'REL-04',
        fault: 'A second server starts on the data folder in use, or on one whose server was killed',
        guarantee: 'it is refused in one line and the first goes on; a killed server leaves no lock',
        tests: {
          'test/processes/killed-server.test.ts': [
            'a second server on the same folder is refused in one line, and the first continues',
          ],
          'test/processes/data-dir-lock.test.ts': [
            'one of several servers that start at once on the folder of a killed process gets it',
          ],
        },
      },
      {
        id: 'REL-05',
        fault: 'The console gives up on a call after 15 s, and repeats it with the same key',
        guarantee: 'one effect',
        tests: {
          'server/plugins/idempotency.test.ts': [
            'a repeat gets the first answer and has no second effect',
            'simultaneous repeats have one effect and one answer',
          ],
          'web/lib/once.test.ts': ['keeps its idempotency key until there is an answer'],
          'web/features/hosts/one-press-one-act.test.tsx': [
            'a repeat of an extension whose answer was lost adds no second period',
          ],
        },
      },
      {
        id: 'REL-06',
        fault: '`kill -9` in the middle of an action on many users',
        guarantee: 'it applies to all of them or to none',
        tests: {
          'test/processes/killed-bulk-act.test.ts': [
            'a bulk action applies to all users or to none when the server is killed',
          ],
        },
      },
      {
        id: 'REL-46',
        fault: '`kill -9` during a migration; a later release that has changed the tables',
        guarantee:
          'nothing has changed, and the next start completes it; servers of the release before go on beside it, and start no more',
        tests: {
          'test/processes/killed-migration.test.ts': [
            'a start that is killed during a migration changes nothing, and the next one completes it',
          ],
          'server/db/migrate.test.ts': [
            'a failed migration of several statements leaves nothing behind',
            'refuses a database of a newer version',
          ],
          'test/nodes/later-release.test.ts': ['servers go on after a later release has added columns to every table'],
          'server/features/live-room/state/room-codec.test.ts': ['is refused by a release that does not know its form'],
          'test/processes/two-releases.test.ts': [
            'a release takes over from the one before: no request fails, and no event is lost or comes twice',
          ],
        },
      },
      {
        id: 'REL-49',
        fault: 'The process ends between the commit of a change and its event',
        guarantee: 'consoles and phones see the change all the same, and no event comes twice under one id',
        tests: {
          'test/api/failed-publishing.test.ts': ['%s shows after a failure between commit and publishing'],
          'test/processes/killed-between-commands.test.ts': [
            'after a kill clients see the stored state, and receive no event twice',
          ],
          'test/nodes/live-room.test.ts': ['a change that one commits and cannot append reaches both'],
        },
      },
      {
        id: 'REL-52',
        fault: 'A call is repeated with its key after its answer was lost, or its process was killed',
        guarantee: 'never a second effect',
        tests: {
          'server/plugins/idempotency.test.ts': [
            'does not execute again: %s',
            'keeps no key of a call that is refused before it has an effect',
          ],
          'test/processes/postgresql-faults.test.ts': [
            'never repeats a call whose process was killed after its effect and before its answer was stored',
          ],
          'server/features/subscriptions/change-subscription.test.ts': [
            'two extensions with one Idempotency-Key count once, fifty without one count fifty times',
          ],
        },
      },
    ],
  },
  {
    title: 'PostgreSQL fails',
    faults: [
      {
        id: 'REL-07',
        fault: 'PostgreSQL restarts under load',
        guarantee: 'the server stays up and answers 200 or 503, nothing else',
        tests: {
          'test/processes/postgresql-faults.test.ts': [
            'a %s restart of PostgreSQL causes a few 503, signs no one out and loses nothing acknowledged',
          ],
        },
      },
      {
        id: 'REL-08',
        fault: 'PostgreSQL is frozen: it keeps its connections and answers nothing',
        guarantee:
          'writes end with 503 before the console gives up at 15 s, polls go on, and all is well once it answers',
        tests: {
          'test/processes/postgresql-faults.test.ts': [
            'while PostgreSQL does not answer, writes are 503 and polls continue; then it recovers',
          ],
        },
        isInFaultRun: true,
        bench: 'frozen-postgresql',
        measured: '30 writes of one host, three at a time: the longest 8.1 s; a poll during these 8 ms',
      },
      {
        id: 'REL-09',
        fault: 'The network to PostgreSQL drops everything without a word',
        guarantee: 'as REL-08, and dead connections are replaced',
        tests: {
          'test/processes/postgresql-faults.test.ts': ['replaces connections that stop answering'],
        },
        isInFaultRun: true,
        bench: 'silent-postgresql',
        measured:
          "60 writes of one host, three at a time: the longest 12.0 s; polls up to 4 ms, the event loop's delay 11 ms (p99), the first write 0.2 s after the network is back",
      },
      {
        id: 'REL-10',
        fault: 'The disk of PostgreSQL is full',
        guarantee:
          'writes that need room end with 503 and change nothing, reads go on, and writes succeed again once there is room',
        isInFaultRun: true,
        measured: '[every fault](#every-fault-measured)',
      },
      {
        id: 'REL-47',
        fault: 'The database is lost, and a dump that was taken under load is restored',
        guarantee: 'a server starts on it, and has everything that was confirmed before the dump',
        tests: {
          'test/processes/postgresql-faults.test.ts': [
            'a server starts with complete data from a dump that was taken under load',
          ],
        },
      },
      {
        id: 'REL-66',
        fault: 'A restore is killed, its file is damaged, or its disk becomes full',
        guarantee:
          'what was there is there, or all of the backup is: nothing changes before the restored database is whole, and each table has its digest',
        tests: {
          'test/processes/restore.test.ts': [
            'a restore that is killed leaves what was there, or all of the backup',
            'is refused for a damaged file',
            'is refused on a disk that becomes full meanwhile',
          ],
          'server/db/replace-database.test.ts': ['is finished by the next one'],
        },
        measured: '[every command](#every-command-killed-and-disturbed)',
      },
      {
        id: 'REL-71',
        fault: 'A move to PostgreSQL is killed, or repeated',
        guarantee:
          'PostgreSQL has nothing, or every row, each table with its digest; the embedded database stays, and no start uses it by mistake once it has moved',
        tests: {
          'test/processes/move-to-postgres.test.ts': [
            'moves every row to PostgreSQL, where a server goes on, and marks the folder',
            'killed while PostgreSQL fills, it leaves both as they were, and the next one succeeds',
          ],
        },
        measured: '[every command](#every-command-killed-and-disturbed)',
      },
      {
        id: 'REL-72',
        fault: 'A backup, an export or an erasure of a person is killed, or its disk becomes full',
        guarantee:
          'there is a whole file or none, and the next run removes what is left; an erasure that has begun is finished by the next run or by the server, and no data of others changes',
        tests: {
          'test/commands/kills.test.ts': ['%s, killed at any moment, leaves what was there or all of it'],
          'test/processes/person-command.test.ts': [
            'a user is exported and erased beside a running server, and without one',
          ],
          'test/processes/backup.test.ts': ['is refused where it cannot be made'],
        },
        measured: '[every command](#every-command-killed-and-disturbed)',
      },
      {
        id: 'REL-70',
        fault: 'A change of the key is killed',
        guarantee:
          'all secrets are under the old key or all under the new one, both are on the disk, and no server starts until it is finished by running it again',
        tests: {
          'test/processes/rotate-key.test.ts': [
            'killed once %s, it is finished by the next run, and nothing starts until then',
            'rotate-key prints the key again where it could not be printed',
          ],
        },
        measured: '[every command](#every-command-killed-and-disturbed)',
      },
      {
        id: 'REL-48',
        fault: 'Zoom sends an event while the database is away',
        guarantee: 'Zoom gets 503 and sends it again; it is processed once',
        tests: {
          'server/zoom/webhook-inbox.test.ts': [
            'that cannot be stored is answered with 503, and processed once when it arrives again',
          ],
          'test/processes/zoom-processes.test.ts': [
            'an event whose process was killed while processing it is processed once, after the next start',
          ],
        },
      },
      {
        id: 'REL-57',
        fault: 'The database or Redis restarts while consoles are open',
        guarantee: 'no one is signed out: a console signs out on 401 alone, and gets 503',
        tests: {
          'test/processes/postgresql-faults.test.ts': [
            'a %s restart of PostgreSQL causes a few 503, signs no one out and loses nothing acknowledged',
          ],
          'test/nodes/without-redis.test.ts': ['no one is signed out, and every call succeeds'],
          'web/lib/session/restore-session.test.ts': [
            'with %s, three tries a second apart keep the token and show nothing of a host',
          ],
        },
      },
    ],
  },
  {
    title: 'Redis fails',
    faults: [
      {
        id: 'REL-12',
        fault: 'Redis is killed, and starts again empty',
        guarantee:
          'nothing confirmed is lost, all consoles and phones agree again, and no console misses an event without a new beginning',
        tests: {
          'server/features/live-room/replication/redis-room-logs.test.ts': [
            'has lost everything, or a part: the room begins again for all',
          ],
        },
        isInFaultRun: true,
        measured: '[every fault](#every-fault-measured)',
      },
      {
        id: 'REL-13',
        fault: 'Redis is away, at run time or at a start',
        guarantee:
          'rooms go on at each server, committed changes reach the others through the database, and limits on sign-ins still count',
        tests: {
          'test/nodes/without-redis.test.ts': [
            'limits on wrong passwords count at each server',
            'a server starts, and shares its rooms once Redis is there',
          ],
          'test/nodes/live-room.test.ts': [
            'each server goes on by itself, and the database brings what is committed elsewhere',
          ],
          'test/nodes/sessions.test.ts': ['ends at the other without Redis'],
          'web/features/online-users/OutOfStep.test.tsx': [
            'a room whose server cannot reach the others says so, until it can',
          ],
        },
        bench: 'redis-away',
        measured:
          "polls 2 ms and mutes 9 ms (p95); a mute is in the other server's list after 2.0 s at most, since servers compare their rooms with the database each second, and read what they lack twice in a row; one server cut off, slow, or with connections that overtake each other: [every fault](#every-fault-measured)",
      },
      {
        id: 'REL-14',
        fault: 'Redis is frozen, for up to a minute',
        guarantee: 'rooms go on without it, and agree once it answers',
        tests: {
          'server/features/live-room/replication/redis-room-logs.test.ts': ['is frozen: changes go on without it'],
        },
        isInFaultRun: true,
        measured: '[every fault](#every-fault-measured)',
      },
      {
        id: 'REL-45',
        fault: 'The disk of Redis is full, or that of the folder which the servers share',
        guarantee:
          'Redis refuses what would change it, and rooms go on as without it; an upload that cannot be written is refused and leaves nothing behind',
        tests: {
          'server/features/app-info/logo/upload-logo.test.ts': [
            'leaves no part of a logo behind when the disk is full',
          ],
        },
        isInFaultRun: true,
        measured: '[every fault](#every-fault-measured)',
      },
      {
        id: 'REL-58',
        fault:
          'The master behind Sentinels or in a Cluster is killed, and a replica takes over that may lack the last changes',
        guarantee:
          'what was acknowledged lasts, both servers agree within seconds, streams begin again instead of continuing with other events under the same ids, and rooms at other masters of a Cluster go on',
        tests: {
          'test/nodes/redis-failover.test.ts': [
            'what is acknowledged lasts, both servers agree, streams begin again, and rooms at other masters go on',
          ],
        },
        measured: 'with a failover after 1 s of silence: all agree 3 s after the kill',
      },
      {
        id: 'REL-59',
        fault:
          'A master is replaced on purpose, or freezes, is replaced and comes back, or is cut off; a slot moves to another master',
        guarantee:
          'servers leave it, their rooms begin again at its successor, and no event id means two things. A master that is cut off from its replicas refuses changes ([`min-replicas-to-write`](deploy.md#redis)): streams end once, and the room stays as it is',
        tests: {
          'server/features/live-room/replication/redis-failover.test.ts': [
            'is replaced on purpose, and lives on as a replica: its rooms begin again at the other',
            'is frozen, replaced and back: changes go on, and no event id means two things',
            'a slot moves to another master: its rooms go on there',
          ],
          'server/features/live-room/replication/redis-faults.test.ts': [
            'a Redis that refuses writes: streams end once, and the room stays as it is',
          ],
        },
        measured: 'on purpose: in step again after 0.5 to 1.6 s',
      },
      {
        id: 'REL-60',
        fault: 'The answer of Redis to a change is lost',
        guarantee: 'the change takes effect once: nothing is sent twice',
        tests: {
          'server/features/live-room/replication/redis-failover.test.ts': [
            'a change whose answer is lost is not sent again',
          ],
        },
      },
    ],
  },
  {
    title: 'Streams of events',
    faults: [
      {
        id: 'REL-16',
        fault: 'A stream is cut, and opened again with the last id',
        guarantee: 'it gets exactly what it missed, in order, once',
        tests: {
          'server/features/live-room/streams/stream.test.ts': [
            'with the last id replays the missed events, in order',
            'after a thousand events sends exactly these, in order, once',
          ],
        },
      },
      {
        id: 'REL-17',
        fault: 'The last id is unknown, or older than what is kept',
        guarantee: 'the state as it is, and no part of the past',
        tests: {
          'server/features/live-room/streams/stream.test.ts': [
            'with an unknown id (%s) sends the state again',
            'with an id older than what is kept sends the state again, and nothing of the past',
          ],
        },
      },
      {
        id: 'REL-18',
        fault: 'The history of a room is lost',
        guarantee: 'a new epoch: ids of the old one are never trusted',
        tests: {
          'server/features/live-room/replication/redis-room-logs.test.ts': [
            'has lost everything, or a part: the room begins again for all',
          ],
          'test/api/failed-publishing.test.ts': ['%s shows after a failure between commit and publishing'],
        },
      },
      {
        id: 'REL-19',
        fault: 'The room changes while a stream is being opened',
        guarantee: 'no change is lost between the state and the events after it',
        tests: {
          'server/features/live-room/streams/stream.test.ts': [
            'no event is lost between the state and what follows it, while others change the room',
            'a thousand streams that open at any moment, anew or after an event, get each event once',
          ],
        },
      },
      {
        id: 'REL-20',
        fault: 'A reader stops reading',
        guarantee: 'it is cut off with 256 KiB unread, and delays no other',
        tests: {
          'server/features/live-room/streams/stream.test.ts': [
            'disconnects a reader that does not read, without delaying others',
          ],
        },
        isInFaultRun: true,
        bench: 'stalled-readers',
        measured:
          "memory grows by 13 MB, the last is cut after 21,000 events, when the kernel's own buffers are full, polls' p99 is 4 ms. Beside slow and stalled ones, consoles that read show a change after 0.6 s at most (`npm run test:faults`)",
      },
      {
        id: 'REL-21',
        fault: 'A stream is silent, or its reader has vanished without closing it',
        guarantee: 'a comment at least every 15 s; a phone that gives no sign of life loses its stream',
        tests: {
          'server/features/live-room/streams/stream.test.ts': [
            'sends a comment before a proxy would close a silent stream',
          ],
          'server/features/live-room/presence.test.ts': [
            'ends the stream of a vanished reader even if its network does not report it',
          ],
        },
      },
      {
        id: 'REL-22',
        fault: 'Streams are opened and closed all the time',
        guarantee: 'nothing of them is left behind',
        tests: {
          'server/features/live-room/streams/stream.test.ts': ['closed streams leave nothing behind'],
        },
        bench: 'stream-cycles',
        measured: 'after 20,000 more: the same 280 files, 0.5 % more heap',
      },
    ],
  },
  {
    title: 'Several servers',
    faults: [
      {
        id: 'REL-24',
        fault: 'The phones and consoles of a room are at different servers',
        guarantee: 'a command at one reaches the phones at all',
        tests: {
          'test/nodes/live-room.test.ts': [
            'a command reaches phones at both',
            'a phone at one obeys a console at the other',
          ],
        },
        bench: 'nodes',
        measured: '1 to 2 ms more for each change ([decision 20](decisions/0020-several-servers.md))',
      },
      {
        id: 'REL-25',
        fault: 'Servers change one room at the same time',
        guarantee: 'all apply the same changes in the same order, so that no one sees the room go back',
        tests: {
          'test/nodes/races.test.ts': [
            'a thousand mutes that race with Mute All at two servers end as the database has them, in one order for all',
          ],
          'server/features/live-room/replication/redis-room-logs.test.ts': [
            'servers that begin a room at once share it, and apply the changes of all in one order',
            'a server that joins later continues from a snapshot and the changes since',
          ],
        },
      },
      {
        id: 'REL-61',
        fault:
          'A server lacks changes that were committed at another: a phone calls it, or it compares its room with the database',
        guarantee:
          'a phone gets no older state than it has obeyed; a comparison that another change overtakes is made again',
        tests: {
          'test/nodes/live-room.test.ts': [
            'a phone that was muted over one gets no older state from the other, which is behind',
            'a phone gets what was committed at the other at once',
          ],
          'server/features/live-room/reconcile.test.ts': [
            'a comparison with the database is made again when another change comes first',
          ],
        },
        measured: '[every fault](#every-fault-measured): reads of servers that are frozen, or without Redis',
      },
      {
        id: 'REL-26',
        fault: '`kill -9` of one of several servers',
        guarantee: 'its streams continue at another one, with every event once',
        tests: {
          'test/processes/proxies.test.ts': ['each proxy sends requests to the other node when one is gone'],
          'test/processes/killed-node.test.ts': [
            'a node is killed in the middle of a Mute All: all phones obey, once, and everything agrees',
          ],
        },
        isInFaultRun: true,
        measured:
          '[every fault](#every-fault-measured). Of 500 phones behind three servers the last obeys a Mute All 1.1 s after the kill, and the other servers show that 1.1 s after it: the longest of six (`npm run bench -- killed-node`)',
      },
      {
        id: 'REL-27',
        fault: 'A server is stopped for an update',
        guarantee:
          'it serves what comes, keeps no connection, and its streams continue elsewhere; no request fails; each ends with code 0 before `STOP_SECONDS` would end it with 1',
        tests: {
          'test/nodes/start-and-stop.test.ts': [
            'a server that is about to stop is not ready, serves what comes, and keeps no connection',
            'streams of a server that stops continue at another one: nothing is lost, nothing comes twice',
          ],
          'test/processes/proxies.test.ts': [
            'no request through a proxy fails while one node after the other stops and starts again',
          ],
          'demo/proxy.test.ts': ['sends what a stopped node refuses to the next one, once'],
        },
        bench: 'rolling-restart',
        measured:
          'none of 2,667 requests failed while two nodes restarted three times each; a node stopped in 2.1 s. With writes: [every fault](#every-fault-measured)',
      },
      {
        id: 'REL-28',
        fault:
          'Servers, PostgreSQL and Redis are killed, frozen and cut off while several consoles mute and unmute, and read who is muted at each server',
        guarantee:
          'every confirmed write and every read of the lists is explained by one order of the calls that respects real time (linearizability, for each user)',
        tests: {
          'test/faults/history.test.ts': [
            'reads of what was written last, and of either value during a write',
            'a write without an answer that is done late or never, and once at most',
            'a lost append',
            'a stale read, although the value is right again',
            'a write that takes effect after it was refused',
            'a console sees an event that is missing, comes twice or comes late',
          ],
        },
        isInFaultRun: true,
        measured: '[every fault](#every-fault-measured)',
      },
      {
        id: 'REL-29',
        fault: 'Mute All races with mutes of single users',
        guarantee:
          'database, consoles and phones end in one state, which the order of the changes explains; a console is wrong for 2 s at most',
        tests: {
          'test/api/interleavings.test.ts': [
            'a thousand interleaved commands end in a state that some order of them explains',
          ],
          'test/nodes/races.test.ts': [
            'a thousand mutes that race with Mute All at two servers end as the database has them, in one order for all',
          ],
          'web/features/online-users/live-room/live-room.test.ts': [
            'corrects the flag 2 s after an event, even when the list is unchanged',
          ],
        },
      },
      {
        id: 'REL-37',
        fault: 'The clock of a server is wrong by ten minutes',
        guarantee:
          "sessions, streams' addresses and presence follow the database's clock, and the server says by how much its own is wrong",
        tests: {
          'test/processes/wrong-clock.test.ts': [
            'servers whose clocks are ten minutes wrong accept what the others issue, and say that they are wrong',
          ],
        },
      },
      {
        id: 'REL-38',
        fault: 'The clock of a server jumps ahead by an hour while it runs, or back by ten minutes, and returns',
        guarantee:
          "no one is signed out, and rooms, limits and presence follow the database's clock; a console's clock never counts backwards",
        tests: {
          'web/lib/server-clock.test.ts': ['follows a server whose clock was set back, and never counts backwards'],
        },
        isInFaultRun: true,
        measured: '[every fault](#every-fault-measured)',
      },
      {
        id: 'REL-62',
        fault: 'A server is frozen, and sessions end at others meanwhile',
        guarantee:
          'once it runs again it lets nobody in before it has read what has ended, while a database that does not answer keeps nobody out',
        tests: {
          'server/features/auth/sessions.test.ts': [
            'finds no session that ended meanwhile, and one query finds all others',
            'differs from one whose database is away, which lets in whom it knows',
          ],
          'test/nodes/sessions.test.ts': ['has ended at the other when that has been frozen meanwhile'],
        },
      },
    ],
  },
  {
    title: 'Consoles and phones',
    faults: [
      {
        id: 'REL-30',
        fault: 'Mute All fails',
        guarantee: 'the console takes back what it showed in advance, and says so',
        tests: {
          'web/features/online-users/OnlineUsersScreen.test.tsx': [
            'show a Mute All on the tiles at once, say that it is under way, and take it back when it fails',
          ],
        },
      },
      {
        id: 'REL-31',
        fault: 'A phone vanishes, or the server is killed while phones are online',
        guarantee: 'a phone is offline 30 s after its last sign of life; attendance ends then too',
        tests: {
          'server/features/live-room/live.test.ts': [
            'begins with the first status call, not with the login, and ends 30 s after the last',
          ],
          'server/features/live-room/presence.test.ts': ['a silent phone goes offline and its open stream ends'],
          'test/processes/attendance-after-kill.test.ts': [
            'after a kill no one is present, and a phone that is back at once continues its stay',
          ],
        },
      },
      {
        id: 'REL-33',
        fault: 'A host opens many tabs, and a browser allows six connections to a site',
        guarantee: 'the tabs share one stream, and each can act',
        tests: {
          'web/widgets/room-stream/shared-stream.test.ts': ['share one stream', 'continue when the leader is closed'],
          'test/e2e/online-connections.spec.ts': ['seven tabs of one host share one stream, and each can act'],
        },
      },
    ],
  },
  {
    title: 'Zoom, and calls that take long',
    faults: [
      {
        id: 'REL-35',
        fault: 'Zoom or the database takes long over an answer',
        guarantee: 'each call ends before 15 s; when the caller has left, nothing is left open',
        tests: {
          'server/zoom/client.test.ts': ['returns by its deadline when Zoom does not answer'],
          'server/zoom/rate-queue.test.ts': ['is refused at once if the wait would be too long, with a time to retry'],
          'server/lib/keyed-mutex.test.ts': ['refuses a task that has waited too long'],
          'server/features/recordings/media-stream.test.ts': [
            'leaves nothing open when a reader leaves before Zoom has answered',
          ],
        },
      },
      {
        id: 'REL-36',
        fault: 'Zoom is down, slow, refuses for its rate, or answers a page instead of JSON',
        guarantee: 'calls to Zoom stop for as long as it asks, and everything else goes on',
        tests: {
          'server/zoom/circuit-breaker.test.ts': [
            'opens after five failures in a row, and then fails fast',
            'waits exactly as long as Zoom asks',
          ],
          'server/zoom/client.test.ts': ['retries after a page instead of JSON, a Zoom error or a dropped connection'],
          'test/processes/zoom-processes.test.ts': [
            'pages that do not need Zoom work while it hangs, and the others name the cause',
          ],
        },
        isInFaultRun: true,
        bench: 'hanging-zoom',
      },
      {
        id: 'REL-43',
        fault: 'A large recording is played over a slow connection',
        guarantee: 'it is never in memory as a whole, and parts of it can be requested',
        tests: {
          'test/processes/recording-memory.test.ts': [
            'a large recording is never in memory as a whole, for a slow reader or a fast one',
            'a range far into the file has the right bytes',
          ],
        },
        bench: 'recording',
        measured:
          '512 MB at 1 MB/s: no growth; as fast as it goes: up to 50 MB of garbage, and several times that where other work delays its collection',
      },
    ],
  },
  {
    title: 'Errors in the code, and long runs',
    faults: [
      {
        id: 'REL-40',
        fault: 'Nothing: half an hour with 500 phones, 50 consoles and events from Zoom, in 256 MB of heap',
        guarantee: 'memory, open files and waiting times stay as they are',
        bench: 'soak',
        measured:
          "memory grows by 0.12 MB a minute, from 528 to 535 MB; status calls' p99 is 12 ms in the first third and in the last; one more open file, no refused call",
      },
      {
        id: 'REL-41',
        fault: 'An exception in a call, a change of a room, or a job',
        guarantee:
          'a 500 without details, or a line in the log, and the process goes on; one that nothing catches ends the process, which systemd or the container starts again with all data',
        tests: {
          'test/api/injected-faults.test.ts': [
            'an exception inside any call is a 500 without detail, and the process continues',
          ],
          'server/features/live-room/change-faults.test.ts': [
            'a failed change is an error for its caller or a line in the log, and the process continues',
          ],
          'server/jobs/job-runner.test.ts': ['runs jobs one after another at start, and continues after one fails'],
          'test/processes/killed-server.test.ts': [
            'an exception that nothing catches ends the process and is logged, and the next start has all data',
          ],
        },
      },
    ],
  },
  {
    title: 'Less likely faults that have a test',
    faults: [
      {
        id: 'REL-15',
        fault: 'Redis loses everything that it holds',
        guarantee: 'rooms begin again from the database, at all servers',
        tests: {
          'server/features/live-room/replication/redis-room-logs.test.ts': [
            'has lost everything, or a part: the room begins again for all',
          ],
        },
      },
      {
        id: 'REL-32',
        fault: 'A console is open for a long time',
        guarantee: 'its memory does not grow',
        bench: 'online-page',
      },
      {
        id: 'REL-42',
        fault: 'Many listeners of a recording leave',
        guarantee: 'each connection to Zoom is closed',
        tests: {
          'server/features/recordings/media-stream.test.ts': [
            'leaves nothing open at Zoom after a hundred readers have left',
          ],
        },
      },
      {
        id: 'REL-50',
        fault: 'A server starts before its PostgreSQL',
        guarantee: 'it is alive and not ready, and becomes ready by itself once the database answers',
        tests: {
          'test/processes/postgresql-faults.test.ts': [
            'a server started before its PostgreSQL is alive but not ready, and becomes ready by itself',
          ],
        },
      },
      {
        id: 'REL-51',
        fault: 'A purge is interrupted',
        guarantee: 'it goes on where it stopped, and the host cannot be restored in between',
        tests: {
          'server/features/hosts/purge-host.test.ts': ['resumes an interrupted purge, and blocks restoring in between'],
        },
      },
      {
        id: 'REL-54',
        fault: 'A console loses its network',
        guarantee: 'it says so, disables what would act, and catches up once it is connected',
        tests: {
          'test/e2e/online-connections.spec.ts': [
            'a disconnected console shows it and disables actions, and catches up when reconnected',
          ],
        },
      },
    ],
  },
]
