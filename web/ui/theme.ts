import {
  ActionIcon,
  Badge,
  Button,
  createTheme,
  Drawer,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  Modal,
  Table,
  Tooltip,
} from '@mantine/core'

// Every tuple runs from the lightest to the darkest. The sizes of the steps are chosen for contrast: 7 carries white
// text, 3 carries ink text, 0 and 1 are grounds for text of the same colour at 8.
const petrol: MantineColorsTuple = [
  '#eaf6f5',
  '#d3ecea',
  '#a7d9d6',
  '#5cc4c0',
  '#35a8a6',
  '#1c8b8c',
  '#117579',
  '#0b6469',
  '#084f55',
  '#063c42',
]
const red: MantineColorsTuple = [
  '#fdeeee',
  '#fadada',
  '#f3b3b5',
  '#f08c90',
  '#e4626a',
  '#d6434e',
  '#c8303e',
  '#b32334',
  '#8f1a2a',
  '#6b1220',
]
const amber: MantineColorsTuple = [
  '#fff6e0',
  '#ffedc2',
  '#fddc8c',
  '#f8c95a',
  '#eab232',
  '#cf9417',
  '#a8740b',
  '#855a05',
  '#644303',
  '#463002',
]
const green: MantineColorsTuple = [
  '#e9f7ef',
  '#d2efdf',
  '#a5dfc0',
  '#6ccb9a',
  '#3db079',
  '#239160',
  '#18794f',
  '#116541',
  '#0c4f33',
  '#083a25',
]
const gray: MantineColorsTuple = [
  '#f6f8f8',
  '#eef2f2',
  '#e2e8e9',
  '#d2dadc',
  '#b6c3c7',
  '#8fa0a6',
  '#576b73',
  '#40545c',
  '#263840',
  '#10242d',
]
const dark: MantineColorsTuple = [
  '#e2eaec',
  '#bccace',
  '#9aadb4',
  '#6c818a',
  '#31454f',
  '#243640',
  '#15252e',
  '#0c171d',
  '#091217',
  '#060d11',
]

const sans =
  // By name before system-ui, which on many a Linux is a font of another age.
  '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", Ubuntu, Cantarell, "Liberation Sans", Arial, system-ui, sans-serif'

export const theme = createTheme({
  colors: { petrol, red, yellow: amber, green, gray, dark },
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 3 },
  // Filled parts are dark in the light scheme and light in the dark one; their words turn with them.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input)
    return input.variant === 'filled' ? { ...colors, color: 'var(--on-filled)' } : colors
  },
  black: '#10242d',
  fontFamily: sans,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '0.8125rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  headings: {
    fontFamily: sans,
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.2' },
      h2: { fontSize: '1.1875rem', lineHeight: '1.3' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  radius: { xs: '4px', sm: '6px', md: '9px', lg: '14px', xl: '20px' },
  defaultRadius: 'md',
  focusRing: 'auto',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: Button.extend({ defaultProps: { size: 'sm' } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'gray', size: 'lg' } }),
    Badge: Badge.extend({ defaultProps: { variant: 'light', radius: 'sm' } }),
    Modal: Modal.extend({
      defaultProps: {
        // Drawn as a <header>, which would be a second banner of the page.
        attributes: { header: { role: 'presentation' } },
        radius: 'lg',
        padding: 'lg',
        overlayProps: { backgroundOpacity: 0.5, color: '#06141a' },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    }),
    Drawer: Drawer.extend({ defaultProps: { attributes: { header: { role: 'presentation' } } } }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 'sm', horizontalSpacing: 'md' } }),
    Tooltip: Tooltip.extend({
      defaultProps: { withArrow: true, openDelay: 350, events: { hover: true, focus: true, touch: false } },
    }),
  },
})
