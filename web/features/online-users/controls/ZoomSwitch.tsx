import { Switch } from '@mantine/core'
import { useSeatView } from '../../../widgets/seat/seat-context.ts'
import { canMute } from '../../../widgets/seat/seat-view.ts'
import { setMuteAllInZoom, useMuteAllInZoom } from './mute-all-in-zoom.ts'

/** Lets the next Mute All mute those in Zoom too. Shown while a seat can do so. */
export function ZoomSwitch() {
  const isOffered = useSeatView(canMute)
  const { isOn } = useMuteAllInZoom()
  if (!isOffered) return null
  return (
    <Switch
      size="xs"
      label="Mute All also in Zoom"
      checked={isOn}
      onChange={({ currentTarget }) => setMuteAllInZoom(currentTarget.checked)}
    />
  )
}
