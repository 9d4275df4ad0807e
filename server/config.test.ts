import { describe, expect, test } from 'vitest'
import { BadSetting, readConfig } from './config.ts'

test('with nothing set there is a configuration for one machine', () => {
  expect(readConfig({})).toMatchObject({
    PORT: 3000,
    BIND: '127.0.0.1',
    DATA_DIR: 'data',
    PUBLIC_URL: 'http://localhost:3000',
    MASTER_HOSTNAME: 'master.localhost',
    HOST_HOSTNAME: 'host.localhost',
    isDemoZoom: true,
    FEATURES: [],
    TRUST_PROXY: false,
  })
})

test('an empty variable counts as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' }).PORT).toBe(3000)
})

describe('a bad value is named with what it held and what it may hold', () => {
  test.each([
    [{ PORT: 'eighty' }, 'PORT holds "eighty"; it may hold a port from 0 to 65535.'],
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
    [{ ZOOM_CONNECT_SECONDS: '0' }, 'ZOOM_CONNECT_SECONDS holds "0"; it may hold a number of seconds from 1 to 600.'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL holds "loud"; it may hold fatal, error, warn, info, debug, trace or silent.'],
  ])('%j', (env, message) => {
    expect(() => readConfig(env)).toThrow(new BadSetting(message))
  })

  test('but a secret is never shown back', () => {
    const read = () => readConfig({ SECRET_KEY: 'short-secret' })
    expect(read).toThrow('SECRET_KEY holds 12 characters that do not fit; it may hold at least 32 bytes.')
    expect(read).not.toThrow(/short-secret/)
  })
})

describe('settings that belong together', () => {
  test.each([
    [{ DATABASE_URL: 'postgres://localhost/x' }, /^SECRET_KEY is not set/],
    [{ REDIS_URL: 'redis://localhost' }, /^REDIS_URL is set and DATABASE_URL is not/],
    [{ ZOOM_CLIENT_ID: 'x' }, /^ZOOM_CLIENT_SECRET is not set/],
    [{ MASTER_EMAIL: 'a@b.example' }, /^MASTER_PASSWORD is not set/],
  ])('%j', (env, message) => {
    expect(() => readConfig(env)).toThrow(message)
  })
})
