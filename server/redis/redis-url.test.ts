import { describe, expect, test } from 'vitest'
import { describeRedis, parseRedisUrl } from './redis-url.ts'

const nobody = { username: undefined, password: undefined }

describe('leads to', () => {
  test.each(['redis://localhost', 'redis://user:p%40ss@redis.example:6380/3', 'rediss://[::1]:6379'])(
    'one server: %s',
    (url) => {
      expect(parseRedisUrl(url)).toBe(url)
    },
  )

  test('Sentinels, which know the master by its name', () => {
    expect(parseRedisUrl('redis+sentinel://parley:p%40s%3As@a:26380,b.example,[::1]:26381/main')).toEqual({
      ...{ kind: 'sentinel', name: 'main', isTls: false },
      nodes: [
        { host: 'a', port: 26_380 },
        { host: 'b.example', port: 26_379 },
        { host: '::1', port: 26_381 },
      ],
      ...{ login: { username: 'parley', password: 'p@s:s' }, sentinelLogin: nobody },
    })
  })

  test('Sentinels that ask for a password of their own', () => {
    const url = 'rediss+sentinel://:one:two@a/main?sentinel_username=watch&sentinel_password=a%26b'
    expect(parseRedisUrl(url)).toMatchObject({
      ...{ isTls: true, login: { username: undefined, password: 'one:two' } },
      sentinelLogin: { username: 'watch', password: 'a&b' },
    })
  })

  test.each(['redis+cluster://10.0.0.1:7000,10.0.0.2:7000', 'redis+cluster://10.0.0.1:7000,10.0.0.2:7000/'])(
    'nodes of a Cluster: %s',
    (url) => {
      expect(parseRedisUrl(url)).toEqual({
        ...{ kind: 'cluster', name: '', isTls: false, login: nobody, sentinelLogin: nobody },
        nodes: [
          { host: '10.0.0.1', port: 7000 },
          { host: '10.0.0.2', port: 7000 },
        ],
      })
    },
  )
})

test.each([
  ...['', 'localhost:6379', 'http://localhost', 'redis://', 'redis:6379', 'redis+proxy://a', 'sentinel://a/main'],
  ...['redis+sentinel://a:26379', 'redis+sentinel:///main', 'redis+sentinel://a,,b/main', 'redis+sentinel://a:0/main'],
  ...['redis+sentinel://a/main/2', 'redis+sentinel://a/main?db=2', 'redis+sentinel://u@b@a/main', 'redis+cluster://'],
  ...['redis+cluster://a:70000', 'redis+cluster://a/0', 'redis+cluster://a?x=1', 'redis+cluster://:100%@a'],
  ...['redis+cluster://a b', 'redis+cluster://-a', 'redis+cluster://a,redis://b'],
])('refuses %j', (url) => {
  expect(parseRedisUrl(url)).toBeNull()
})

test.each([
  ['redis://:secret@redis.example:6380/3', 'Redis at redis.example:6380'],
  ['redis+sentinel://u:secret@a,[::1]:1/main', 'Redis main behind Sentinel at a:26379, [::1]:1'],
  ['rediss+cluster://u:secret@a:7000,b', 'Redis Cluster at a:7000, b:6379'],
])('describes %s without its password', (url, text) => {
  expect(describeRedis(url)).toBe(text)
})
