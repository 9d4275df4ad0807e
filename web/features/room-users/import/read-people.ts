import { parseCsv } from '../../../../shared/parse-csv.ts'

/** One row of an imported table, as it was written. */
export type WrittenPerson = { line: number } & Record<PersonColumn, string>

export const PERSON_COLUMNS = ['username', 'user_id', 'password', 'reference'] as const
type PersonColumn = (typeof PERSON_COLUMNS)[number]

/** What the columns are called in the lists that people keep. */
const NAMES: Record<string, PersonColumn> = {
  username: 'username',
  user: 'username',
  name: 'username',
  userid: 'user_id',
  id: 'user_id',
  password: 'password',
  reference: 'reference',
  ref: 'reference',
  note: 'reference',
}

/**
 * The people of a pasted table. A first line that names its columns tells which is which, and columns of other names
 * are passed over; without one they are read in the order of `PERSON_COLUMNS`.
 */
export function readPeople(text: string): WrittenPerson[] {
  const rows = parseCsv(text)
  const heads = rows[0]?.cells.map((cell) => NAMES[cell.toLowerCase().replaceAll(/[\s_.-]/g, '')]) ?? []
  const hasHeads = heads.includes('username')
  const columns = hasHeads ? heads : PERSON_COLUMNS
  return rows.slice(hasHeads ? 1 : 0).map(({ line, cells }) => {
    const cellOf = (column: PersonColumn) => cells[columns.indexOf(column)] ?? ''
    return {
      line,
      username: cellOf('username'),
      user_id: cellOf('user_id'),
      password: cellOf('password'),
      reference: cellOf('reference'),
    }
  })
}
