import { open, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  buildHost,
  buildRoomUser,
  call,
  PASSWORD,
  phoneLogin,
  type TestHost,
} from '../../../../test/factories/accounts.ts'
import { buildPng, logoForm } from '../../../../test/factories/logo.ts'
import { sendRaw } from '../../../../test/servers/raw-request.ts'
import { setup } from '../../../../test/servers/setup.ts'
import { startTestApp } from '../../../../test/servers/start.ts'

let host: TestHost

const server = await setup({ config: { FEATURES: ['logo-upload'] } })
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
beforeEach(async () => {
  await rm(folder(), { recursive: true, force: true })
  host = await buildHost(server)
})

async function upload(body: BodyInit, headers: Record<string, string> = {}, to = origin) {
  const answer = await fetch(`${to}/api/host/upload-logo`, {
    method: 'POST',
    headers: { authorization: `Bearer ${host.token}`, ...headers },
    body,
  })
  return { status: answer.status, body: await answer.json() }
}

const folder = () => join(server.deps.config.DATA_DIR, 'logos')
const storedFiles = () => readdir(folder()).catch(() => [])

describe('POST /api/host/upload-logo', () => {
  test('stores a logo under a generated name, shows it to phones and removes it when replaced', async () => {
    const first = await upload(logoForm(buildPng({ extra: [['tEXt', 'secret']] }), '../../etc/our logo.png'))
    expect(first.status).toBe(200)
    const { logo_url } = first.body.appInfo
    expect(logo_url).toMatch(/^\/logos\/[0-9a-f]{32}\.png$/)
    const shown = await fetch(origin + logo_url)
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    const bytes = Buffer.from(await shown.arrayBuffer())
    expect(bytes.includes('secret')).toBe(false)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 8, height: 8 })
    const user = await buildRoomUser(server, host)
    expect((await phoneLogin(server, host, user, 'a-phone', PASSWORD)).body.data.app.logo_url).toBe(logo_url)

    const second = await upload(logoForm(buildPng({ width: 9 }), 'logo.png'))
    expect(await storedFiles()).toEqual([second.body.appInfo.logo_url.replace('/logos/', '')])
    expect((await fetch(origin + logo_url)).status).toBe(404)
    const body = { user_title: 'Singer', logo_url: '' }
    expect((await call(server, 'PUT', '/host/app-info', { as: host, body })).body.appInfo.logo_url).toBeNull()
    expect(await storedFiles()).toEqual([])
  })

  test('decodes one picture at a time, and hosts take turns', async () => {
    const hosts = [host, await buildHost(server), await buildHost(server)]
    const png = await sharp({ create: { width: 1024, height: 1024, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const toBuffer: (this: Sharp) => Promise<Buffer> = sharp(png).toBuffer
    let [running, most] = [0, 0]
    vi.spyOn(Object.getPrototypeOf(sharp(png)), 'toBuffer').mockImplementation(async function (this: Sharp) {
      most = Math.max(most, ++running)
      return toBuffer.call(this).finally(() => running--)
    })
    const send = (as: TestHost) => upload(logoForm(png, 'a.png'), { authorization: `Bearer ${as.token}` })
    const answers = await Promise.all([...hosts, ...hosts].map(send))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    expect(most).toBe(1)
  })

  test('accepts twelve a minute', async () => {
    const statuses: number[] = []
    while (statuses.length < 13) statuses.push((await upload(logoForm(buildPng(), 'a.png'))).status)
    expect(statuses).toEqual([...Array(12).fill(200), 429])
  })

  test('is sent from memory, whatever number of strangers leave it unread', async () => {
    const { logo_url } = (await upload(logoForm(buildPng(), 'a.png'))).body.appInfo
    const first = await (await fetch(origin + logo_url)).bytes()
    await writeFile(join(server.deps.config.DATA_DIR, logo_url), 'no longer read')
    expect(await (await fetch(origin + logo_url)).bytes()).toEqual(first)
  })

  test('leaves no part of a logo behind when the disk is full', async () => {
    const anyFile = await open(new URL(import.meta.url))
    const writing = vi.spyOn(Object.getPrototypeOf(anyFile), 'writeFile')
    await anyFile.close()
    writing.mockRejectedValueOnce(new Error('ENOSPC: no space left on device, write'))
    expect((await upload(logoForm(buildPng(), 'logo.png'))).status).toBe(500)
    expect(await storedFiles()).toEqual([])
    expect((await upload(logoForm(buildPng(), 'logo.png'))).status).toBe(200)
  })

  test('refuses another host’s logo, and keeps its own when the form is saved', async () => {
    const { logo_url } = (await upload(logoForm(buildPng(), 'logo.png'))).body.appInfo
    const other = await buildHost(server)
    const put = (as: TestHost) =>
      call(server, 'PUT', '/host/app-info', { as, body: { logo_url, user_title: 'Singer' } })
    expect(await put(other)).toMatchObject({ status: 422, body: { errors: [{ path: 'logo_url' }] } })
    expect(await put(host)).toMatchObject({ status: 200, body: { appInfo: { logo_url, user_title: 'Singer' } } })
    expect((await fetch(origin + logo_url)).status).toBe(200)
  })

  test.each([
    ['no file', () => new FormData(), 422, 'invalid_input'],
    ['text instead of a file', () => textForm('logo'), 422, 'invalid_input'],
    ['an empty file', () => logoForm(Buffer.alloc(0), 'logo.png'), 422, 'invalid_input'],
    ['another field', () => logoForm(buildPng(), 'logo.png', 'file'), 422, 'invalid_input'],
    ['SVG', () => logoForm(Buffer.from('<svg/>'), 'logo.svg'), 422, 'invalid_input'],
    ['more than a megabyte', () => logoForm(Buffer.alloc(1_100_000), 'logo.png'), 413, 'too_large'],
  ])('refuses %s and stores nothing', async (_what, form, status, code) => {
    const refused = await upload(form())
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status, code })
    if (status === 422) expect(refused.body.errors[0].path).toBe('logo')
    expect(await storedFiles()).toEqual([])
  })

  test.each([
    ['JSON', '{}', 'application/json', 415, 'not_multipart'],
    ['a picture without a form', new Uint8Array(buildPng()), 'image/png', 415, 'not_multipart'],
    ['a form without a boundary', '--x--', 'multipart/form-data', 400, 'malformed'],
    [
      'a truncated form',
      '--x\r\ncontent-disposition: form-data; name="logo"',
      'multipart/form-data; boundary=x',
      400,
      'malformed',
    ],
  ])('refuses %s', async (_what, body, type, status, code) => {
    const refused = await upload(body, { 'content-type': type })
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status, code })
  })

  test.each([
    '/logos/x.png',
    '/logos/..%2f..%2fsecret.key',
    `/logos/${'0'.repeat(32)}.png`,
    `/logos/${'0'.repeat(32)}.svg`,
  ])('%s is 404', async (path) => {
    expect((await fetch(origin + path)).status).toBe(404)
  })

  test('refuses a gigabyte at once and closes the connection, with the feature on and off', async () => {
    const off = await startTestApp()
    const token = (await buildHost(off)).token
    const offOrigin = await off.app.listen({ port: 0, host: '127.0.0.1' })
    expect(await announce(offOrigin, token)).toMatch(/^HTTP\/1.1 403 [\s\S]*"code":"feature_off"/)
    expect(await announce(origin, host.token)).toMatch(/^HTTP\/1.1 413 [\s\S]*"code":"too_large"/)
    expect(await storedFiles()).toEqual([])
    await off.close()
  })
})

/** Announces a gigabyte, and sends only the beginning. */
function announce(to: string, token: string): Promise<string> {
  const head = ['POST /api/host/upload-logo HTTP/1.1', 'host: localhost', `authorization: Bearer ${token}`]
  const type = ['content-type: multipart/form-data; boundary=x', `content-length: ${1024 ** 3}`]
  return sendRaw(to, `${[...head, ...type].join('\r\n')}\r\n\r\n--x\r\n`)
}

function textForm(field: string): FormData {
  const form = new FormData()
  form.append(field, 'words')
  return form
}
