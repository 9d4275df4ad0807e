import { gatherToasts, joinNames } from '../../ui/gathered-toast.ts'

/** Under Mute All a crowd may open its microphones at the same time. */
export const showMutedAgain = gatherToasts(mutedAgainText)

export function mutedAgainText(names: readonly string[]): string {
  const end = names.length === 1 ? 'It was closed again.' : 'All were closed again.'
  return `${joinNames(names)} opened the microphone in Zoom while muted. ${end}`
}
