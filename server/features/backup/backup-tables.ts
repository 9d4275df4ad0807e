import type { Tables } from '../../db/tables.ts'

/**
 * Every table, in an order in which a row comes after those that it refers to. False: left out of a backup, because it
 * lets somebody in once, waits for somebody, repeats an answer, or is about backups themselves.
 */
const TABLES = {
  masters: true,
  hosts: true,
  app_info: true,
  subscription_changes: true,
  rooms: true,
  planned_meetings: true,
  user_groups: true,
  room_users: true,
  assistants: true,
  host_mails: true,
  sessions: true,
  known_devices: true,
  stays: true,
  speeches: true,
  erasures: true,
  zoom_links: true,
  zoom_events: true,
  zoom_purges: true,
  zoom_errors: true,
  sittings: true,
  sitting_people: true,
  zoom_app_joins: true,
  recordings: true,
  transcripts: true,
  transcript_cues: true,
  recording_marks: true,
  totp_secrets: true,
  passkeys: true,
  recovery_codes: true,
  second_factor_failures: true,
  security_settings: true,
  attendee_links: true,
  seats: true,
  audit: true,
  refused_sign_ins: true,
  refused_sign_in_days: true,
  installation: true,
  nodes: true,
  backup_schedule: false,
  phone_requests: false,
  sign_in_links: false,
  account_links: false,
  mails: false,
  sign_in_challenges: false,
  passkey_challenges: false,
  oauth_states: false,
  oauth_results: false,
  idempotency_keys: false,
} satisfies Record<keyof Tables, boolean>

export const ALL_TABLES = Object.keys(TABLES)
export const BACKUP_TABLES = Object.entries(TABLES).flatMap(([name, isKept]) => (isKept ? [name] : []))
