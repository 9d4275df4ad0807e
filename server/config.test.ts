import { describe, expect, test } from 'vitest'
import { BadSetting, cannotListen, readConfig } from './config.ts'

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
    FEATURES: [],
    TRUST_PROXY: false,
  })
})

test('refuses the first master’s e-mail as its password', () => {
  const set = { MASTER_EMAIL: 'master@a.example', MASTER_PASSWORD: 'Master@a.example' }
  expect(() => readConfig(set)).toThrow(/^MASTER_PASSWORD holds the MASTER_EMAIL/)
})

test('treats an empty variable as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' }).PORT).toBe(3000)
})

describe('reports a bad value together with the allowed ones', () => {
  test.each([
    [{ PORT: 'eighty' }, 'PORT holds "eighty"; it may hold a port from 0 to 65535.'],
    ...[' ', '1e3', '0x10', '80.5', '-1'].map((PORT): [Record<string, string>, string] => [
      { PORT },
      `PORT holds "${PORT}"; it may hold a port from 0 to 65535.`,
    ]),
    ...['a.example', 'ftp://a.example', 'https://a.example/x', 'https://a.example?x', 'https://u:p@a.example'].map(
      (PUBLIC_URL): [Record<string, string>, string] => [
        { PUBLIC_URL },
        `PUBLIC_URL holds "${PUBLIC_URL}"; it may hold an origin like https://parley.example.`,
      ],
    ),
    [
      { ZOOM_OAUTH_URL: 'https://zoom.us/oauth' },
      'ZOOM_OAUTH_URL holds "https://zoom.us/oauth"; it may hold an origin like https://zoom.us.',
    ],
    [{ PORT: '70000' }, 'PORT holds "70000"; it may hold a port from 0 to 65535.'],
    [
      { FEATURES: 'logo-upload,chat' },
      'FEATURES holds "logo-upload,chat"; it may hold a comma list of logo-upload, downloads.',
    ],
    [{ TRUST_PROXY: 'maybe' }, 'TRUST_PROXY holds "maybe"; it may hold true or false.'],
    [
      { ZOOM_API_URL: 'https://api.zoom.us' },
      'ZOOM_API_URL holds "https://api.zoom.us"; it may hold an address that ends in /v2, like https://api.zoom.us/v2.',
    ],
    [
      { ZOOM_SDK_URL: 'https://sdk.example?v=1' },
      'ZOOM_SDK_URL holds "https://sdk.example?v=1"; it may hold an address like https://source.zoom.us.',
    ],
    ...['6.2', 'v6.2.0', '6.2.0/..', 'latest'].map((ZOOM_SDK_VERSION): [Record<string, string>, string] => [
      { ZOOM_SDK_VERSION },
      `ZOOM_SDK_VERSION holds "${ZOOM_SDK_VERSION}"; it may hold a version like 6.2.0.`,
    ]),
    [{ PHONE_HOSTNAME: '192.0.2.7' }, 'PHONE_HOSTNAME holds "192.0.2.7"; it may hold a host name.'],
    [{ ZOOM_CONNECT_SECONDS: '0' }, 'ZOOM_CONNECT_SECONDS holds "0"; it may hold a number of seconds from 1 to 600.'],
    ...['x'.repeat(64), 'secret'.repeat(8)].map((SECRET_KEY): [Record<string, string>, string] => [
      { SECRET_KEY },
      `SECRET_KEY holds ${SECRET_KEY.length} characters that do not fit; it may hold at least 32 random bytes.`,
    ]),
    [
      { METRICS_TOKEN: 'fifteen letters' },
      'METRICS_TOKEN holds 15 characters that do not fit; it may hold at least 16 characters.',
    ],
    [{ STOP_SECONDS: '9 s' }, 'STOP_SECONDS holds "9 s"; it may hold a number of seconds from 1 to 600.'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL holds "loud"; it may hold fatal, error, warn, info, debug, trace or silent.'],
  ])('%j', (env, message) => {
    expect(() => readConfig(env)).toThrow(new BadSetting(message))
  })

  test('never prints a secret', () => {
    const read = () => readConfig({ SECRET_KEY: 'short-secret' })
    expect(read).toThrow('SECRET_KEY holds 12 characters that do not fit; it may hold at least 32 random bytes.')
    expect(read).not.toThrow(/short-secret/)
    const REDIS_URL = 'redis+sentinel://:short-secret@a.example'
    expect(() => readConfig({ REDIS_URL })).toThrow(
      'REDIS_URL holds 40 characters that do not fit; it may hold an address like redis://host:6379, ' +
        'redis+sentinel://host:26379,host:26379/name or redis+cluster://host:6379,host:6379.',
    )
  })
})

describe('settings that depend on each other', () => {
  test.each([
    [{ DATABASE_URL: 'postgres://localhost/x' }, /^SECRET_KEY is not set/],
    [
      { REDIS_URL: 'redis://localhost' },
      /^DATABASE_URL is not set; with REDIS_URL it must hold the address of the Post/,
    ],
    [{ ZOOM_CLIENT_ID: 'x' }, /^ZOOM_CLIENT_SECRET is not set/],
    [{ ZOOM_CLIENT_SECRET: 'x' }, /^ZOOM_CLIENT_ID is not set/],
    [
      { MASTER_HOSTNAME: 'a.example', HOST_HOSTNAME: 'A.example' },
      /^HOST_HOSTNAME holds "A.example", which is the MASTER/,
    ],
    [
      { PHONE_HOSTNAME: 'HOST.localhost' },
      /^PHONE_HOSTNAME holds "HOST.localhost", which is the HOST_HOSTNAME; it may/,
    ],
    [{ PHONE_HOSTNAME: 'master.localhost' }, /^PHONE_HOSTNAME holds "master.localhost", which is the MASTER_HOSTNAME;/],
    [
      { PHONE_HOSTNAME: 'localhost' },
      /^PHONE_HOSTNAME holds "localhost", which is the name in PUBLIC_URL; it may hold/,
    ],
    [
      { PHONE_HOSTNAME: 'a.example', HOST_HOSTNAME: 'meeting.a.example' },
      /^PHONE_HOSTNAME holds "a.example", and meeting.a.example is the HOST_HOSTNAME; it may hold a name of its own/,
    ],
    [
      { PHONE_HOSTNAME: 'a.example', PUBLIC_URL: 'https://Meeting.a.example' },
      /^PHONE_HOSTNAME holds "a.example", and meeting.a.example is the name in PUBLIC_URL;/,
    ],
    [{ MASTER_EMAIL: 'a@b.example' }, /^MASTER_PASSWORD is not set/],
  ])('%j', (env, message) => {
    expect(() => readConfig(env)).toThrow(message)
  })
})

describe('without a Zoom app the stand-in for Zoom is for this machine alone', () => {
  const SECRET_KEY = '0123456789abcdef0123456789abcdef'
  const database = { DATABASE_URL: 'postgres://localhost/x', SECRET_KEY }

  test.each([
    [database, 'DATABASE_URL it must be'],
    [{ PUBLIC_URL: 'https://parley.example' }, 'PUBLIC_URL at https it must be'],
    [{ BIND: '0.0.0.0' }, 'BIND=0.0.0.0, which other machines may reach, it must be'],
    [{ BIND: '::' }, 'BIND=::, which other machines may reach, it must be'],
    [{ BIND: '192.0.2.7' }, 'BIND=192.0.2.7, which other machines may reach, it must be'],
  ])('%j stops the start', (env, sign) => {
    const why = `ZOOM_CLIENT_ID is not set; with ${sign}, or ZOOM_DEMO=true for a stand-in instead of Zoom.`
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
      /^ZOOM_CLIENT_ID is not set; with REDIS_URL it must be, since ZOOM_DEMO gives/,
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
  ['getaddrinfo ENOTFOUND nowhere', /^BIND holds "127.0.0.1"; it may hold an address of this machine/],
  ['listen EADDRNOTAVAIL: address not available 127.0.0.1:80', /^BIND holds/],
])('explains why a server cannot listen: %s', (said, message) => {
  expect(cannotListen('PORT', 80, '127.0.0.1', said)?.message).toMatch(message)
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
