import { describe, expect, test, vi } from 'vitest'
import { ImportRoomUsers } from '../../../../shared/room-users.ts'
import { TOO_MANY_GROUPS } from '../../../../shared/user-groups.ts'
import { dryRun, newGroups } from './dry-run.ts'
import { callsFor } from './import-call.ts'
import { readPeople } from './read-people.ts'

const person = (username: string, more = {}) => ({
  line: 1,
  username,
  user_id: '',
  password: '',
  reference: '',
  groups: '',
  ...more,
})

describe('a list of people', () => {
  test.each([
    ['names alone', 'amina\nbela', [person('amina'), person('bela', { line: 2 })]],
    [
      'four columns',
      'amina,U7,secret,Row 3',
      [person('amina', { user_id: 'U7', password: 'secret', reference: 'Row 3' })],
    ],
    [
      'five columns',
      'amina,U7,secret,Row 3,Altos; Readers',
      [person('amina', { user_id: 'U7', password: 'secret', reference: 'Row 3', groups: 'Altos; Readers' })],
    ],
    [
      'named columns in any order',
      'Reference;User Name\nRow 3;amina',
      [person('amina', { line: 2, reference: 'Row 3' })],
    ],
    [
      'an export of ours',
      'user_id,username,reference,groups,status\r\nU000001,amina,,Altos; Readers,Online',
      [person('amina', { line: 2, user_id: 'U000001', groups: 'Altos; Readers' })],
    ],
    ['nothing', ' \n', []],
    ['a heading alone', 'username,password', []],
  ])('is read: %s', (_what, text, people) => {
    expect(readPeople(text)).toEqual(people)
  })
})

describe('the dry run', () => {
  const room = {
    users: [{ username: 'Amina', user_id: 'U000001' }],
    groups: [{ name: 'Altos' }],
    nextUserId: 'U000002',
  }
  const check = (...people: ReturnType<typeof person>[]) =>
    dryRun(
      people.map((one, index) => ({ ...one, line: index + 1 })),
      room,
      () => 'generated',
    )

  test('reads the names of groups, and names the new ones', () => {
    const long = 'x'.repeat(41)
    const checked = check(
      person('bela', { groups: 'ALTOS; Readers;;readers' }),
      person('chika', { groups: long }),
      person('dora', { groups: Array.from({ length: 11 }, (_, n) => `G${n}`).join(';') }),
      person('eva', { groups: 'Ushers' }),
    )
    expect(checked.map(({ user, fault }) => [user.groups?.length, fault])).toEqual([
      [3, null],
      [1, expect.stringMatching(/^A group: .*40/)],
      [11, 'A user is in at most 10 groups'],
      [1, null],
    ])
    expect(newGroups(checked, room.groups)).toEqual(['Readers', 'Ushers'])
  })

  test('refuses the row with a group more than a room may have, as the server does', () => {
    const groups = Array.from({ length: 49 }, (_, n) => ({ name: `G${n}` }))
    const people = ['New', 'new; Newer', 'G7'].map((names, n) => person(`user ${n}`, { line: n + 1, groups: names }))
    const checked = dryRun(people, { ...room, groups })
    expect(checked.map(({ fault }) => fault)).toEqual([null, TOO_MANY_GROUPS, null])
  })

  test('fills in missing values', () => {
    const [bela, chika, dora] = check(
      person('bela'),
      person('chika', { user_id: 'U000003', password: 'own one' }),
      person('dora', { reference: 'Row 3' }),
    )
    expect(bela).toMatchObject({ user: { user_id: 'U000002', password: 'generated' }, isGenerated: true, fault: null })
    expect(chika).toMatchObject({ user: { user_id: 'U000003', password: 'own one' }, isGenerated: false, fault: null })
    expect(dora).toMatchObject({ user: { user_id: 'U000004', reference: 'Row 3' }, fault: null })
    expect(check(person(''), person('bela')).map(({ user }) => user.user_id)).toEqual(['', 'U000002'])
  })

  test.each([
    ['no name', person(''), 'Username is required'],
    ['too long a name', person('x'.repeat(65)), 'The username has more than 64 characters'],
    ['too long a reference', person('x', { reference: 'x'.repeat(201) }), 'The reference has more than 200 characters'],
    ['too short a User ID', person('x', { user_id: 'U1' }), 'User ID must be 3 to 32 characters'],
    ['too long a User ID', person('x', { user_id: 'x'.repeat(33) }), 'User ID must be 3 to 32 characters'],
    ['a name of the room', person('ＡMINA'), 'This username is already taken'],
    ['a User ID of the room', person('x', { user_id: 'u000001' }), 'The User ID u000001 is already taken'],
  ])('finds %s', (_what, one, fault) => {
    expect(check(one)[0]?.fault).toBe(fault)
  })

  test('finds a name that looks like one above', () => {
    const [, alike] = check(person('bela b', { user_id: 'X-1' }), person('bela  b'))
    expect(alike?.fault).toBe('This username is on line 1 already')
  })

  test('shows no User ID on a row that is left out, but that of who has the name', () => {
    const checked = check(person('amina'), person('bela'), person('bela'), person('amina', { user_id: 'X-1' }))
    expect(checked.map(({ user, isInRoom }) => [user.user_id, isInRoom])).toEqual([
      ['U000001', true],
      ['U000002', false],
      ['', false],
      ['X-1', true],
    ])
  })

  test('finds duplicates in the list, and keeps the first', () => {
    const checked = check(
      person('bela', { user_id: 'X-1' }),
      person('Bela'),
      person('chika', { user_id: 'x-1' }),
      person(' ', { user_id: 'X-2' }),
      person('dora', { user_id: 'X-2' }), // allowed, since the row before is skipped
    )
    expect(checked.map(({ fault }) => fault)).toEqual([
      null,
      'This username is on line 1 already',
      'The User ID x-1 is on line 1 already',
      'Username is required',
      null,
    ])
  })
})

test('an import has its number on plain http too, where randomUUID is missing', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  const checked = dryRun([person('bela')], { users: [], groups: [], nextUserId: 'U000001' }, () => 'generated')
  const sent = [...callsFor(checked, null)].map(({ people, import_id }) =>
    ImportRoomUsers.parse({ users: people.map(({ user }) => user), import_id }),
  )
  expect(sent).toMatchObject([{ users: [{ username: 'bela' }], import_id: expect.any(String) }])
})
