interface Shown {
  /** Names of tests that fail where a figure of the statement is not so, by file. */
  tests?: Record<string, string[]>
  /** Lines that hold the figure, by file, where what it limits is tested with smaller ones. */
  code?: Record<string, string[]>
}

const accountLinks = 'server/features/account/account-links.test.ts'
const assistants = 'server/features/assistants/assistants.test.ts'
const attendees = 'server/features/seat/attendee-actions.test.ts'
const anonymous = 'server/features/auth/anonymous-query-queue.test.ts'
const branding = 'server/features/phones/branding.test.ts'
const claims = 'server/features/login/claim-session.test.ts'
const guessing = 'test/api/guessing.test.ts'
const logos = 'server/features/app-info/logo/upload-logo.test.ts'
const mails = 'server/features/mail/send-mails.test.ts'
const masters = 'server/features/masters/masters.test.ts'
const passkeys = 'server/features/account/passkeys.test.ts'
const presence = 'server/features/live-room/presence.test.ts'
const rateLimit = 'server/plugins/rate-limit.test.ts'
const refusedCalls = 'server/features/auth/refused-calls.test.ts'
const seat = 'server/features/seat/seat.test.ts'
const secondFactor = 'server/features/account/second-factor.test.ts'
const secondStep = 'server/features/login/second-step.test.ts'
const signInLinks = 'server/features/phones/sign-in-links.test.ts'
const turnQueue = 'server/lib/turn-queue.test.ts'
const turns = 'server/plugins/turns.test.ts'
const unread = 'server/plugins/unread-answers.test.ts'
const words = 'server/features/room-words/words.test.ts'
const webhooks = 'server/zoom/webhooks.test.ts'

const limitOf = (...calls: string[]): Shown => ({ tests: { [rateLimit]: calls } })

/**
 * Statements of `docs/security.md` that hold figures, in its order, with what would fail if one of them were not so.
 * Empty ones hold no limit, such as the number of a standard's requirement.
 */
export const FIGURES: [statement: string, shown: Shown][] = [
  [
    'argon2id hashes (19 MiB, two passes)',
    { tests: { 'test/processes/postgresql-faults.test.ts': ['stored as argon2id, at the cost that OWASP'] } },
  ],
  ['the audit, for two years', { tests: { 'server/jobs/job-runner.test.ts': ['an audit row after two years'] } }],
  ['a host makes at most 20', { tests: { [assistants]: ['is one of twenty'] } }],
  [
    '50 at most, twenty invitations open at a time, sixty links of a master a minute',
    {
      tests: {
        [masters]: ['is refused if all would be more than fifty masters', 'is one of twenty at most'],
        [accountLinks]: ['is made sixty times a minute'],
      },
    },
  ],
  ['when two remove each other', { tests: { [masters]: ['is one, if two remove each other at once'] } }],
  ['20 such files a minute', { tests: { 'test/api/person.test.ts': ['is audited, limited to 20 a minute'] } }],
  [
    "after two hours without an action, and after twelve in any case; a phone's after 30 days",
    {
      tests: {
        'server/features/login/login.test.ts': ['ends after two hours with only polls, and after twelve hours'],
        'server/features/auth/session-ends.test.ts': ['a phone is signed in for 30 days, whether or not it is used'],
      },
    },
  ],
  [
    'frozen for more than 3 s',
    {
      tests: { 'test/nodes/sessions.test.ts': ['has ended at the other when that has been frozen meanwhile'] },
      code: { 'server/lib/pause-guard.ts': ['LONGEST_GAP_MS = 3_000'] },
    },
  ],
  ['once and within 24 hours', { tests: { [signInLinks]: ['lasts 24 hours, and is then swept away'] } }],
  [
    '256 random bits, of which the database has the hash; it stands',
    { tests: { 'server/lib/secrets.test.ts': ['a token has 256 random bits'] } },
  ],
  [
    'for 15 minutes, until it has used the session that the link opened: twenty times at once, and ten a minute',
    {
      tests: {
        [signInLinks]: [
          'may do so for a quarter of an hour',
          'may do so twenty times in a row, and then ten times a minute',
        ],
      },
    },
  ],
  [
    '(24 hours), and invites another master with it (7 days)',
    {
      tests: {
        [accountLinks]: ['is made by a master, valid for 24 hours'],
        [masters]: ['runs out after seven days'],
      },
    },
  ],
  [
    'a host makes it for its assistants (7 days), sixty a minute',
    {
      tests: { [assistants]: ['is invited until the link expires'], [accountLinks]: ['is made sixty times a minute'] },
    },
  ],
  [
    'twenty are tried at once, and six a minute',
    { tests: { [accountLinks]: ['admits twenty passwords at once, from wherever'] } },
  ],
  [
    'looks at a link sixty times at once, and once a second',
    { tests: { [accountLinks]: ['is looked at sixty times by one address, and then once a second'] } },
  ],
  ['SHA-1, 6 digits, 30 s', { tests: { [secondFactor]: ["algorithm: 'SHA1'", 'digits: 6', 'period: 30'] } }],
  ['a challenge, 256 random bits', { tests: { 'server/lib/secrets.test.ts': ['a token has 256 random bits'] } }],
  [
    'lasts five minutes and five tries',
    { tests: { [secondStep]: ['lasts five minutes', 'ends with the fifth wrong code of a challenge'] } },
  ],
  ['has at most 20; the oldest gives way', { tests: { [secondStep]: ['keeps twenty challenges of an account'] } }],
  ['ten wrong codes an hour', { tests: { [secondStep]: ['takes ten wrong codes of an account in an hour'] } }],
  ['those of the 30 s before and after', { tests: { [secondFactor]: ['accepts codes of the step before and after'] } }],
  ['for five minutes and once', { tests: { [passkeys]: ['answers its options once, within five minutes'] } }],
  [
    'Ten wrong codes do not lock them',
    { tests: { [passkeys]: ['still signs in when the account has no wrong codes left'] } },
  ],
  ['has ten at most', { tests: { [passkeys]: ['is one of ten at most'] } }],
  ['comes with ten **recovery codes**', { tests: { [secondFactor]: ['gives ten recovery codes'] } }],
  [
    '(50 random bits behind two characters that select the row)',
    {
      tests: { [secondFactor]: ['HJKMNP-TV-Z]{2}-[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/'] },
      code: {
        'server/features/second-factor/recovery-codes.ts': [
          'PREFIX_LENGTH = 2',
          'LENGTH = 12',
          'randomInt(ALPHABET.length)',
        ],
      },
    },
  ],
  [
    '100 a minute from an IPv6 /56, 400 from a /48, 200 from an IPv4 /24; 20 from an address',
    {
      tests: {
        [guessing]: ["['an IPv6 /56', 100", "['an IPv6 /48', 400", "['an IPv4 /24', 200"],
        'server/features/auth/network-failures.test.ts': ['an address is checked twenty times at one time'],
      },
    },
  ],
  [
    'signs in 20 times at once and 6 times a minute',
    { tests: { [guessing]: ['twenty at once, then six a minute, on known devices'] } },
  ],
  [
    '50 checks wait for known devices, 50 for others',
    {
      tests: { 'server/features/auth/password-turns.test.ts': ['fifty checks wait on devices that are known or not'] },
    },
  ],
  [
    'at most 2,000 rows a day (UTC) of one host, 2,000 of accounts that no host has, and 10,000 of all',
    {
      tests: {
        [refusedCalls]: [
          'have 2,000 rows a day of one host',
          'have 2,000 rows a day of accounts that no host has',
          'have 10,000 rows a day of all hosts',
        ],
      },
    },
  ],
  [
    'have 2,000 rows a day of that account',
    { tests: { [refusedCalls]: ['have rows of their own after the right password and in a session'] } },
  ],
  [
    'sets at most 5,000 passwords at once, and 20 a second',
    {
      tests: { 'server/features/auth/password-turns.test.ts': ['sets 5,000 passwords at once, then twenty a second'] },
    },
  ],
  [
    'acts on single users 20 times at once and 10 times a second, and on up to 500 at a time 300 times a minute',
    {
      tests: {
        [rateLimit]: [
          'a host may act twenty times at once, then ten times a second',
          "[300, 'POST', '/host/users/bulk/mute'",
        ],
        'server/features/room-users/room-users.test.ts': ['At most 500 users at a time'],
      },
    },
  ],
  [
    'reads 2,000 passwords at once, such as the cards of a whole room, and 20 a minute',
    limitOf('a host may read 2,000 passwords at once, then twenty a minute'),
  ],
  [
    'has at most 10,000 users',
    { tests: { 'server/features/room-users/import-room-users.test.ts': ['limits a room to ten thousand users'] } },
  ],
  ['changes its state 20 times a second', { tests: { [presence]: ['publishes at most twenty changes a second'] } }],
  [
    'leaves the room ten times at once, and every six seconds',
    { tests: { [presence]: ['is believed ten times at once, then every six seconds'] } },
  ],
  [
    '50,000 of a host at once, and as many a day',
    {
      tests: { 'server/features/audit/listed-users.test.ts': ['says how many changed, until more may be listed'] },
      code: { 'server/features/audit/listed-users.ts': ['burst: 50_000', 'perSecond: 50_000 / 86_400'] },
    },
  ],
  [
    'writes 400 times at once, and 20 times a second',
    limitOf('a host may write 400 times at once, then twenty times a second'),
  ],
  [
    'was last used (once a minute)',
    { tests: { 'server/features/login/login.test.ts': ['is stored as used once a minute'] } },
  ],
  [
    'undoes that, 60 times at once, and once a second after that; one user 20 times at once and 10 times a second',
    limitOf(
      'sixty times at once, then once a second, undone ones too',
      'a host may act twenty times at once, then ten times a second',
    ),
  ],
  [
    'cut to a snapshot at 4 MB',
    {
      tests: {
        'server/features/live-room/replication/redis-room-logs.test.ts': [
          'a log of large changes is cut to a snapshot',
        ],
      },
      code: { 'server/features/live-room/replication/redis-room-log.ts': ['LARGEST_LOG = 4_000_000'] },
    },
  ],
  [
    'sends and takes back words 20 times at once, and one every three seconds after that',
    { tests: { [words]: ['comes twenty times at once, and a confirmation too'] } },
  ],
  [
    'has 200 characters, in one line without invisible ones',
    { tests: { [words]: ['with text that is no short line'] }, code: { 'shared/room-words.ts': ['WORD_MAX = 200'] } },
  ],
  [
    'on the phones of 50 users at most one of their own',
    {
      tests: { [words]: ['stands on so many phones at most'] },
      code: { 'shared/room-words.ts': ['USER_WORDS_MAX = 50'] },
    },
  ],
  [
    'confirms 20 times at once, and once a second after that',
    { tests: { [words]: ['comes twenty times at once, and a confirmation too'] } },
  ],
  ['saves App Info 20 times a minute', limitOf("[20, 'PUT', '/host/app-info'")],
  ['uploads twelve logos a minute', { tests: { [logos]: ['accepts twelve a minute'] } }],
  [
    '20 more wait, 6 s at most',
    {
      tests: {
        [logos]: ['decodes one picture at a time, and hosts take turns'],
        [turnQueue]: [
          'refuses at its turn a call that has waited too long',
          'gives a newcomer the place of the newest',
        ],
      },
      code: { 'server/features/app-info/logo/routes.ts': ['maxWaiting: 20', 'longestWaitMs: 6_000'] },
    },
  ],
  ['more than 100 scans', { tests: { 'server/features/app-info/logo/image.test.ts': ['a JPEG of 101 more scans'] } }],
  [
    '512 pixels a side at most, in 8 bits',
    { tests: { 'server/features/app-info/logo/image.test.ts': ['stores a large picture small, and in 8 bits'] } },
  ],
  ['gets 20 files of records a minute', limitOf("[20, 'GET', '/host/attendance?format=csv'")],
  [
    '300 pages a minute, which list 5,000 users at most',
    {
      tests: {
        [rateLimit]: ["[300, 'GET', '/host/audit'"],
        'server/features/audit/read-audit.test.ts': ['lists 5,000 users at most'],
      },
    },
  ],
  ['the list of users 1,200 times at each server', limitOf('a session gets the list of users 1,200 times a minute')],
  [
    'Two searches for one user run at a time',
    { tests: { 'server/features/audit/read-audit.test.ts': ['two searches for a user run at a time'] } },
  ],
  [
    'waited for 6 s is refused',
    {
      tests: { [turnQueue]: ['refuses at its turn a call that has waited too long'] },
      code: { 'server/features/audit/audit-search-queue.ts': ['LONGEST_WAIT_MS = 6_000'] },
    },
  ],
  [
    'more than 1 ms all the same, as in a room of thousands, is built again after nine times as long, 2 s at most',
    {
      tests: {
        'server/features/live-room/streams/polled-list.test.ts': [
          'is built at once after a short build',
          'is due again after nine times as long',
          'is due again after 2 s',
        ],
      },
    },
  ],
  [
    '240 times a minute each at each server',
    limitOf("[240, 'GET', '/host/phone-requests'", "[240, 'GET', '/host/sign-in-links'"),
  ],
  ['searches its users 120 times a minute', limitOf('a host searches its users 120 times a minute')],
  [
    '250 of them at a time',
    {
      tests: { 'server/features/room-users/find-users.test.ts': ['lets other calls go on'] },
      code: { 'server/features/room-users/find-users.ts': ['SLICE = 250'] },
    },
  ],
  [
    'Three calls of a host, master or phone that read or write the database run at a time at one server, over all its sessions, and beside them six that wait for Zoom, and six files',
    {
      tests: {
        [turns]: [
          'run three at a time, over all its sessions',
          'a turn ends before its answer is read, unless it is a file',
        ],
      },
      code: { 'server/plugins/turns.ts': ['database: 3, zoom: 6, files: 6'] },
    },
  ],
  [
    'Up to 500 more wait for these, 6 s at most, and keep no other account waiting',
    { tests: { [turns]: ['are refused beyond 500 that wait', 'are refused after a wait of six seconds'] } },
  ],
  [
    "four of a server's ten connections",
    {
      tests: { [anonymous]: ['run four at a time, so that signed-in people are answered'] },
      code: { 'server/db/postgres-pool.ts': ['max: 10'] },
    },
  ],
  [
    'Up to 500 more wait for these, 6 s at most; the rest',
    { tests: { [anonymous]: ['are refused beyond 500 that wait', 'are refused after a wait of six seconds'] } },
  ],
  ['where 500 wait', { tests: { [anonymous]: ['are refused beyond 500 that wait, unless their address has fewer'] } }],
  [
    'Twenty recordings of a host are sent at a time',
    { tests: { 'server/features/recordings/media-stream.test.ts': ['twenty recordings are sent at a time'] } },
  ],
  [
    'looked up once in 10 s',
    { tests: { 'server/features/auth/sessions.test.ts': ['an ended session is looked up once in 10 s'] } },
  ],
  [
    'A phone plays only what the host shares, 20 recordings of a room at most. Its link asks for 60 parts at once, then one a second',
    {
      tests: {
        'server/features/recordings/shared-recordings.test.ts': [
          'is read in sixty parts at once, and other phones have theirs',
          'no more than so many of a room are shared',
        ],
      },
      code: {
        'server/features/recordings/routes.ts': ['burst: 60,\n  perSecond: 1,'],
        'shared/recordings.ts': ['SHARED_RECORDINGS_MAX = 20'],
      },
    },
  ],
  [
    'reads two at a time, those of a room 200',
    {
      tests: { 'server/features/recordings/media-stream.test.ts': ['a phone is sent two at a time'] },
      code: { 'server/features/recordings/routes.ts': ['STREAMS_OF_ROOM = 200'] },
    },
  ],
  [
    'The list is read 30 times a minute',
    { code: { 'server/features/recordings/routes.ts': ['listSharedRecordings, config: { rateLimit: { max: 30 } }'] } },
  ],
  [
    'Answers of 16 KB or more',
    {
      code: { 'server/lib/large-answer.ts': ['LARGE_ANSWER_BYTES = 16_384'] },
      tests: { [unread]: ['20 large answers'] },
    },
  ],
  [
    'not read 20, or 32 MB of them',
    { tests: { [unread]: ['has not read 32 MB is refused', 'has not read 20 large answers is refused another'] } },
  ],
  ['for five minutes is ended', { tests: { [unread]: ['takes nothing of its answer for five minutes is ended'] } }],
  [
    '120 times a minute each, and the list of recordings that asks Zoom as often',
    limitOf(
      "[120, 'GET', '/host/attendance'",
      "[120, 'GET', '/host/attendance/charts'",
      "[120, 'GET', '/host/attendance/meetings'",
      "[120, 'GET', '/host/meetings'",
      "[120, 'GET', '/host/dashboard'",
      "[120, 'GET', '/recordings'",
      "[120, 'GET', '/recordings?fetch_live=true'",
    ),
  ],
  ['It searches transcripts 120 times a minute', limitOf("[120, 'GET', '/host/recordings/search?q=harvest'")],
  [
    'A transcript of more than 5 MB or 20,000 lines',
    { tests: { 'server/features/recordings/transcripts/transcripts.test.ts': ['5 * 1024 ** 2', 'repeat(20_001)'] } },
  ],
  [
    'token checked 120 times a minute (`/auth/verify`), over all its sessions, and a phone asks sixty times a minute',
    limitOf("[120, 'POST', '/auth/verify'", 'a phone may ask who it is sixty times a minute'),
  ],
  ['asked for ten such rooms within a minute', { tests: { [branding]: ['after ten unknown Host IDs in a minute'] } }],
  [
    'sees rooms that exist 500 times at once, as a hall of phones does, and ten times a second',
    { tests: { [branding]: ['a hall of 500 phones behind one address sees the room at once'] } },
  ],
  [
    'takes its seat in the Zoom meeting six times a minute',
    { tests: { [seat]: ['is taken six times a minute at most'] } },
  ],
  [
    'reports five times a second, ten at once, in parts of 300 people and 128 KiB',
    {
      tests: {
        [seat]: ['is refused when it is too fast or too large'],
      },
    },
  ],
  [
    'lists 1,000 people, with 64 visible characters of each name, in memory, and in Redis where several servers share it; of more it counts up to 1,000',
    {
      tests: {
        [seat]: ['a thousand are listed, and the others counted'],
        'shared/visible.test.ts': ['is cut to what can be seen of 64 characters'],
      },
    },
  ],
  [
    'reads that list 240 times a minute at each server, and acts on those in it 20 times at once and 10 times a second',
    {
      tests: {
        [seat]: ['is read 240 times a minute by a host'],
        [attendees]: ['is refused beyond ten a second', 'is limited with the other acts'],
      },
    },
  ],
  ['asks once in 5 s at most', { code: { 'web/seat/zoom-limits.ts': ['muteAll: 5_100'] } }],
  [
    'remembers 500 of their names, 60 a minute',
    { tests: { [attendees]: ['remembers 500 names at most', 'takes sixty names a minute'] } },
  ],
  [
    '2,000 joinings of a meeting',
    {
      tests: { 'server/features/rooms/zoom-app-joins.test.ts': ['no more than 2,000 joinings of a meeting are kept'] },
    },
  ],
  ['starts any meeting of the host for five minutes', { tests: { [seat]: ['toBe(300_000)'] } }],
  ['their second factor 20 times a minute each', { tests: { [secondFactor]: ['is changed twenty times a minute'] } }],
  [
    'at least 8 characters, is not among 10,000 common ones',
    {
      tests: {
        'server/features/account/account.test.ts': [
          'The password must have at least 8 characters',
          'This password is too common',
        ],
        'test/repository/common-passwords.test.ts': ['the passwords that the server refuses'],
      },
    },
  ],
  [
    'The 10,000 are the most frequent of the same dictionary, 4,535 of them with 8 characters or more',
    { tests: { 'test/repository/common-passwords.test.ts': ['4_535'] } },
  ],
  [
    'within the last 15 minutes',
    { tests: { 'server/features/account/confirm.test.ts': ['is done for 15 minutes after the sign-in'] } },
  ],
  [
    'at most 20 console sessions',
    {
      tests: {
        'server/features/auth/session-limit.test.ts': ['the 21st sign-in of a host', 'the 21st sign-in of a master'],
        'server/features/login/assistant-login.test.ts': ['are at most twenty of each account'],
      },
    },
  ],
  [
    "at most 5 at one server, a phone's 2",
    {
      tests: {
        'server/features/live-room/streams/stream-limits.test.ts': ["['a console session', 5", '["a user\'s phone", 2'],
      },
    },
  ],
  [
    'opens 60 streams a minute',
    { tests: { 'server/features/live-room/streams/stream-limits.test.ts': ['opens sixty times a minute'] } },
  ],
  [
    'for five seconds at most, before it serves anyone',
    {
      tests: { 'test/nodes/limits-at-start.test.ts': ['a server that starts has read what was told before it serves'] },
      code: { 'server/redis/redis-bus.ts': ['LONGEST_READING_MS = 5_000'] },
    },
  ],
  [
    'beyond 120 a minute and server',
    { tests: { 'server/plugins/request-log.test.ts': ['the calls of one account have 120 lines a minute'] } },
  ],
  [
    'have a line in ten seconds',
    { tests: { 'server/plugins/request-log.test.ts': ['calls before sign-in have one line in ten seconds'] } },
  ],
  ['Compose keeps 250 MB of output', { code: { 'deploy/compose.yaml': ["max-size: 50m, max-file: '5'"] } }],
  [
    'more than twenty calls wait for the answer to an earlier one',
    {
      tests: {
        'server/plugins/pipelining.test.ts': [
          'a connection has twenty calls that wait',
          'a connection on which more wait is ended',
        ],
      },
    },
  ],
  [
    'not sent a whole request within 35 s is ended. A server keeps 4,000 of these, and leaves 1,000 of the files',
    {
      tests: {
        'server/app.test.ts': ['toBe(30_000)'],
        'server/plugins/connection-limit.test.ts': ['of the busiest network gives way'],
        'test/processes/silent-connections.test.ts': ['silent connections of one address do not take all files'],
      },
      code: {
        'server/app.ts': ['connectionsCheckingInterval: 5_000'],
        'server/plugins/connection-limit.ts': ['4_000', '1_000'],
      },
    },
  ],
  [
    'With fewer than 16,000 files it keeps a quarter of them, and with fewer than 2,000 it leaves half',
    {
      tests: {
        'test/processes/silent-connections.test.ts': ['silent connections of one address do not take all files'],
      },
      code: {
        'server/plugins/connection-limit.ts': [
          'Math.min(MAX_SILENT, files / 4)',
          'Math.min(RESERVED_FILES, files / 2)',
        ],
      },
    },
  ],
  [
    'at most 1 MB, those of phones 64 KB and those before sign-in 16 KB',
    {
      tests: {
        'test/api/api-bodies.test.ts': [
          'sooner from those who have not signed in, and from phones',
          'by its length, on every call',
        ],
      },
    },
  ],
  [
    "(Zoom's events: 1 MB, of which a server reads 20 above 16 KB at a time, each for 10 s at most",
    {
      tests: { [webhooks]: ['returns 413 for more than a megabyte', 'at most twenty at a time'] },
    },
  ],
  ['where 20 are read', { tests: { [webhooks]: ['takes a place from the network with the most'] } }],
  ['takes 20 new ones', { tests: { [webhooks]: ['takes the place of the oldest body for a network without any'] } }],
  [
    'sends six above 64 KB at a time to a server, a phone six above 4 KB',
    {
      tests: {
        'server/plugins/large-bodies.test.ts': ['content-length: 65537', 'a phone sends six bodies above 4 KB'],
      },
    },
  ],
  ['whole within 35 s is ended', { tests: { 'server/app.test.ts': ['toBe(30_000)'] } }],
  ['two people could look alike', {}],
  [
    'among the 10,000 that leaked most often, in any case, nor be made of one or two characters',
    {
      tests: {
        'test/repository/common-passwords.test.ts': ['the passwords that the server refuses'],
        'server/features/hosts/edit-host.test.ts': ['This password is too common. Choose another.'],
      },
    },
  ],
  [
    'two hosts cannot tell',
    { tests: { 'web/phone/sign-in/device.test.tsx': ['a browser calls itself another device in each room'] } },
  ],
  [
    'newest 1,000 of a host',
    { tests: { 'server/plugins/idempotency.test.ts': ['keeps the newest 1,000 answers of one caller'] } },
  ],
  ['a repeat gets 401', {}],
  ['if that has 20 characters or more', { tests: { [claims]: ['that can be guessed, and keeps no answer'] } }],
  ['For six minutes after the sign-in', { tests: { [claims]: ['6 * 60_000 + 1'] } }],
  [
    'the newest 50,000',
    {
      tests: {
        'test/nodes/limits-at-start.test.ts': [
          'no number of calls without an account makes a server that starts forget',
        ],
      },
      code: { 'server/redis/redis-bus.ts': ['KEPT_MESSAGES = 50_000'] },
    },
  ],
  [
    'an hour, 15 s',
    { tests: { 'test/nodes/signs-of-life.test.ts': ['keeps in Redis for 15 s that a phone has a stream'] } },
  ],
  [
    "15 s after the server's last sign",
    {
      tests: { 'test/nodes/moderators.test.ts': ['the console of a server that was killed is gone within 30 s'] },
      code: { 'server/features/live-room/replication/moderators-elsewhere.ts': ['MODERATORS_EXPIRY_MS = 15_000'] },
    },
  ],
  ['“2 of 3 phones”', {}],
  [
    "at most 10 links, 10 invitations, 20 mails on changes of the account, 5 on Zoom's connection, 5 on a planned meeting, 3 on the end of a subscription, 2 on a full archive and 1 on a failed backup",
    { tests: { [mails]: ['an address gets %i mails a day of a kind'] } },
  ],
  ['a test mail six times a minute', { tests: { 'server/features/system/test-mail.test.ts': ['six times a minute'] } }],
  ['1,000 mails wait at most', { tests: { [mails]: ['no more than a thousand wait'] } }],
  [
    'A step of it has 10 s, a mail 60 s',
    {
      tests: { [mails]: ['that says nothing, at first or after its greeting, is given up after ten seconds'] },
      code: { 'server/features/mail/send-mails.ts': ['SEND_MS = 60_000'] },
    },
  ],
  [
    'accepted for up to two hours',
    { tests: { 'server/zoom/webhook-inbox.test.ts': ["['two hours'", 'more than two hours old'] } },
  ],
  [
    'ten minutes, once',
    { tests: { 'server/features/zoom-accounts/oauth-callback.test.ts': ['works for ten minutes', 'works once'] } },
  ],
  [
    'after fifty changes in a day, within half an hour',
    { tests: { 'server/features/rooms/change-passcode.test.ts': ['after fifty in a day (UTC) every half hour'] } },
  ],
  ['has joined twice', { tests: { [attendees]: ['gives no right to somebody else with its key'] } }],
  ['neither of the two', { tests: { [attendees]: ['gives no right to somebody else with its key'] } }],
  [
    'until seven newer ones have been taken',
    { tests: { 'test/processes/snapshots.test.ts': ['keeps the newest seven'] } },
  ],
  ['OWASP ASVS 5.0, level 2', {}],
  ['Verification Standard] 5.0', {}],
  ['Passwords have at least 8 characters |', {}],
  [
    'Owners choose 8 or more for themselves',
    { tests: { 'server/features/account/account.test.ts': ['The password must have at least 8 characters'] } },
  ],
  [
    'A master may set a host one of 6, and a host a room user one of 4',
    {
      tests: {
        'server/features/hosts/edit-host.test.ts': ['Password must be at least 6 characters'],
        'server/features/room-users/room-users.test.ts': ['Password must be at least 4 characters'],
      },
    },
  ],
  [
    'Ten thousand common ones are refused',
    { tests: { 'test/repository/common-passwords.test.ts': ['the passwords that the server refuses'] } },
  ],
  [
    'and 10,000 common passwords are refused',
    { tests: { 'test/repository/common-passwords.test.ts': ['the passwords that the server refuses'] } },
  ],
  ['Codes live 30 seconds', { tests: { [secondFactor]: ['accepts codes of the step before and after'] } }],
  [
    'after twenty tries',
    { tests: { 'server/features/auth/network-failures.test.ts': ['an address is checked twenty times at one time'] } },
  ],
]
