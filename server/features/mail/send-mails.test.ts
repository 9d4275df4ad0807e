import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/dates.ts'
import { buildHost, buildMaster } from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { SMTP_PASSWORD, startSmtp } from '../../../test/servers/smtp.ts'
import { type Config, readConfig } from '../../config.ts'
import { Metrics } from '../../lib/metrics.ts'
import { secretsFrom } from '../../lib/secrets.ts'
import { clearMails } from './jobs.ts'
import { type NewMail, queueMail } from './mail-queue.ts'
import { ATTEMPTS_MS, sendWaitingMails } from './send-mails.ts'
import { sendOverSmtp } from './smtp.ts'
import { writeMail } from './write-mail.ts'

let now = Date.parse('2026-11-28T10:00:00Z')
const smtp = await startSmtp()
const server = await setup({ now: () => now })
const URL_IN_MAIL = 'http://host.localhost:3000/link#the-secret-of-this-link'
const RESET: NewMail['content'] & { kind: 'host_reset' } = {
  kind: 'host_reset',
  username: 'choir',
  removes_second_factor: false,
  url: URL_IN_MAIL,
  expires_at: '2026-11-29T10:00:00.000Z',
}
const warn = vi.fn()

/** Mail is off at the server itself, whose jobs would send too. */
const depsWith = (config: Partial<Config> = {}) => ({
  ...server.deps,
  config: { ...server.deps.config, SMTP_URL: smtp.url, ...config },
  log: { ...server.deps.log, warn },
  metrics: new Metrics(),
})
/** Queues a mail, with the row of the link that it holds. */
const queue = (mail: Partial<NewMail> = {}, config: Partial<Config> = {}) =>
  server.deps.db.transaction().execute(async (tx) => {
    const { id: link_id } = await tx
      .insertInto('account_links')
      .values({
        purpose: 'master_invite',
        token_hash: randomUUID(),
        email: 'ana@parley.example',
        email_key: randomUUID(),
        created_at: new Date(now),
        expires_at: new Date(now + 30 * DAY_MS),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return queueMail(depsWith(config), tx, { to: { address: 'choir@example.com' }, link_id, content: RESET, ...mail })
  })
const send = (config: Partial<Config> = {}) => sendWaitingMails(depsWith(config))
const rows = () => server.deps.db.selectFrom('mails').selectAll().orderBy('created_at').execute()

describe('a mail', () => {
  test('is sent as text and as HTML, after a sign-in, and what it said is forgotten', async () => {
    await queue()
    expect(JSON.stringify(await rows())).not.toContain('the-secret')
    expect(await send()).toBe(1)
    const [mail] = smtp.mails
    expect(mail).toMatchObject({ from: 'support@parley.example', to: ['choir@example.com'], user: 'parley' })
    expect(Object.fromEntries(mail?.headers ?? [])).toMatchObject({
      from: 'Parley <support@parley.example>',
      to: 'choir@example.com',
      subject: 'Set a new password',
      'auto-submitted': 'auto-generated',
    })
    expect(mail?.text).toContain(`Set a new password:\n${URL_IN_MAIL}\n`)
    expect(mail?.text).toContain('The link works once, until 29 November 2026, 10:00 UTC.')
    expect(mail?.html).toContain(`<a href="${URL_IN_MAIL}"`)
    expect(mail?.html).not.toMatch(/<img|src=|@import|url\(/)
    expect(await rows()).toMatchObject([{ content_ciphertext: null, failure: null, ended_at: new Date(now) }])
    expect(await send()).toBe(0)
  })

  test('is none while mail is off', async () => {
    expect(await queue({}, { SMTP_URL: undefined })).toBe(false)
    expect(await rows()).toEqual([])
    await queue()
    expect(await send({ SMTP_URL: undefined })).toBe(0)
    expect(smtp.mails).toEqual([])
  })

  test('is not queued if what causes it does not happen', async () => {
    const failed = server.deps.db.transaction().execute(async (tx) => {
      await queueMail(depsWith(), tx, { to: { address: 'choir@example.com' }, content: RESET })
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    expect(await send()).toBe(0)
  })

  test('keeps names in their place: no header, no markup, no line of its own', async () => {
    const username = 'choir\r\nBcc: victim@example.com\r\n\r\n<img src=x onerror=1>&"\u202e\u2028'
    await queue({
      content: {
        kind: 'master_invite',
        full_name: username,
        made_by: username,
        url: URL_IN_MAIL,
        expires_at: RESET.expires_at,
      },
    })
    await send()
    const [mail] = smtp.mails
    expect(mail?.to).toEqual(['choir@example.com'])
    expect([...(mail?.headers.keys() ?? [])]).not.toContain('bcc')
    expect(mail?.text).toContain('Hello choir Bcc: victim@example.com <img src=x onerror=1>&",\n')
    expect(mail?.html).toContain('Hello choir Bcc: victim@example.com &lt;img src=x onerror=1&gt;&amp;&quot;,</p>')
    expect(mail?.html).not.toContain('<img')
  })

  test.each([
    ['ana@müller.example', ['ana@müller.example']], // asked for as xn--mller-kva.example
    ['jürgen@example.com', ['jürgen@example.com']],
    ['a@example.com, b@example.com', []],
    ['a@example.com\r\nRCPT TO:<b@example.com>', []],
    ['"a" <b@example.com>', []],
    ['nobody', []],
  ])('to %j goes to %j', async (address, to) => {
    await queue({ to: { address } })
    await send()
    expect(smtp.mails.flatMap((mail) => mail.to)).toEqual(to)
    expect(await rows()).toMatchObject([
      { failure: to.length > 0 ? null : 'The address is not valid.', ended_at: expect.any(Date) },
    ])
  })
})

describe('a refusal', () => {
  test('for now is tried again at growing intervals, for two days, then the mail is dropped', async () => {
    const queuedAt = now
    smtp.refuse = () => ({ code: 451, message: 'Greylisted, try again' })
    await queue()
    for (const after of ATTEMPTS_MS) {
      now = queuedAt + after - 1
      const before = await rows()
      await send()
      expect(await rows()).toEqual(before)
      now = queuedAt + after
      await send()
    }
    expect(await rows()).toMatchObject([
      { attempts: 8, content_ciphertext: null, failure: '451 Greylisted, try again', ended_at: new Date(now) },
    ])
    expect(warn).toHaveBeenLastCalledWith({ kind: 'host_reset', attempts: 8 }, 'mail.dropped')
    expect(ATTEMPTS_MS.at(-1)).toBe(2 * DAY_MS)
  })

  test('for good drops the mail, and others go on', async () => {
    smtp.refuse = (address) => (address === 'choir@example.com' ? { code: 550, message: 'No such mailbox' } : null)
    await queue()
    now += 1
    await queue({ to: { address: 'other@example.com' } })
    const deps = depsWith()
    expect(await sendWaitingMails(deps)).toBe(1)
    expect(smtp.mails).toMatchObject([{ to: ['other@example.com'] }])
    expect(await rows()).toMatchObject([
      { failure: '550 No such mailbox', attempts: 1, content_ciphertext: null },
      { failure: null },
    ])
    const counted = await deps.metrics.registry.metrics()
    expect(counted).toContain('parley_mails_total{kind="host_reset",result="dropped"} 1')
    expect(counted).toContain('parley_mails_total{kind="host_reset",result="sent"} 1')
  })

  test('of the sign-in leaves the mail for later, without its password, and tries no other', async () => {
    await queue()
    await queue()
    const wrong = { SMTP_URL: `smtp://parley:wrong-${encodeURIComponent(SMTP_PASSWORD)}@127.0.0.1:${smtp.port}` }
    expect(await send(wrong)).toBe(0)
    expect(smtp.signIns).toBe(1)
    expect((await rows()).map(({ failure }) => failure).filter(Boolean)).toEqual(['535 The password is wrong'])
    now += MINUTE_MS
    expect(await send()).toBe(2)
  })

  test('after a long standstill does not use up all attempts at once', async () => {
    await queue()
    now += 5 * HOUR_MS
    smtp.refuse = () => ({ code: 451, message: 'Busy' })
    await send()
    expect((await rows())[0]?.next_attempt_at).toEqual(new Date(now + MINUTE_MS / 2))
  })
})

/** Starts what takes the place of a mail server, and says what it likes. */
async function startTalker(talk: (socket: Socket) => void) {
  const talker = createServer((socket) => {
    socket.on('error', () => {})
    talk(socket)
  })
  talker.listen(0, '127.0.0.1')
  await new Promise((resolve) => talker.once('listening', resolve))
  onTestFinished(() => void talker.close())
  const address = talker.address()
  return { SMTP_URL: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` }
}

describe('a mail server', () => {
  test('that is not there costs one attempt', async () => {
    await queue()
    await queue()
    expect(await send({ SMTP_URL: 'smtp://127.0.0.1:1' })).toBe(0)
    expect((await rows()).map(({ attempts }) => attempts).sort()).toEqual([0, 1])
    expect((await rows()).find(({ attempts }) => attempts === 1)?.failure).toContain('ECONNREFUSED')
  })

  test('that says nothing, at first or after its greeting, is given up after ten seconds', {
    timeout: 30_000,
  }, async () => {
    const silent = [await startTalker(() => {}), await startTalker((socket) => void socket.write('220 here\r\n'))]
    const mail = { ...writeMail(server.deps.config, RESET), to: 'choir@example.com', messageId: 'id' }
    const { signal } = new AbortController()
    const sent = silent.map((config) => sendOverSmtp({ ...server.deps.config, ...config }, mail, signal))
    for (const { status, ...rest } of await Promise.allSettled(sent)) {
      expect(status).toBe('rejected')
      expect(rest).toMatchObject({ reason: { isFinal: false, isOfServer: true } })
    }
  })

  test('that answers one sign at a time is given up all the same', async () => {
    const slow = await startTalker((socket) => void socket.write('220 '))
    const mail = { ...writeMail(server.deps.config, RESET), to: 'choir@example.com', messageId: 'id' }
    const sent = sendOverSmtp({ ...server.deps.config, ...slow }, mail, AbortSignal.abort())
    await expect(sent).rejects.toMatchObject({ message: 'The mail server did not answer in time.', isOfServer: true })
  })

  test('that is cut off in the middle is tried again, with the same id', async () => {
    let said = ''
    const cut = await startTalker((socket) => {
      socket.write('220 here\r\n')
      socket.on('data', (bytes) => {
        said += bytes.toString()
        if (said.endsWith('\r\n.\r\n')) socket.destroy()
        else if (said.endsWith('DATA\r\n')) socket.write('354 go on\r\n')
        else if (!said.includes('DATA\r\n')) socket.write('250 yes\r\n')
      })
    })
    await queue()
    expect(await send(cut)).toBe(0)
    expect(await rows()).toMatchObject([{ attempts: 1, ended_at: null }])
    now += MINUTE_MS
    expect(await send()).toBe(1)
    const messageId = smtp.mails[0]?.headers.get('message-id')
    expect(messageId).toMatch(/^<[\w-]{36}@parley\.example>$/)
    expect(said).toContain(`Message-ID: ${messageId}\r\n`)
  })

  test('whose answers hold the password shows it to nobody', async () => {
    const loud = await startTalker((socket) => {
      socket.write('220 here\r\n')
      socket.on('data', (bytes) => {
        const said = bytes.toString()
        socket.write(said.startsWith('EHLO') ? '250-here\r\n250 AUTH LOGIN PLAIN\r\n' : `535 not ${SMTP_PASSWORD}\r\n`)
      })
    })
    await queue()
    await send({ SMTP_URL: loud.SMTP_URL.replace('//', `//parley:${encodeURIComponent(SMTP_PASSWORD)}@`) })
    expect((await rows())[0]?.failure).toBe('535 not …')
  })

  test('is spoken to in TLS where it offers it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-smtp-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const [key, cert] = [join(folder, 'key'), join(folder, 'cert')]
    const kind = [
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-subj',
      '/CN=localhost',
    ]
    execFileSync('openssl', ['req', ...kind, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    const tls = { key: await readFile(key), cert: await readFile(cert) }
    const [upgraded, secure] = [
      await startSmtp({ ...tls, disabledCommands: [] }),
      await startSmtp({ ...tls, secure: true }),
    ]
    await queue()
    await send({ SMTP_URL: upgraded.url })
    await queue()
    await send({ SMTP_URL: secure.url.replace('smtp:', 'smtps:') })
    expect([...upgraded.mails, ...secure.mails]).toMatchObject([{ isEncrypted: true }, { isEncrypted: true }])
  })

  test('elsewhere is not given the password unencrypted', async () => {
    await queue()
    const elsewhere = smtp.url.replace('127.0.0.1', '127.1') // the same machine, in another spelling
    expect(await send({ SMTP_URL: elsewhere })).toBe(0)
    expect(smtp.signIns).toBe(0)
    expect(await rows()).toMatchObject([{ attempts: 1, failure: 'The mail server does not speak TLS (STARTTLS).' }])
  })
})

describe('several nodes', () => {
  test('send each mail once, one mail at a time', async () => {
    let running = 0
    let most = 0
    smtp.beforeAccepting = async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
    }
    for (let count = 0; count < 12; count++) await queue({ to: { address: `host${count}@example.com` } })
    for (let round = 0; round < 12; round++) await Promise.all([send(), send(), send()])
    expect(smtp.mails).toHaveLength(12)
    expect(new Set(smtp.mails.flatMap(({ to }) => to)).size).toBe(12)
    expect(most).toBe(1)
  })

  test('repeat a mail once whose server was killed before it could note it', async () => {
    await queue()
    const leases = server.deps.db.updateTable('mails')
    const kill = () => leases.set({ lease: 'of a killed server' }).execute()
    const expire = () => leases.set({ lease_until: sql`now() - interval '1 second'` }).execute()
    smtp.beforeAccepting = async () => void (await kill())
    await send()
    expect(smtp.mails).toHaveLength(1)
    expect(await send()).toBe(0) // while the lease lasts
    await expire()
    smtp.beforeAccepting = () => {}
    expect(await send()).toBe(1)
    expect(await send()).toBe(0)
    expect(new Set(smtp.mails.map(({ headers }) => headers.get('message-id'))).size).toBe(1)
    expect(smtp.mails).toHaveLength(2)
  })

  test('give up a mail at which servers end again and again', async () => {
    await queue()
    await server.deps.db.updateTable('mails').set({ attempts: ATTEMPTS_MS.length }).execute()
    expect(await send()).toBe(0)
    expect(await rows()).toMatchObject([{ failure: 'Its server ended while it was sent.', content_ciphertext: null }])
  })
})

describe('limits', () => {
  const expires_at = RESET.expires_at
  const username = 'choir'
  test.each<[number, NewMail['content']]>([
    [10, RESET],
    [10, { kind: 'master_invite', full_name: null, made_by: 'a master', url: URL_IN_MAIL, expires_at }],
    [3, { kind: 'subscription_ends', username, ends_at: expires_at }],
    [2, { kind: 'archive_full', username, waiting: 1, limit_gb: 5 }],
    [5, { kind: 'zoom_reconnect', username, zoom_email: 'choir@zoom.example' }],
    [5, { kind: 'meeting_not_ready', username, starts_at: expires_at, time_zone: 'UTC', problems: [] }],
    [1, { kind: 'backup_failed', reason: 'The disk is full', at: expires_at }],
    [20, { kind: 'security_changed', change: 'totp_added', account: username, site: 'host', at: expires_at, ip: null }],
  ])('an address gets %i mails a day of a kind', async (most, content) => {
    for (let count = 0; count < most; count++)
      expect(await queue({ to: { address: 'Choir@example.com' }, content })).toBe(true)
    expect(await queue({ content })).toBe(false) // in another case
    expect(await queue({ to: { address: 'other@example.com' }, content })).toBe(true)
    await server.deps.db
      .updateTable('mails')
      .set({ ended_at: new Date(now), content_ciphertext: null })
      .execute()
    await clearMails.run(server.deps)
    expect(await queue({ content })).toBe(false)
    now += DAY_MS + 1
    expect(await queue({ content })).toBe(true)
    await clearMails.run(server.deps)
    expect(await rows()).toHaveLength(1)
  })

  test('no more than a thousand wait', async () => {
    const at = new Date(now)
    const values = Array.from({ length: 999 }, (_, count) => ({
      kind: 'host_reset',
      address: `a${count}@example.com`,
      content_ciphertext: 'x',
      created_at: at,
      next_attempt_at: at,
    }))
    await server.deps.db.insertInto('mails').values(values).execute()
    expect(await queue()).toBe(true)
    expect(await queue()).toBe(false)
    expect(warn).toHaveBeenLastCalledWith({ kind: 'host_reset' }, 'mail.not_queued')
  })
})

describe('what is not sent any more', () => {
  test('the mail of an account that was removed meanwhile', async () => {
    const host = await buildHost(server)
    const master = await buildMaster(server)
    await queue({ to: { address: host.email, host_id: host.id } })
    await queue({ to: { address: master.email, master_id: master.id } })
    await server.deps.db
      .updateTable('hosts')
      .set({ deleted_at: new Date(now) })
      .execute()
    await server.deps.db
      .updateTable('masters')
      .set({ removed_at: new Date(now) })
      .where('id', '=', master.id)
      .execute()
    expect(await send()).toBe(0)
    expect(smtp.mails).toEqual([])
    expect((await rows()).map(({ content_ciphertext }) => content_ciphertext)).toEqual([null, null])
  })

  test('what is in the way of a meeting that has begun', async () => {
    const starts_at = new Date(now + 1).toISOString()
    const content = {
      ...{ kind: 'meeting_not_ready' as const, username: 'choir', starts_at, time_zone: 'UTC' },
      problems: [],
    }
    const before = smtp.mails.length
    await queue({ content })
    await queue({ content, to: { address: 'late@example.com' } })
    await server.deps.db
      .updateTable('mails')
      .set({ next_attempt_at: new Date(now + 1) })
      .where('address', '=', 'late@example.com')
      .execute()
    expect(await send()).toBe(1)
    now += 1
    expect(await send()).toBe(0)
    expect(smtp.mails).toHaveLength(before + 1)
    expect(await rows()).toMatchObject([
      { content_ciphertext: null, failure: null },
      { content_ciphertext: null, failure: null },
    ])
  })

  test('what was stored under another key', async () => {
    await queue()
    const secrets = secretsFrom('another key of this test, 0123456789')
    expect(await sendWaitingMails({ ...depsWith(), secrets })).toBe(0)
    expect(await rows()).toMatchObject([
      { failure: 'It was stored under another SECRET_KEY.', content_ciphertext: null },
    ])
  })
})

test.each([
  ['smtp://mail.example', true],
  ['smtps://a:b%40c@mail.example:465', true],
  ['smtp://[::1]:25', true],
  ['http://mail.example', false],
  ['smtp://', false],
  ['smtp://user@mail.example', false],
  ['smtp://a:%@mail.example', false],
  ['smtp://mail.example/?requireTLS=false', false],
])('SMTP_URL %s is valid: %s', (SMTP_URL, isValid) => {
  const read = () => readConfig({ SMTP_URL })
  if (isValid) expect(read().SMTP_URL).toBe(SMTP_URL)
  else expect(read).toThrow(/^SMTP_URL is set to \d+ characters that are not valid/)
})
