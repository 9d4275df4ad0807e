import { Anchor, Box, Button, Paper, Text, Title } from '@mantine/core'
import {
  type Icon,
  IconAlertTriangle,
  IconBuildingCommunity,
  IconDownload,
  IconLogin2,
  IconMicrophoneOff,
  IconPoint,
  IconUser,
  IconVideo,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { AUDIT_KINDS, type AuditEntry, AuditKind } from '../../../shared/audit.ts'
import { formatDay, formatTime } from '../../ui/format-date.ts'
import { auditSentence } from '../../widgets/audit/audit-sentence.ts'
import { type AuditLine, foldEntries } from '../../widgets/audit/fold-entries.ts'
import { useUserPanelLink } from '../../widgets/room-user/user-param.ts'
import classes from './LogDays.module.css'
import { LogLineUsers } from './LogLineUsers.tsx'

const ICONS: Record<AuditKind, Icon> = {
  sign_ins: IconLogin2,
  mutes: IconMicrophoneOff,
  users: IconUser,
  meetings: IconVideo,
  account: IconBuildingCommunity,
  exports: IconDownload,
}

/** Groups the entries by days of the reader's time zone, newest first. */
export function LogDays({ entries, empty }: { entries: AuditEntry[]; empty: ReactNode }) {
  if (entries.length === 0) return <Paper>{empty}</Paper>
  const days = Map.groupBy(entries, ({ at }) => formatDay(at))
  return [...days].map(([day, those]) => (
    <Paper key={day} component="section" aria-label={day}>
      <Title order={2} fz="sm" px={18} py={10}>
        {day}
      </Title>
      <ol className="plain">
        {foldEntries(those).map((line) => (
          <Line key={line.entry.id} line={line} />
        ))}
      </ol>
    </Paper>
  ))
}

function Line({ line: { entry, users } }: { line: AuditLine }) {
  const [isOpen, setOpen] = useState(false)
  const linkTo = useUserPanelLink()
  const { before, user, after } = auditSentence(entry)
  const hasFailed = /_(failed|refused)$/.test(entry.action)
  const Icon = hasFailed ? IconAlertTriangle : iconOf(entry.action)
  return (
    <li className={classes.entry}>
      <Text component="time" size="xs" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }} dateTime={entry.at}>
        {formatTime(entry.at)}
      </Text>
      <Box component="span" c={hasFailed ? 'bad' : 'dimmed'} style={{ alignSelf: 'center' }} lh={0}>
        <Icon size={17} stroke={1.75} aria-hidden="true" />
      </Box>
      <span style={{ overflowWrap: 'anywhere' }}>
        {before}
        {user ? (
          <Anchor component={Link} {...linkTo(user.id)} fw={600}>
            <bdi dir="auto">{user.name}</bdi>
          </Anchor>
        ) : null}
        {after}
        {users.length > 1 ? (
          <Button
            className={classes.unfold}
            ms={6}
            size="compact-xs"
            variant="subtle"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide names' : 'Show names'}
          </Button>
        ) : null}
        {isOpen ? <LogLineUsers users={users} leftOut={entry.users_left_out ?? 0} /> : null}
      </span>
    </li>
  )
}

function iconOf(action: string): Icon {
  const kind = AuditKind.options.find((one) => AUDIT_KINDS[one].some((known) => known === action))
  return kind ? ICONS[kind] : IconPoint
}
