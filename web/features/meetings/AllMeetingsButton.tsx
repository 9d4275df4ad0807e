import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'react-router'

export function AllMeetingsButton() {
  return (
    <Button
      component={Link}
      to="/host/meetings"
      variant="default"
      leftSection={<IconArrowLeft size={17} aria-hidden="true" />}
    >
      All meetings
    </Button>
  )
}
