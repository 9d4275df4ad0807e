import type { MenuProps } from '@mantine/core'

/** Menus open inside the page's main part, like all of its content, and focus their first item, as menus do. */
export const menuProps = {
  portalProps: { target: '#content' },
  withInitialFocusPlaceholder: false,
  shadow: 'md',
} satisfies Partial<MenuProps>
