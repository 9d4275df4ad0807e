import { sql } from 'kysely'

/** Completes `where(column, '=', anyOf(values))`. Unlike `in`, which SQL refuses, it may be empty and then matches no row. */
export const anyOf = (values: readonly string[], type: 'uuid' | 'text' = 'uuid') =>
  sql<string>`any(${values}::${sql.raw(type)}[])`
