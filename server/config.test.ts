import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { BadSetting, listenFault, readConfig } from './config.ts'

test('an empty environment configures one machine', () => {
  expect(readConfig({})).toMatchObject({
    PORT: 3000,
    BIND: '127.0.0.1',
    DATA_DIR: 'data',
    PUBLIC_URL: 'http://localhost:3000',
    MASTER_HOSTNAME: 'master.localhost',
    HOST_HOSTNAME: 'host.localhost',
    PHONE_HOSTNAME: 'phone.localhost',
    ZOOM_SDK_URL: 'https://source.zoom.us',
    ZOOM_SDK_VERSION: '6.2.0',
    hasOwnSdkUrl: false,
    isDemoZoom: true,
    HOST_SEAT: true,
    HOST_SEAT_SOUND: false,
    FEATURES: [],
    TRUST_PROXY: false,
  })
})

test('refuses the first master’s e-mail as its password', () => {
  const set = { MASTER_EMAIL: 'master@a.example', MASTER_PASSWORD: 'Master@a.example' }
  expect(() => readConfig(set)).toThrow(/^MASTER_PASSWORD is the same as MASTER_EMAIL/)
})

test('treats an empty variable as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' }).PORT).toBe(3000)
})

describe('a secret from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-settings-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const KEY = '0123456789abcdef0123456789abcdef'
  function fileOf(content: string | Buffer): string {
    const path = join(folder, `${randomUUID()}.txt`)
    writeFileSync(path, content)
    return path
  }

  test.each([KEY, `${KEY}\n`, `${KEY}\r\n`, `\ufeff${KEY}\n`])(
    'is its content without the last line break',
    (content) => {
      expect(readConfig({ SECRET_KEY_FILE: fileOf(content) }).SECRET_KEY).toBe(KEY)
    },
  )

  test('keeps further line breaks and spaces', () => {
    const DATABASE_URL = 'postgresql://parley@db/parley'
    const config = readConfig({ SECRET_KEY_FILE: fileOf(` ${KEY}\n\n`), DATABASE_URL, ZOOM_DEMO: 'true' })
    expect(config.SECRET_KEY).toBe(` ${KEY}\n`)
  })

  test('is read for each secret, and for nothing else', () => {
    const path = fileOf('a-token-of-sixteen-characters')
    const { METRICS_TOKEN, PORT } = readConfig({ METRICS_TOKEN_FILE: path, PORT_FILE: '/nowhere' })
    expect([METRICS_TOKEN, PORT]).toEqual(['a-token-of-sixteen-characters', 3000])
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'SECRET_KEY', 'MASTER_PASSWORD', 'ZOOM_CLIENT_SECRET'])
      expect(() => readConfig({ [`${name}_FILE`]: '/nowhere' })).toThrow(`${name}_FILE is "/nowhere", which`)
    for (const name of ['ZOOM_WEBHOOK_SECRET', 'ZOOM_SDK_SECRET'])
      expect(() => readConfig({ [`${name}_FILE`]: '/nowhere' })).toThrow(`${name}_FILE is "/nowhere", which`)
  })

  test('is refused beside the setting, unreadable, empty or bad, and never shown', () => {
    const SECRET_KEY_FILE = fileOf(KEY)
    const both = { SECRET_KEY: KEY, SECRET_KEY_FILE }
    expect(() => readConfig(both)).toThrow('SECRET_KEY and SECRET_KEY_FILE are both set; set one.')
    expect(readConfig({ SECRET_KEY: '', SECRET_KEY_FILE }).SECRET_KEY).toBe(KEY)
    expect(() => readConfig({ SECRET_KEY_FILE: folder })).toThrow(
      `SECRET_KEY_FILE is "${folder}", which cannot be read (EISDIR).`,
    )
    const empty = fileOf('\n')
    expect(() => readConfig({ SECRET_KEY_FILE: empty })).toThrow(`SECRET_KEY_FILE is "${empty}", which is empty.`)
    for (const content of [Buffer.from(KEY.replace('0', '\xff'), 'latin1'), KEY.repeat(2_048), '/dev/zero']) {
      const path = content === '/dev/zero' ? content : fileOf(content)
      expect(() => readConfig({ SECRET_KEY_FILE: path })).toThrow(
        `SECRET_KEY_FILE is "${path}", which is not a text of less than 64 KB.`,
      )
    }
    expect(() => readConfig({ SECRET_KEY_FILE: fileOf('short-secret\n') })).toThrow(
      'SECRET_KEY is set to 12 characters that are not valid; it must be at least 32 random bytes.',
    )
  })
})

describe('reports a bad value together with the allowed ones', () => {
  test.each([
    [{ PORT: 'eighty' }, 'PORT is "eighty"; it must be a port from 0 to 65535.'],
    ...[' ', '1e3', '0x10', '80.5', '-1'].map((PORT): [Record<string, string>, string] => [
      { PORT },
      `PORT is "${PORT}"; it must be a port from 0 to 65535.`,
    ]),
    ...['a.example', 'ftp://a.example', 'https://a.example/x', 'https://a.example?x', 'https://u:p@a.example'].map(
      (PUBLIC_URL): [Record<string, string>, string] => [
        { PUBLIC_URL },
        `PUBLIC_URL is "${PUBLIC_URL}"; it must be an origin like https://parley.example.`,
      ],
    ),
    [
      { ZOOM_OAUTH_URL: 'https://zoom.us/oauth' },
      'ZOOM_OAUTH_URL is "https://zoom.us/oauth"; it must be an origin like https://zoom.us.',
    ],
    [{ PORT: '70000' }, 'PORT is "70000"; it must be a port from 0 to 65535.'],
    [
      { FEATURES: 'logo-upload,chat' },
      'FEATURES is "logo-upload,chat"; it must be a comma-separated list of logo-upload, downloads.',
    ],
    [{ HOST_SEAT: 'true' }, 'HOST_SEAT is "true"; it must be on or off.'],
    [{ TRUST_PROXY: 'maybe' }, 'TRUST_PROXY is "maybe"; it must be true or false.'],
    [
      { ZOOM_API_URL: 'https://api.zoom.us' },
      'ZOOM_API_URL is "https://api.zoom.us"; it must be an address that ends in /v2, like https://api.zoom.us/v2.',
    ],
    [
      { ZOOM_SDK_URL: 'https://sdk.example?v=1' },
      'ZOOM_SDK_URL is "https://sdk.example?v=1"; it must be an address like https://source.zoom.us.',
    ],
    ...['6.2', 'v6.2.0', '6.2.0/..', 'latest'].map((ZOOM_SDK_VERSION): [Record<string, string>, string] => [
      { ZOOM_SDK_VERSION },
      `ZOOM_SDK_VERSION is "${ZOOM_SDK_VERSION}"; it must be a version like 6.2.0.`,
    ]),
    [{ PHONE_HOSTNAME: '192.0.2.7' }, 'PHONE_HOSTNAME is "192.0.2.7"; it must be a host name.'],
    [{ ZOOM_CONNECT_SECONDS: '0' }, 'ZOOM_CONNECT_SECONDS is "0"; it must be a number of seconds from 1 to 600.'],
    ...['x'.repeat(64), 'secret'.repeat(8)].map((SECRET_KEY): [Record<string, string>, string] => [
      { SECRET_KEY },
      `SECRET_KEY is set to ${SECRET_KEY.length} characters that are not valid; it must be at least 32 random bytes.`,
    ]),
    [
      { METRICS_TOKEN: 'fifteen letters' },
      'METRICS_TOKEN is set to 15 characters that are not valid; it must be at least 16 characters.',
    ],
    ...['7,4', '7,4,12,1', '7,4,-1', 'all', '1000,4,12'].map((BACKUP_KEEP): [Record<string, string>, string] => [
      { BACKUP_KEEP },
      `BACKUP_KEEP is "${BACKUP_KEEP}"; it must be three numbers up to 999, such as 7,4,12.`,
    ]),
    [{ BACKUP_HOURS: '0' }, 'BACKUP_HOURS is "0"; it must be a number of hours from 1 to 720.'],
    ...['29', '3651', '90 days'].map((RETENTION_AUDIT_DAYS): [Record<string, string>, string] => [
      { RETENTION_AUDIT_DAYS },
      `RETENTION_AUDIT_DAYS is "${RETENTION_AUDIT_DAYS}"; it must be a number of days from 30 to 3650.`,
    ]),
    ...['RETENTION_ATTENDANCE_DAYS', 'RETENTION_RECORDINGS_DAYS'].map((name): [Record<string, string>, string] => [
      { [name]: '0' },
      `${name} is "0"; it must be a number of days from 1 to 3650.`,
    ]),
    [{ STOP_SECONDS: '9 s' }, 'STOP_SECONDS is "9 s"; it must be a number of seconds from 1 to 600.'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud"; it must be fatal, error, warn, info, debug, trace or silent.'],
  ])('%j', (env, message) => {
    expect(() => readConfig(env)).toThrow(new BadSetting(message))
  })

  test('never prints a secret', () => {
    const read = () => readConfig({ SECRET_KEY: 'short-secret' })
    expect(read).toThrow('SECRET_KEY is set to 12 characters that are not valid; it must be at least 32 random bytes.')
    expect(read).not.toThrow(/short-secret/)
    const REDIS_URL = 'redis+sentinel://:short-secret@a.example'
    expect(() => readConfig({ REDIS_URL })).toThrow(
      'REDIS_URL is set to 40 characters that are not valid; it must be an address like redis://host:6379, ' +
        'redis+sentinel://host:26379,host:26379/name or redis+cluster://host:6379,host:6379.',
    )
  })
})

describe('settings that depend on each other', () => {
  test.each([
    [{ DATABASE_URL: 'postgres://localhost/x' }, /^SECRET_KEY is not set/],
    [{ REDIS_URL: 'redis://localhost' }, /^DATABASE_URL is not set. With REDIS_URL, set it to the address of the Post/],
    [{ ZOOM_CLIENT_ID: 'x' }, /^ZOOM_CLIENT_SECRET is not set/],
    [{ ZOOM_CLIENT_SECRET: 'x' }, /^ZOOM_CLIENT_ID is not set/],
    [{ MASTER_HOSTNAME: 'a.example', HOST_HOSTNAME: 'A.example' }, /^HOST_HOSTNAME is "A.example", the same as MASTER/],
    [{ PHONE_HOSTNAME: 'HOST.localhost' }, /^PHONE_HOSTNAME is "HOST.localhost", the same as HOST_HOSTNAME. Choose/],
    [{ PHONE_HOSTNAME: 'master.localhost' }, /^PHONE_HOSTNAME is "master.localhost", the same as MASTER_HOSTNAME\./],
    [{ PHONE_HOSTNAME: 'localhost' }, /^PHONE_HOSTNAME is "localhost", the same as the name in PUBLIC_URL. Choose/],
    [
      { PHONE_HOSTNAME: 'a.example', HOST_HOSTNAME: 'meeting.a.example' },
      /^PHONE_HOSTNAME is "a.example", and meeting.a.example is already HOST_HOSTNAME\. Choose a different name/,
    ],
    [
      { PHONE_HOSTNAME: 'a.example', PUBLIC_URL: 'https://Meeting.a.example' },
      /^PHONE_HOSTNAME is "a.example", and meeting.a.example is already the name in PUBLIC_URL\./,
    ],
    [{ MASTER_EMAIL: 'a@b.example' }, /^MASTER_PASSWORD is not set/],
    [{ BACKUP_TO: '/mnt/backups' }, /^BACKUP_TO needs BACKUP_RECIPIENTS or BACKUP_PASSPHRASE/],
    ...['data', './data/', 'data/backups', `${process.cwd()}/data/x`].map(
      (BACKUP_TO): [Record<string, string>, RegExp] => [
        { BACKUP_TO, BACKUP_PASSPHRASE: 'six quiet green kettles' },
        /^BACKUP_TO is ".+", a folder in DATA_DIR\. Choose one elsewhere, on another disk\.$/,
      ],
    ),
  ])('%j', (env, message) => {
    expect(() => readConfig(env)).toThrow(message)
  })
})

describe('without a Zoom app the stand-in for Zoom is for this machine alone', () => {
  const SECRET_KEY = '0123456789abcdef0123456789abcdef'
  const database = { DATABASE_URL: 'postgres://localhost/x', SECRET_KEY }

  test.each([
    [database, 'DATABASE_URL'],
    [{ PUBLIC_URL: 'https://parley.example' }, 'an https PUBLIC_URL'],
    [{ BIND: '0.0.0.0' }, 'BIND=0.0.0.0, which other machines can reach'],
    [{ BIND: '::' }, 'BIND=::, which other machines can reach'],
    [{ BIND: '192.0.2.7' }, 'BIND=192.0.2.7, which other machines can reach'],
  ])('%j stops the start', (env, sign) => {
    const why = `ZOOM_CLIENT_ID is not set. It is required with ${sign}. For a stand-in instead of Zoom, set ZOOM_DEMO=true.`
    expect(() => readConfig({ ...env })).toThrow(new BadSetting(why))
    expect(() => readConfig({ ...env, ZOOM_DEMO: 'false' })).toThrow(new BadSetting(why))
    expect(readConfig({ ...env, ZOOM_DEMO: 'true' }).isDemoZoom).toBe(true)
    expect(readConfig({ ...env, ZOOM_CLIENT_ID: 'id', ZOOM_CLIENT_SECRET: 'secret' }).isDemoZoom).toBe(false)
  })

  test.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost'])('BIND=%s does not', (BIND) => {
    expect(readConfig({ BIND, PUBLIC_URL: 'http://parley.example' }).isDemoZoom).toBe(true)
  })

  test('several servers have no stand-in each', () => {
    const set = { ...database, REDIS_URL: 'redis://localhost', ZOOM_DEMO: 'true' }
    expect(() => readConfig(set)).toThrow(
      /^ZOOM_CLIENT_ID is not set. It is required with REDIS_URL, because ZOOM_DEMO gives/,
    )
  })
})

test.each([
  [
    'listen EADDRINUSE: address already in use 127.0.0.1:80',
    /^PORT=80 is already in use on 127\.0\.0\.1\. Choose a free port\.$/,
  ],
  [
    'listen EACCES: permission denied 127.0.0.1:80',
    /^PORT=80 on 127\.0\.0\.1 is not open to this user\. Choose a free port\.$/,
  ],
  ['getaddrinfo ENOTFOUND nowhere', /^BIND is "127.0.0.1"; it must be an address of this machine/],
  ['listen EADDRNOTAVAIL: address not available 127.0.0.1:80', /^BIND is/],
])('explains why a server cannot listen: %s', (said, message) => {
  expect(listenFault('PORT', 80, '127.0.0.1', said)?.message).toMatch(message)
})

test.each(['.', 'data2', '../data', '..data'])('accepts %s as BACKUP_TO beside DATA_DIR', (BACKUP_TO) => {
  const set = { BACKUP_TO, BACKUP_PASSPHRASE: 'six quiet green kettles', BACKUP_KEEP: '30, 0,1' }
  expect(readConfig(set)).toMatchObject({ BACKUP_TO, BACKUP_HOURS: 24, BACKUP_KEEP: { days: 30, weeks: 0, months: 1 } })
})

test('accepts an address of Zoom with a path and a trailing slash', () => {
  const ZOOM_SDK_URL = 'http://z.example:3001/sdk/'
  const set = { ZOOM_API_URL: 'https://z.example/a/v2/', PUBLIC_URL: 'https://p.example/', ZOOM_SDK_URL }
  expect(readConfig({ ...set, ZOOM_DEMO: 'true' })).toMatchObject({
    ZOOM_API_URL: 'https://z.example/a/v2',
    ZOOM_SDK_URL: 'http://z.example:3001/sdk',
    hasOwnSdkUrl: true,
    PUBLIC_URL: 'https://p.example',
  })
})
