import { Script } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp } from '../../test/zoom/connected-app.ts'

let zoom: Awaited<ReturnType<typeof startApp>>
beforeAll(async () => {
  zoom = await startApp()
})
afterAll(() => zoom.close())

const get = async (path: string, init?: RequestInit) => {
  const answer = await fetch(zoom.origin + path, init)
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

test('serves the stand-in as a classic script, in any version and from both of Zoom’s paths', async () => {
  for (const path of ['/sdk/zoom-meeting-6.2.0.min.js', '/sdk/6.10.1/zoom-meeting-6.10.1.min.js']) {
    const { status, headers, text } = await get(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(text).toContain('window.ZoomMtg = ')
    expect(() => new Script(text)).not.toThrow()
  }
})

test('what the real SDK’s pages ask for besides is no unknown path', async () => {
  for (const name of ['react', 'react-dom', 'redux', 'redux-thunk', 'lodash', 'react-redux'])
    expect((await get(`/sdk/6.2.0/lib/vendor/${name}.min.js`)).status).toBe(200)
  expect((await get('/sdk/6.2.0/lib/av/js_media.min.js')).status).toBe(404)
  expect((await zoom.control('/state')).body.unknown_paths).toEqual([])
  await get('/sdk/another.js')
  expect((await zoom.control('/state')).body.unknown_paths).toEqual(['GET /sdk/another.js'])
})

test('pages of any site may call, after a preflight', async () => {
  const origin = 'http://meeting.phone.localhost:3000'
  const preflight = await get('/sdk/join', {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type')
  const headers = { origin, 'content-type': 'application/json' }
  const refused = await get('/sdk/join', { method: 'POST', headers, body: '{}' })
  expect(refused.status).toBe(400)
  expect(refused.headers.get('access-control-allow-origin')).toBe('*')
})
