import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { AuditActorRole } from '../../shared/audit.ts'
import type { ZoomWarning } from '../../shared/hosts.ts'
import type { RecordingState } from '../../shared/rooms.ts'
import type { Subscription } from '../../shared/subscriptions.ts'

type Made<T> = Generated<T>
type Json<T> = JSONColumnType<T & object, string, string>
type MaybeJson = ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>
type At = ColumnType<Date, Date | string, Date | string>
type MaybeAt = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
type MadeAt = ColumnType<Date, Date | string | undefined, Date | string>

interface PhoneColumns {
  device_id: string | null
  device_secret_hash: string | null
  device_secret_required: Made<boolean>
  device_model: string | null
  platform: string | null
  app_version: string | null
}

export interface Tables {
  masters: {
    id: Made<string>
    email: string
    email_key: string
    full_name: string | null
    password_hash: string
    created_at: MadeAt
  }
  hosts: PhoneColumns & {
    id: Made<string>
    numerical_id: Made<number>
    username: string
    username_key: string
    email: string
    email_key: string
    mobile: string | null
    full_name: string | null
    password_hash: string
    is_active: Made<boolean>
    recording_enabled: Made<boolean>
    storage_limit_gb: Made<number>
    storage_used_bytes: Made<number>
    subscription_type: number | null
    subscription_start_date: MaybeAt
    subscription_end_date: MaybeAt
    subscription_cancelled_at: MaybeAt
    login_time: MaybeAt
    last_login_ip: string | null
    ip_address: string | null
    last_seen: MaybeAt
    created_at: MadeAt
    updated_at: MadeAt
    deleted_at: MaybeAt
    purging_at: MaybeAt
  }
  app_info: {
    host_id: string
    user_title: string | null
    helpline: string | null
    message: string | null
    allow_recording: Made<boolean>
    has_public_card: Made<boolean>
    logo_url: string | null
    password_hash: string | null
  }
  rooms: {
    id: Made<string>
    host_id: string
    name: string
    zoom_meeting_id: string | null
    passcode_ciphertext: string | null
    join_url_ciphertext: string | null
    host_mute_all_active: Made<boolean>
    mute_round: Made<number>
    change_number: Made<number>
    new_passcode_wanted_at: MaybeAt
    new_passcode_try_at: MaybeAt
    start_asked_at: MaybeAt
    created_at: MadeAt
  }
  room_users: PhoneColumns & {
    id: Made<string>
    room_id: string
    user_id: string
    user_id_key: string
    username: string
    username_key: string
    reference: string | null
    email: string | null
    password_hash: string | null // null after an import, until a job has hashed it
    password_ciphertext: string
    is_active: Made<boolean>
    is_muted: Made<boolean>
    mute_round: Made<number>
    phone_changed: Made<boolean>
    device_bound_at: MaybeAt
    login_time: MaybeAt
    last_seen: MaybeAt
    created_at: MadeAt
    updated_at: MadeAt
  }
  sessions: {
    id: Made<string>
    role: 'master' | 'host' | 'phone'
    master_id: string | null
    host_id: string | null
    room_user_id: string | null
    brings_device_secret: Made<boolean>
    link_hash: string | null
    ip: string | null
    created_at: MadeAt
    last_active_at: MadeAt
    expires_at: At
    ended_at: MaybeAt
    end_reason: string | null
  }
  subscription_changes: {
    id: Made<string>
    host_id: string
    at: MadeAt
    action: string
    months: number | null
    by_id: string
    by_name: string
    before: Json<Subscription>
    after: Json<Subscription>
  }
  zoom_links: {
    host_id: string
    zoom_user_id: string
    zoom_account_id: string
    email: string
    pmi: string | null
    scopes: Made<string>
    access_token_ciphertext: string
    refresh_token_ciphertext: string
    access_expires_at: At
    refresh_lease: string | null
    refresh_lease_until: MaybeAt
    reconnect_needed: Made<boolean>
    warnings: Json<ZoomWarning[]>
    created_at: MadeAt
    updated_at: MadeAt
    connected_at: MadeAt
    storage_told_at: MaybeAt
    recordings_synced_at: MaybeAt
    look_at: MadeAt
    meeting_writes: Made<number>
    meeting_writes_day: string | null
  }
  oauth_states: {
    state_hash: string
    master_id: string
    email: string
    host_id: string | null
    return_url: string
    verifier_ciphertext: string
    expires_at: At
  }
  oauth_results: {
    id: string
    master_id: string
    host_id: string | null
    email: string
    email_key: string
    zoom_user_id: string
    zoom_account_id: string
    pmi: string | null
    display_name: string | null
    scopes: Made<string>
    access_token_ciphertext: string
    refresh_token_ciphertext: string
    access_expires_at: At
    warnings: Json<ZoomWarning[]>
    claimed_at: MaybeAt
    expires_at: At
  }
  recordings: {
    id: Made<string>
    room_id: string
    meeting_id: string
    meeting_uuid: string
    zoom_file_id: string
    topic: string
    started_at: At
    duration: Made<number>
    status: string
    file_type: string
    file_size: number | null
    recording_type: string | null
    total_size: Made<number>
    archived_path: string | null
    archived_bytes: number | null
    archive_began_at: MaybeAt
    archive_failures: Made<number>
    archive_try_at: MaybeAt
    archive_lease: string | null
    archive_lease_until: MaybeAt
    gone_at_zoom: Made<boolean>
    trashed_at: MaybeAt
    seen_at: MadeAt
    zoom_account_id: string | null
    zoom_user_id: string | null
    gone_told_at: MaybeAt
  }
  zoom_events: {
    body_hash: string
    event: string
    told_at: At
    zoom_account_id: string | null
    zoom_user_id: string | null
    host_id: string | null
    body_ciphertext: string | null
    received_at: At
    attempts: Made<number>
    try_at: At
    lease: string | null
    lease_until: MaybeAt
    done_at: MaybeAt
    failure: string | null
  }
  sittings: {
    room_id: string
    meeting_uuid: string
    meeting_id: string
    began_at: At
    is_live: boolean
    live_told_at: At
    recording: Made<RecordingState>
    recording_told_at: MaybeAt
    started_at: MaybeAt
    recording_since: MaybeAt
    recorded_ms: Made<number>
    looked_at: MaybeAt
  }
  sitting_people: {
    room_id: string
    meeting_uuid: string
    participant: string
    room_user_id: string
    is_in: boolean
    has_joined: Made<boolean>
    told_at: At
  }
  recording_marks: {
    zoom_account_id: string
    meeting_uuid: string
    zoom_file_id: string
    fact: 'place' | 'topic'
    value: string
    told_at: At
    host_id: string | null
  }
  zoom_purges: {
    host_id: string
    zoom_account_id: string
    zoom_user_id: string
    email: string
    deauthorized_at: At
    due_at: At
  }
  phone_requests: {
    room_user_id: string
    ticket_hash: string
    device_id: string
    device_model: string | null
    platform: string
    requested_at: At
    decision: 'approved' | 'refused' | null
    decided_at: MaybeAt
  }
  sign_in_links: {
    room_user_id: string
    token_hash: string
    expires_at: At
  }
  known_devices: {
    hash: string
    seen_at: At
  }
  idempotency_keys: {
    scope: string
    actor: ColumnType<string, never, never>
    key: string
    body_hash: string
    claim: string
    has_effect: Made<boolean>
    status: number | null
    answer_ciphertext: string | null
    created_at: MadeAt
  }
  refused_sign_ins: {
    audit_id: string
    key: string
    minute: At
    times: number
  }
  refused_sign_in_days: {
    day: string
    scope: string
    written: number
  }
  audit: {
    id: Made<string>
    seq: ColumnType<string | number | bigint, never, never> // as the driver gives it
    at: MadeAt
    actor_role: AuditActorRole
    actor_id: string | null
    host_id: string | null
    action: string
    target: string | null
    ip: string | null
    before: MaybeJson
    after: MaybeJson
  }
  stays: {
    id: Made<string>
    room_id: string
    room_user_id: string
    user_id: string
    username: string
    joined_at: At
    left_at: MaybeAt
  }
  installation: {
    is_only_row: Made<boolean>
    id: Made<string>
  }
  nodes: {
    id: string
    seen_at: At
  }
}
