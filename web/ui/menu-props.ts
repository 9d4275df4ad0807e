import type { MenuProps } from '@mantine/core'

/** Inside the page's main part, as all of its content; and with the focus on its first item, which is what a menu is. */
export const menuProps = {
  portalProps: { target: '#content' },
  withInitialFocusPlaceholder: false,
  shadow: 'md',
} satisfies Partial<MenuProps>
