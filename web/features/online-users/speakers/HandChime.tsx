import { Checkbox, Group } from '@mantine/core'
import { useEffect } from 'react'
import { chime, useHandChimeSetting, useUnlockedSound } from '../../../widgets/phone-inbox/chime.ts'
import type { LiveRoomState } from '../live-room/live-room.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import classes from './turns.module.css'

/** Chimes for raised hands, once for those of the same moment, where this browser has chosen it. */
export function useHandChime(store: LiveRoomStore): void {
  const [isOn] = useHandChimeSetting()
  useUnlockedSound()
  useEffect(() => {
    if (!isOn) return
    return store.subscribe((room, before) => {
      if (isHandNew(room, before)) void chime('hand')
    })
  }, [store, isOn])
}

/** False for the hands of the first list, which the host has just opened. */
function isHandNew({ users }: LiveRoomState, before: LiveRoomState): boolean {
  if (users === before.users || before.polledAt === null) return false
  const raised = new Set(before.users.filter((user) => user.wants_to_speak).map(({ id }) => id))
  return users.some((user) => user.wants_to_speak && !raised.has(user.id))
}

export function HandChimeSetting() {
  const [isOn, setOn] = useHandChimeSetting()
  return (
    <Group px={18} py={2} mih="2.25rem" flex="none">
      <Checkbox
        size="xs"
        classNames={{ body: classes.choice }}
        label="Sound for a raised hand"
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => {
          setOn(checked)
          if (checked) void chime('hand') // a sample
        }}
      />
    </Group>
  )
}
