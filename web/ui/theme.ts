import {
  ActionIcon,
  Alert,
  Badge,
  Button,
  Checkbox,
  createTheme,
  Drawer,
  defaultVariantColorsResolver,
  Fieldset,
  InputWrapper,
  type MantineColorsTuple,
  Modal,
  Notification,
  Paper,
  Select,
  Table,
  Textarea,
  TextInput,
  ThemeIcon,
  Tooltip,
} from '@mantine/core'

// Every tuple runs from the lightest to the darkest. The steps are chosen for contrast: 7 carries white text, 3 carries
// ink text, 0 and 1 are backgrounds for text of the same colour at 8.
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
  // Named fonts precede system-ui, which is an outdated font on many Linux systems.
  '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", Ubuntu, Cantarell, "Liberation Sans", Arial, system-ui, sans-serif'

/** Colours of states, from tokens.css; usable as `color="good"` and so on in any Mantine component. */
export type Tone = 'brand' | 'good' | 'warn' | 'bad' | 'quiet'
const TONES: Tone[] = ['brand', 'good', 'warn', 'bad', 'quiet']

/** The palette's own light variants turn almost black in the dark scheme. */
const SHADES: Record<string, Tone> = { petrol: 'brand', red: 'bad', yellow: 'warn', green: 'good' }

/** A field follows the direction of its letters. Mantine sets `dir` itself on the elements around the field. */
const DIRECTED = { input: { dir: 'auto' } }

export const theme = createTheme({
  colors: { petrol, red, yellow: amber, green, gray, dark },
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 3 },
  // Filled parts are dark in the light scheme and light in the dark one; their text is the opposite.
  variantColorResolver: (input) => {
    const tone = TONES.find((name) => name === (SHADES[input.color ?? 'petrol'] ?? input.color))
    if (tone && (input.variant === 'light' || input.variant === 'subtle')) {
      const soft = `var(--${tone}-soft)`
      const background = input.variant === 'light' ? soft : 'transparent'
      return { background, hover: soft, color: `var(--${tone})`, border: '1px solid transparent' }
    }
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
    Alert: Alert.extend({
      defaultProps: { closeButtonLabel: 'Dismiss' },
      styles: {
        root: { padding: '0.6875rem 0.875rem' },
        wrapper: { alignItems: 'flex-start' },
        icon: { width: '1.125rem', margin: '0.1875rem 0.625rem 0 0' },
        message: { color: 'inherit', fontSize: '0.9375rem', fontWeight: 500, overflowWrap: 'anywhere' },
        closeButton: { color: 'inherit' },
      },
    }),
    Badge: Badge.extend({
      defaultProps: { variant: 'light', color: 'quiet', radius: 'xl' },
      styles: {
        root: {
          gap: 6,
          height: 'auto',
          padding: '1px 8px',
          fontSize: '0.75rem',
          fontWeight: 600,
          letterSpacing: 0,
          lineHeight: 1.5,
          textTransform: 'none',
        },
        label: { overflow: 'visible' },
        section: { display: 'inline-flex', margin: 0 },
      },
    }),
    Checkbox: Checkbox.extend({ styles: { icon: { color: 'var(--on-filled)' } } }),
    Fieldset: Fieldset.extend({ styles: { legend: { color: 'var(--text-soft)', fontSize: '0.8125rem' } } }),
    InputWrapper: InputWrapper.extend({
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
      styles: { label: { marginBottom: 4, fontSize: '0.8125rem', fontWeight: 600 } },
    }),
    ThemeIcon: ThemeIcon.extend({ defaultProps: { variant: 'light', color: 'brand', size: 40, radius: 11 } }),
    Paper: Paper.extend({ defaultProps: { withBorder: true, radius: 'lg', shadow: 'xs' } }),
    Modal: Modal.extend({
      defaultProps: {
        // Mantine renders a <header>, which would be a second banner of the page.
        attributes: { header: { role: 'presentation' } },
        radius: 'lg',
        padding: 'lg',
        overlayProps: { backgroundOpacity: 0.5, color: '#06141a' },
        closeButtonProps: { 'aria-label': 'Close' },
      },
      styles: { title: { fontSize: '1.125rem', fontWeight: 650, letterSpacing: '-0.012em' } },
    }),
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } },
      styles: {
        root: {
          padding: '0.625rem 0.5rem 0.625rem 0.75rem',
          border: '1px solid var(--line-strong)',
          background: 'var(--surface)',
          boxShadow: 'var(--shadow-raised)',
        },
        icon: { marginInlineEnd: 12, background: 'var(--tone-soft)', color: 'var(--tone)' },
        description: { color: 'var(--text)', fontSize: '0.875rem', overflowWrap: 'anywhere' },
        closeButton: { pointerEvents: 'auto' },
      },
    }),
    Drawer: Drawer.extend({ defaultProps: { attributes: { header: { role: 'presentation' } } } }),
    TextInput: TextInput.extend({ defaultProps: { attributes: DIRECTED } }),
    Textarea: Textarea.extend({ defaultProps: { attributes: DIRECTED } }),
    Select: Select.extend({ defaultProps: { attributes: DIRECTED } }),
    Table: Table.extend({
      defaultProps: { verticalSpacing: 'sm', horizontalSpacing: 'md' },
      styles: {
        th: { background: 'var(--surface-sunken)', color: 'var(--text-soft)', fontSize: '0.75rem', fontWeight: 600 },
      },
    }),
    Tooltip: Tooltip.extend({
      defaultProps: { withArrow: true, openDelay: 350, events: { hover: true, focus: true, touch: false } },
    }),
  },
})
