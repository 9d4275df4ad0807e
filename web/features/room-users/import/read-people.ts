import { parseCsv } from '../../../../shared/parse-csv.ts'

/** A row of an imported table, unparsed. */
export type PersonRow = { line: number } & Record<PersonColumn, string>

export const PERSON_COLUMNS = ['username', 'user_id', 'password', 'reference', 'groups'] as const
type PersonColumn = (typeof PERSON_COLUMNS)[number]

/** Maps common headers, in lower case and without separators, to our columns. */
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
  groups: 'groups',
  group: 'groups',
}

/**
 * Parses a pasted table. If its first line names the columns, their order is free and unknown ones are ignored;
 * otherwise the order is that of `PERSON_COLUMNS`.
 */
export function readPeople(text: string): PersonRow[] {
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
      groups: cellOf('groups'),
    }
  })
}
