import type { GroupColour } from '../../../shared/user-groups.ts'

export const COLOUR_NAMES: Record<GroupColour, string> = {
  red: 'Red',
  orange: 'Orange',
  yellow: 'Yellow',
  green: 'Green',
  teal: 'Teal',
  blue: 'Blue',
  violet: 'Violet',
  grey: 'Grey',
}
