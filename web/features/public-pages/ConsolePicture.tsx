import { useSyncExternalStore } from 'react'
import dark from '../../../docs/pictures/hero-dark.webp'
import darkSmall from '../../../docs/pictures/hero-dark-small.webp'
import light from '../../../docs/pictures/hero-light.webp'
import lightSmall from '../../../docs/pictures/hero-light-small.webp'
import { currentScheme, subscribeToScheme } from '../../ui/light/color-scheme.ts'

const WORDS =
  'The Online page of a host: 36 people are online, one speaks, two want to speak. Each person is a tile with a colour, an icon and a word; above them are the buttons Mute All and Unmute All.'

/** The console as it is, in the colours that the page has. */
export function ConsolePicture() {
  const isDark = useSyncExternalStore(subscribeToScheme, currentScheme) === 'dark'
  const [small, large] = isDark ? [darkSmall, dark] : [lightSmall, light]
  return (
    <img
      src={large}
      srcSet={`${small} 720w, ${large} 1200w`}
      sizes="(max-width: 48em) calc(100vw - 2.5rem), 38rem"
      width={1200}
      height={750}
      alt={WORDS}
      fetchPriority="high"
    />
  )
}
