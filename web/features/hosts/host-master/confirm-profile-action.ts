import type { ProfileAction } from '../../../../shared/hosts.ts'
import { confirm } from '../../../ui/confirm.tsx'

/** Confirms actions that sign out phones. `name` is the host's, unless the host acts on its own room. */
export async function confirmProfileAction(action: ProfileAction, name?: string): Promise<boolean> {
  if (action === 'stop')
    return confirm({
      title: name ? `Stop the room of ${name}?` : 'Stop your room?',
      body: `Every phone in the room is signed out, and none can sign in until ${name ? 'the room is activated' : 'you activate the room'} again.`,
      confirmLabel: 'Stop room',
      danger: true,
    })
  if (action === 'change-phone')
    return confirm({
      title: name ? `Change the phone of ${name}?` : 'Change your phone?',
      body: name
        ? "The host's present phone is signed out. The next phone that the host signs in from becomes its own."
        : 'Your present phone is signed out. The next phone that you sign in from becomes yours.',
      confirmLabel: 'Change phone',
    })
  return true
}
