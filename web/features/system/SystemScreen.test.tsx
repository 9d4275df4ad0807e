import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { SystemCheck } from '../../../shared/system.ts'
import { buildHost, buildMaster, type SignedIn } from '../../../test/factories/accounts.ts'
import { expectToast, openPage } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()
let master: SignedIn & { id: string }
const checks: SystemCheck[] = [
  { name: 'database', status: 'ok', message: 'PostgreSQL 15, 3 ms.', advice: null },
  { name: 'mail', status: 'note', message: 'Off.', advice: null },
  { name: 'disk', status: 'problem', message: '1 % is free.', advice: 'Make room.' },
  { name: 'certificate', status: 'warn', message: 'It ends in 12 days.', advice: 'See that it is renewed.' },
]
const found = (some = checks) => ({ checks: some, checkedAt: Date.now() })

beforeEach(async () => {
  master = await buildMaster(server)
  vi.spyOn(server.deps.systemChecks, 'recent').mockImplementation(async () => found())
})

const openSystem = () => openPage(server, '/master/system', { ...master, role: 'master' })
const section = async (name: string) => within(await screen.findByRole('region', { name }))

describe('System', () => {
  test('lists the worst first, with what to do', async () => {
    openSystem()
    const lines = (await section('Checks')).getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(lines).toEqual([
      'Disk1 % is free.Make room.Problem',
      'CertificateIt ends in 12 days.See that it is renewed.Warning',
      'MailOff.Note',
      'DatabasePostgreSQL 15, 3 ms.OK',
    ])
    expect(screen.getByText(/^1 OK, 1 warning, 1 problem, checked /).role).toBe('status')
    expect((await section('This server')).getByText('Version').nextSibling?.textContent).toMatch(/^\d+\.\d+\.\d+/)
    expect(screen.queryByRole('region', { name: 'Hosts that need you' })).toBeNull()
    expect(screen.queryByRole('button', { name: /Send test mail|Back up now/ })).toBeNull()
  })

  test('checks again, once for a double press', async () => {
    const [database] = checks
    const run = vi
      .spyOn(server.deps.systemChecks, 'run')
      .mockImplementation(async () => found(database ? [database] : []))
    const { user } = openSystem()
    await section('Checks')
    await user.dblClick(screen.getByRole('button', { name: 'Check again' }))
    await screen.findByText(/^1 OK, 0 warnings, 0 problems/)
    expect(run).toHaveBeenCalledTimes(1)
  })

  test('sends a test mail where mail is on, once for a double press, and shows the answer', async () => {
    server.deps.config.SMTP_URL = 'smtp://127.0.0.1:1'
    onTestFinished(() => void delete server.deps.config.SMTP_URL)
    const { user } = openSystem()
    expect((await section('Mail')).getByText('Waiting').nextSibling?.textContent).toBe('0')
    await user.dblClick(screen.getByRole('button', { name: 'Send test mail' }))
    await expectToast('The mail was not taken: connect ECONNREFUSED 127.0.0.1:1')
    const sent = server.deps.db.selectFrom('audit').selectAll().where('action', '=', 'mail_test_sent')
    expect(await sent.execute()).toHaveLength(1)
  })

  test('asks for a backup where there is a folder for it, once for a double press', async () => {
    server.deps.config.BACKUP_TO = '/mnt/none'
    onTestFinished(() => void delete server.deps.config.BACKUP_TO)
    vi.spyOn(server.deps.jobs, 'wake').mockReturnValue()
    const { user } = openSystem()
    await section('Backups')
    await user.dblClick(screen.getByRole('button', { name: 'Back up now' }))
    await expectToast('The backup has begun')
    expect(await (await section('Backups')).findByText('One is being made')).toBeTruthy()
    const asked = server.deps.db.selectFrom('audit').selectAll().where('action', '=', 'backup_asked')
    expect(await asked.execute()).toHaveLength(1)
  })

  test('leads to the hosts that need a master', async () => {
    const host = await buildHost(server, { username: 'choir' })
    await server.deps.db
      .insertInto('zoom_links')
      .values({
        host_id: host.id,
        zoom_user_id: 'u',
        zoom_account_id: 'a',
        email: 'choir@zoom.example',
        reconnect_needed: true,
        access_token_ciphertext: '',
        refresh_token_ciphertext: '',
        access_expires_at: new Date(),
        warnings: '[]',
      })
      .execute()
    openSystem()
    const link = (await section('Hosts that need you')).getByRole('link', { name: 'choir' })
    expect(link.getAttribute('href')).toBe(`/master/hosts?host=${host.id}`)
  })
})
