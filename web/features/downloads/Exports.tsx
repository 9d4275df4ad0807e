import { Button } from '@mantine/core'
import { IconCalendarUser, IconDownload, IconHistory, IconListDetails, IconUsers } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ATTENDANCE_DAYS_MAX } from '../../../shared/attendance.ts'
import { RoomUsersAnswer } from '../../../shared/room-users.ts'
import { api, messageOf } from '../../lib/api-client.ts'
import { downloadFile, saveCsv } from '../../lib/download.ts'
import { type Period, periodFault, presetPeriod } from '../../lib/periods.ts'
import { attendanceFile } from '../../lib/queries/attendance.ts'
import { usersCsv } from '../../lib/users-csv.ts'
import { Panel } from '../../ui/Panel.tsx'
import { PeriodPicker } from '../../ui/PeriodPicker.tsx'
import { toast } from '../../ui/toast.tsx'
import classes from './Exports.module.css'

export function Exports() {
  const [period, setPeriod] = useState(() => presetPeriod('Last 30 days', Date.now()))
  const fault = periodFault(period, ATTENDANCE_DAYS_MAX)
  return (
    <>
      <Panel padded>
        <Export name="Users" icon={<IconUsers size={20} stroke={1.75} />} save={saveUsers}>
          Everybody who may join your room, as of now. Without the passwords.
        </Export>
      </Panel>
      <Panel padded>
        <PeriodPicker period={period} fault={fault} onChange={setPeriod} />
        <div className={classes.list}>
          {LISTS.map(({ name, icon, words, file }) => (
            <Export
              key={name}
              name={name}
              icon={icon}
              disabled={fault !== null}
              save={() => downloadFile(file(period))}
            >
              {words}
            </Export>
          ))}
        </div>
      </Panel>
    </>
  )
}

const LISTS = [
  {
    name: 'Attendance',
    icon: <IconCalendarUser size={20} stroke={1.75} />,
    words: 'Each person once: when they came and left, how often and how long, and who did not come.',
    file: (period: Period) => attendanceFile(period, 'users'),
  },
  {
    name: 'Visits',
    icon: <IconHistory size={20} stroke={1.75} />,
    words: 'Each visit of each person, with its beginning, end and length.',
    file: (period: Period) => attendanceFile(period, 'stays'),
  },
  {
    name: 'Audit',
    icon: <IconListDetails size={20} stroke={1.75} />,
    words: 'Who did what in your room and when: changes, mutes, sign-ins.',
    file: (period: Period) => `/host/audit?${new URLSearchParams({ ...period, format: 'csv' })}`,
  },
]

async function saveUsers() {
  const { users } = (await api(RoomUsersAnswer, 'GET', '/host/users')).data
  saveCsv('users.csv', usersCsv(users))
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
    <div className={classes.export}>
      <span className={classes.icon} aria-hidden="true">
        {icon}
      </span>
      <div className={classes.words}>
        <h2 className={classes.name}>{name}</h2>
        <p className={classes.hint}>{children}</p>
      </div>
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
    </div>
  )
}
