import { Box, Button } from '@mantine/core'
import { Link } from 'react-router'
import type { PlannedCheck } from '../../../shared/go-live.ts'
import { formatTime } from '../../ui/format-date.ts'
import { Notice } from '../../ui/Notice.tsx'
import classes from './NotReadyNotice.module.css'
import type { SidebarItem } from './Sidebar.tsx'

type NotReadyNoticeProps = {
  check: PlannedCheck
  /** The pages of this account: a link to another one is left out. */
  pages: SidebarItem[]
}

/** Says on every page what is in the way of the planned meeting that is about to begin. */
export function NotReadyNotice({ check: { starts_at, problems }, pages }: NotReadyNoticeProps) {
  return (
    <Box className={`no-print ${classes.place}`}>
      <Notice tone="warn" title={`The meeting planned for ${formatTime(starts_at)} is not ready`}>
        <ul className={classes.list}>
          {problems.map(({ subject, title, advice, link }) => (
            <li key={subject}>
              <span>
                <strong>{title}.</strong> {advice}
              </span>
              {link && pages.some(({ to }) => to === link.to.split('?')[0]) ? (
                <Button component={Link} to={link.to} variant="default" mih="2.5rem">
                  Open {link.label}
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      </Notice>
    </Box>
  )
}
