import { Box, Flex } from '@mantine/core'
import { memo } from 'react'
import { useStore } from 'zustand'
import { type LiveRoomStore, usersOf } from '../live-room/live-room-store.ts'

export const OnlineCount = memo(function OnlineCount({ store }: { store: LiveRoomStore }) {
  const { length } = useStore(store, usersOf)
  return (
    <Flex component="dl" direction="column-reverse" flex="none" m={0}>
      <Box component="dt" fz={12} c="dimmed" lh={1.3}>
        Currently Online
      </Box>
      <Box component="dd" m={0} fz={22} fw={700} lh={1.2} lts="-0.02em">
        {length}
      </Box>
    </Flex>
  )
})
