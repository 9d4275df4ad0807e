import { Box, Button, Divider, Group, Paper, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCalendarUser, IconDownload, IconHistory, IconListDetails, IconUsers } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import { ATTENDANCE_DAYS_MAX } from '../../../shared/attendance.ts'
import { RoomUsersAnswer } from '../../../shared/room-users.ts'
import { api, messageOf } from '../../lib/api-client.ts'
import { downloadFile, saveCsv } from '../../lib/download.ts'
import { type Period, periodBounds, periodFault, presetPeriod } from '../../lib/periods.ts'
import { attendanceFile } from '../../queries/attendance.ts'
import { PeriodPicker } from '../../ui/PeriodPicker.tsx'
import { toast } from '../../ui/toast.tsx'
import { usersCsv } from '../../widgets/room-user/users-csv.ts'

export function Exports() {
  const [period, setPeriod] = useState(() => presetPeriod('Last 30 days', Date.now()))
  const fault = periodFault(period, ATTENDANCE_DAYS_MAX)
  return (
    <>
      <Paper px="lg" py="sm">
        <Export name="Users" icon={<IconUsers size={20} stroke={1.75} />} save={saveUsers}>
          Everyone who may join your room, as of now. Without passwords.
        </Export>
      </Paper>
      <Paper px="lg" py="sm">
        <PeriodPicker period={period} fault={fault} onChange={setPeriod} />
        {LISTS.map(({ name, icon, words, file }, index) => (
          <Fragment key={name}>
            {index === 0 ? null : <Divider />}
            <Export name={name} icon={icon} disabled={fault !== null} save={() => downloadFile(file(period))}>
              {words}
            </Export>
          </Fragment>
        ))}
      </Paper>
    </>
  )
}

const LISTS = [
  {
    name: 'Attendance',
    icon: <IconCalendarUser size={20} stroke={1.75} />,
    words: 'Each user once: when they arrived and left, how often and how long, and who was absent.',
    file: (period: Period) => attendanceFile(period, 'users'),
  },
  {
    name: 'Visits',
    icon: <IconHistory size={20} stroke={1.75} />,
    words: 'Each visit of each user, with its start, end and length.',
    file: (period: Period) => attendanceFile(period, 'stays'),
  },
  {
    name: 'Audit',
    icon: <IconListDetails size={20} stroke={1.75} />,
    words: 'Who did what in your room and when: changes, mutes, sign-ins.',
    file: (period: Period) => `/host/audit?${new URLSearchParams({ ...periodBounds(period), format: 'csv' })}`,
  },
]

async function saveUsers() {
  const { users, groups } = (await api(RoomUsersAnswer, 'GET', '/host/users')).data
  saveCsv('users.csv', usersCsv(users, groups))
}

type ExportProps = {
  name: string
  icon: ReactNode
  children: ReactNode
  disabled?: boolean
  save: () => Promise<void>
}

function Export({ name, icon, children, disabled = false, save }: ExportProps) {
  const saving = useMutation({
    mutationFn: save,
    onError: (error) => toast.error(messageOf(error, 'The file could not be fetched. Please try again.')),
  })

  return (
    <Group gap="sm" wrap="nowrap" py="sm">
      <ThemeIcon aria-hidden="true">{icon}</ThemeIcon>
      <Box flex={1} miw={0}>
        <Title order={2} fz="md">
          {name}
        </Title>
        <Text size="sm" c="dimmed">
          {children}
        </Text>
      </Box>
      <Button
        variant="default"
        aria-label={`Download ${name} CSV`}
        leftSection={<IconDownload size={17} aria-hidden="true" />}
        disabled={disabled}
        loading={saving.isPending}
        onClick={() => saving.mutate()}
      >
        CSV
      </Button>
    </Group>
  )
}
