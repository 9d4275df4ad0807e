import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildHost, buildRoomUser, type TestHost } from '../../../test/factories/accounts.ts'
import { expectToast, fill, openPage, press, savedCsv } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'
import { site } from '../../lib/site.ts'

const server = await setup({ config: { FEATURES: ['downloads'] } })
let host: TestHost
beforeEach(async () => {
  host = await buildHost(server)
})
const openDownloads = () => openPage(server, '/host/downloads', { ...host, role: 'host' })

describe('Downloads', () => {
  test('saves users, attendance, visits and audit as files', async () => {
    site.features = ['downloads']
    for (const [index, username] of ['amina', 'bela'].entries())
      await buildRoomUser(server, host, { username, user_id: `U-${index}`, reference: `=ref ${index}` })
    const { user, refuse } = openDownloads()
    const linesOf = async (list: string) => {
      await press(user, `Download ${list} CSV`)
      return (await savedCsv()).lines
    }
    const firstThree = (line: string) => line.split(',').slice(0, 3).join()
    const people = ['user_id,username,reference', "U-0,amina,'=ref 0", "U-1,bela,'=ref 1"]
    expect((await linesOf('Users')).map(firstThree)).toEqual(people)
    expect((await linesOf('Attendance')).map(firstThree)).toEqual(people)
    expect((await linesOf('Visits')).map(firstThree)).toEqual(['user_id,username,joined_at'])
    expect((await linesOf('Audit')).filter((line) => line.includes(',user_created,'))).toHaveLength(2)

    fill(screen.getByLabelText('First day'), '2020-01-01')
    await screen.findByText('At most 366 days at a time')
    expect(screen.getByRole('button', { name: 'Download Audit CSV' })).toHaveProperty('disabled', true)
    fill(screen.getByLabelText('Last day'), '2020-01-02')
    expect(await linesOf('Audit')).toHaveLength(1)
    refuse('GET', /^\/host\/users$/)
    await press(user, 'Download Users CSV')
    await expectToast('The file could not be fetched. Please try again.')
  })

  test('show Coming Soon where they are turned off', async () => {
    openDownloads()
    await screen.findByText('Downloads are coming soon')
    const links = ['Users Master', 'Attendance', 'Log', 'Cloud Recordings']
    const main = within(screen.getByRole('main'))
    expect(links.map((name) => main.getByRole('link', { name }).getAttribute('href'))).toEqual([
      ...['/host/users', '/host/attendance', '/host/log', '/host/recordings'],
    ])
  })
})
