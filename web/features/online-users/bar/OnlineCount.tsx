import { Box, Flex } from '@mantine/core'
import { memo } from 'react'
import { useStore } from 'zustand'
import { type LiveRoomStore, usersOf } from '../live-room/live-room-store.ts'

export const OnlineCount = memo(function OnlineCount({ store }: { store: LiveRoomStore }) {
  const { length } = useStore(store, usersOf)
  return <Total label="Currently Online" count={length} />
})

export function Total({ label, count }: { label: string; count: number }) {
  return (
    <Flex component="dl" direction="column-reverse" flex="none" m={0}>
      <Box component="dt" fz={12} c="dimmed" lh={1.3}>
        {label}
      </Box>
      <Box component="dd" m={0} fz={22} fw={700} lh={1.2} lts="-0.02em">
        {count}
      </Box>
    </Flex>
  )
}
