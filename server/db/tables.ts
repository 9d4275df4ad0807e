import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { AccountLinkPurpose } from '../../shared/account-links.ts'
import type { AuditActorRole } from '../../shared/audit.ts'
import type { ZoomErrorKind } from '../../shared/home.ts'
import type { ZoomWarning } from '../../shared/hosts.ts'
import type { QueueOrder } from '../../shared/queue-order.ts'
import type { RoomAct } from '../../shared/room-act.ts'
import type { RecordingState } from '../../shared/rooms.ts'
import type { Subscription } from '../../shared/subscriptions.ts'

type Json<T> = JSONColumnType<T & object, string, string>
type NullableAct = ColumnType<RoomAct | null, string | null | undefined, string | null>
type NullableJson = ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>
type Timestamp = ColumnType<Date, Date | string, Date | string>
type NullableTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
type DefaultNow = ColumnType<Date, Date | string | undefined, Date | string>

/** Exactly one of them is set. */
interface FactorOwnerColumns {
  master_id: string | null
  host_id: string | null
  assistant_id: string | null
}

interface PhoneColumns {
  device_id: string | null
  device_secret_hash: string | null
  device_secret_required: Generated<boolean>
  device_model: string | null
  platform: string | null
  app_version: string | null
}

export interface Tables {
  masters: {
    id: Generated<string>
    email: string
    email_key: string
    full_name: string | null
    password_hash: string
    password_changed_at: NullableTimestamp
    created_at: DefaultNow
    removed_at: NullableTimestamp
  }
  hosts: PhoneColumns & {
    id: Generated<string>
    numerical_id: Generated<number>
    username: string
    username_key: string
    email: string
    email_key: string
    mobile: string | null
    full_name: string | null
    password_hash: string
    password_changed_at: NullableTimestamp
    is_active: Generated<boolean>
    recording_enabled: Generated<boolean>
    storage_limit_gb: Generated<number>
    storage_used_bytes: Generated<number>
    subscription_type: number | null
    subscription_start_date: NullableTimestamp
    subscription_end_date: NullableTimestamp
    subscription_cancelled_at: NullableTimestamp
    login_time: NullableTimestamp
    last_login_ip: string | null
    ip_address: string | null
    last_seen: NullableTimestamp
    created_at: DefaultNow
    updated_at: DefaultNow
    deleted_at: NullableTimestamp
    purge_started_at: NullableTimestamp
  }
  app_info: {
    host_id: string
    user_title: string | null
    helpline: string | null
    message: string | null
    allow_recording: Generated<boolean>
    has_public_card: Generated<boolean>
    logo_url: string | null
    password_hash: string | null
  }
  rooms: {
    id: Generated<string>
    host_id: string
    name: string
    zoom_meeting_id: string | null
    passcode_ciphertext: string | null
    join_url_ciphertext: string | null
    host_mute_all_active: Generated<boolean>
    mute_round: Generated<number>
    mute_all_lock: Generated<boolean>
    turn_limit_minutes: number | null
    turn_limit_mutes: Generated<boolean>
    queue_order: Generated<QueueOrder>
    change_number: Generated<number>
    last_act: NullableAct
    other_act: NullableAct
    passcode_change_requested_at: NullableTimestamp
    passcode_change_next_attempt_at: NullableTimestamp
    start_requested_at: NullableTimestamp
    calendar_token_hash: Generated<string | null>
    calendar_link_made_at: NullableTimestamp
    created_at: DefaultNow
  }
  room_users: PhoneColumns & {
    id: Generated<string>
    room_id: string
    user_id: string
    user_id_key: string
    username: string
    username_key: string
    reference: string | null
    group_ids: Generated<string[]>
    email: string | null
    password_hash: string | null // null after an import, until a job has hashed it
    password_ciphertext: string
    is_active: Generated<boolean>
    is_muted: Generated<boolean>
    mute_round: Generated<number>
    is_pinned: Generated<boolean>
    phone_changed: Generated<boolean>
    device_bound_at: NullableTimestamp
    login_time: NullableTimestamp
    last_seen: NullableTimestamp
    created_at: DefaultNow
    updated_at: DefaultNow
  }
  user_groups: {
    id: Generated<string>
    room_id: string
    name: string
    name_key: string
    colour: string
    created_at: Timestamp
    updated_at: Timestamp
  }
  sessions: {
    id: Generated<string>
    role: 'master' | 'host' | 'manager' | 'moderator' | 'phone'
    master_id: string | null
    host_id: string | null
    room_user_id: string | null
    assistant_id: string | null
    device_secret_issued: Generated<boolean>
    sign_in_link_hash: string | null
    ip: string | null
    user_agent: string | null
    created_at: DefaultNow
    last_active_at: DefaultNow
    expires_at: Timestamp
    ended_at: NullableTimestamp
    end_reason: string | null
    second_factor_at: NullableTimestamp
    confirmed_at: NullableTimestamp
  }
  assistants: {
    id: Generated<string>
    host_id: string
    name: string
    name_key: string
    role: 'manager' | 'moderator'
    password_hash: string | null
    password_changed_at: NullableTimestamp
    login_time: NullableTimestamp
    created_at: DefaultNow
    removed_at: NullableTimestamp
  }
  totp_secrets: FactorOwnerColumns & {
    id: Generated<string>
    secret_ciphertext: string
    created_at: Timestamp
    confirmed_at: NullableTimestamp
    used_steps: Generated<number[]>
  }
  passkeys: FactorOwnerColumns & {
    id: Generated<string>
    name: string
    credential_id: string
    public_key: string
    counter: ColumnType<string | number | bigint, number, number> // as the driver gives it
    transports: string[]
    rp_id: string
    created_at: Timestamp
    last_used_at: NullableTimestamp
  }
  recovery_codes: FactorOwnerColumns & {
    id: Generated<string>
    prefix: string
    hash: string
  }
  sign_in_challenges: FactorOwnerColumns & {
    token_hash: string
    password_hash: string
    rp_id: string
    webauthn_challenge: string
    tries_left: number
    created_at: Timestamp
    expires_at: Timestamp
  }
  second_factor_failures: FactorOwnerColumns & {
    id: Generated<string>
    at: Timestamp
  }
  passkey_challenges: {
    session_id: string
    purpose: 'add' | 'confirm'
    challenge: string
    rp_id: string
    expires_at: Timestamp
  }
  security_settings: {
    is_only_row: Generated<boolean>
    require_second_factor: 'nobody' | 'masters' | 'masters_and_hosts'
  }
  subscription_changes: {
    id: Generated<string>
    host_id: string
    at: DefaultNow
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
    scopes: Generated<string>
    access_token_ciphertext: string
    refresh_token_ciphertext: string
    access_expires_at: Timestamp
    refresh_lease: string | null
    refresh_lease_until: NullableTimestamp
    reconnect_needed: Generated<boolean>
    warnings: Json<ZoomWarning[]>
    created_at: DefaultNow
    updated_at: DefaultNow
    connected_at: DefaultNow
    storage_reported_at: NullableTimestamp
    recordings_synced_at: NullableTimestamp
    next_check_at: DefaultNow
    meeting_writes: Generated<number>
    meeting_writes_day: string | null
  }
  oauth_states: {
    state_hash: string
    master_id: string
    email: string
    host_id: string | null
    return_url: string
    verifier_ciphertext: string
    expires_at: Timestamp
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
    scopes: Generated<string>
    access_token_ciphertext: string
    refresh_token_ciphertext: string
    access_expires_at: Timestamp
    warnings: Json<ZoomWarning[]>
    claimed_at: NullableTimestamp
    expires_at: Timestamp
  }
  recordings: {
    id: Generated<string>
    room_id: string
    meeting_id: string
    meeting_uuid: string
    zoom_file_id: string
    topic: string
    started_at: Timestamp
    duration: Generated<number>
    status: string
    file_type: string
    file_size: number | null
    recording_type: string | null
    total_size: Generated<number>
    archived_path: string | null
    archived_bytes: number | null
    archive_started_at: NullableTimestamp
    archive_failures: Generated<number>
    archive_next_attempt_at: NullableTimestamp
    archive_lease: string | null
    archive_lease_until: NullableTimestamp
    gone_at_zoom: Generated<boolean>
    trashed_at: NullableTimestamp
    synced_at: DefaultNow
    zoom_account_id: string | null
    zoom_user_id: string | null
    gone_reported_at: NullableTimestamp
    shared_until: NullableTimestamp
  }
  transcripts: {
    id: Generated<string>
    room_id: string
    meeting_uuid: string
    zoom_file_id: string
    started_at: Timestamp
    file_size: number | null
    status: Generated<'waiting' | 'read' | 'damaged' | 'too_large'>
    skipped_at_ms: number | null
    found_by: Generated<string>
    read_failures: Generated<number>
    next_attempt_at: NullableTimestamp
    lease: string | null
    lease_until: NullableTimestamp
    synced_at: DefaultNow
    zoom_account_id: string | null
    zoom_user_id: string | null
  }
  transcript_cues: {
    transcript_id: string
    cue_number: number
    start_ms: number
    end_ms: number
    speaker: string
    words: string
    found_by: string
  }
  zoom_events: {
    body_hash: string
    event: string
    reported_at: Timestamp
    zoom_account_id: string | null
    zoom_user_id: string | null
    host_id: string | null
    body_ciphertext: string | null
    received_at: Timestamp
    attempts: Generated<number>
    next_attempt_at: Timestamp
    lease: string | null
    lease_until: NullableTimestamp
    processed_at: NullableTimestamp
    failure: string | null
  }
  sittings: {
    room_id: string
    meeting_uuid: string
    meeting_id: string
    began_at: Timestamp
    is_live: boolean
    live_reported_at: Timestamp
    recording: Generated<RecordingState>
    recording_reported_at: NullableTimestamp
    started_at: NullableTimestamp
    recording_since: NullableTimestamp
    recorded_ms: Generated<number>
    last_checked_at: NullableTimestamp
    note: string | null
  }
  sitting_people: {
    room_id: string
    meeting_uuid: string
    participant: string
    room_user_id: string
    is_present: boolean
    join_reported: Generated<boolean>
    reported_at: Timestamp
  }
  zoom_app_joins: {
    room_id: string
    meeting_uuid: string
    participant: string
    is_host: boolean
    is_present: boolean
    reported_at: Timestamp
  }
  recording_marks: {
    zoom_account_id: string
    meeting_uuid: string
    zoom_file_id: string
    property: 'place' | 'topic'
    value: string
    reported_at: Timestamp
    host_id: string | null
  }
  zoom_errors: {
    began_at: Timestamp
    kind: ZoomErrorKind
    times: number
  }
  zoom_purges: {
    host_id: string
    zoom_account_id: string
    zoom_user_id: string
    email: string
    deauthorized_at: Timestamp
    due_at: Timestamp
  }
  phone_requests: {
    room_user_id: string
    ticket_hash: string
    device_id: string
    device_model: string | null
    platform: string
    requested_at: Timestamp
    decision: 'approved' | 'refused' | null
    decided_at: NullableTimestamp
  }
  attendee_links: {
    room_id: string
    folded_name: string
    room_user_id: string
    created_at: Timestamp
  }
  seats: {
    room_id: string
    seat_id: string | null
    epoch: number
    session_id: string | null
    by: string
    taken_at: Timestamp
    expires_at: Timestamp
  }
  sign_in_links: {
    room_user_id: string
    token_hash: string
    expires_at: Timestamp
  }
  account_links: {
    id: Generated<string>
    purpose: AccountLinkPurpose
    token_hash: string
    master_id: string | null
    host_id: string | null
    assistant_id: string | null
    email: string | null
    email_key: string | null
    full_name: string | null
    maker_id: string | null
    removes_second_factor: Generated<boolean>
    created_at: Timestamp
    expires_at: Timestamp
  }
  mails: {
    id: Generated<string>
    kind: string
    address: string
    host_id: string | null
    master_id: string | null
    link_id: string | null
    content_ciphertext: string | null
    attempts: Generated<number>
    created_at: Timestamp
    next_attempt_at: Timestamp
    lease: string | null
    lease_until: NullableTimestamp
    failure: string | null
    failed_at: NullableTimestamp
    ended_at: NullableTimestamp
  }
  host_mails: {
    host_id: string
    kind: string
    occasion: string
  }
  known_devices: {
    hash: string
    last_seen_at: Timestamp
  }
  idempotency_keys: {
    scope: string
    actor: ColumnType<string, never, never>
    key: string
    body_hash: string
    claim: string
    has_effect: Generated<boolean>
    status: number | null
    response_ciphertext: string | null
    created_at: DefaultNow
  }
  refused_sign_ins: {
    audit_id: string
    key: string
    minute: Timestamp
    times: number
  }
  refused_sign_in_days: {
    day: string
    scope: string
    written: number
  }
  audit: {
    id: Generated<string>
    seq: ColumnType<string | number | bigint, never, never> // as the driver gives it
    at: DefaultNow
    actor_role: AuditActorRole
    actor_id: string | null
    host_id: string | null
    action: string
    target: string | null
    ip: string | null
    before: NullableJson
    after: NullableJson
  }
  stays: {
    id: Generated<string>
    room_id: string
    room_user_id: string
    user_id: string
    username: string
    joined_at: Timestamp
    left_at: NullableTimestamp
  }
  speeches: {
    id: Generated<string>
    room_id: string
    room_user_id: string
    began_at: Timestamp
    ended_at: Timestamp
  }
  raised_hands: {
    room_id: string
    meeting_uuid: string
    room_user_id: string
    raised_at: Timestamp
    ended_at: NullableTimestamp
  }
  report_links: {
    id: Generated<string>
    room_id: string
    meeting_uuid: string
    token_hash: string
    with_note: boolean
    maker_id: string
    created_at: Timestamp
    expires_at: Timestamp
  }
  planned_meetings: {
    id: Generated<string>
    room_id: string
    first_day: string
    last_day: string | null
    weekdays: string[]
    time: string
    minutes: number
    time_zone: string
    over_at: NullableTimestamp
    created_at: Timestamp
    updated_at: Timestamp
  }
  planned_checks: {
    planned_meeting_id: string
    planned_at: Timestamp
    due_at: NullableTimestamp
    starts_at: NullableTimestamp
    checked_at: NullableTimestamp
    zoom_fault: 'unanswered' | 'refused' | null
    mailed_for: NullableTimestamp
    lease: string | null
    lease_until: NullableTimestamp
  }
  erasures: {
    room_user_id: string
    room_id: string
    erased_at: Timestamp
    finished_at: NullableTimestamp
  }
  installation: {
    is_only_row: Generated<boolean>
    id: Generated<string>
    version: string | null
    previous_version: string | null
    updated_at: NullableTimestamp
    key_id: string | null
  }
  backup_schedule: {
    is_only_row: Generated<boolean>
    attempted_at: NullableTimestamp
    asked_at: NullableTimestamp
    lease: string | null
    lease_until: NullableTimestamp
  }
  nodes: {
    id: string
    last_heartbeat_at: Timestamp
  }
}
