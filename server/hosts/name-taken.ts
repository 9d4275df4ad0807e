import { takenConstraint } from '../db.ts'
import { AppError } from '../errors.ts'

/** Turns "this value is taken" of the database into words under the field it belongs to. */
export function nameTaken(error: unknown, fields: Record<string, { path: string; msg: string }>): unknown {
  const constraint = takenConstraint(error)
  const field = constraint === null ? undefined : fields[constraint]
  return field ? new AppError('conflict', field.msg, { errors: [field], cause: error }) : error
}

export const HOST_NAMES = {
  hosts_username_key: { path: 'username', msg: 'This username is already taken' },
  hosts_email_key: { path: 'email', msg: 'This email is already in use' },
}
