/** A page without a login, with the path of its screen under `web/`. */
export type PublicPage = { title: string; screen: string; description?: string }

export const PUBLIC_PAGES: Record<string, PublicPage> = {
  '/': {
    title: 'Parley · Your trusted digital companion',
    screen: 'features/public-pages/LandingScreen.tsx',
    description:
      'Parley runs large audio-only meetings on Zoom: who is on which phone, who speaks, who asks to, and mute from outside the meeting.',
  },
  '/documentation': {
    title: 'Documentation · Parley',
    screen: 'features/public-pages/DocumentationScreen.tsx',
    description:
      'How a host runs a room with Parley: users and their phones, the live Online page, muting, recordings, and what each page shows.',
  },
  '/support': {
    title: 'Support · Parley',
    screen: 'features/public-pages/SupportScreen.tsx',
    description: 'How to reach us, how soon we answer, common questions, and what to do when something does not work.',
  },
  '/terms': {
    title: 'Terms of Service · Parley',
    screen: 'features/public-pages/TermsScreen.tsx',
    description: 'The terms under which Parley, an independent tool for meetings on Zoom, may be used.',
  },
  '/policy': {
    title: 'Privacy Policy · Parley',
    screen: 'features/public-pages/PolicyScreen.tsx',
    description: 'What Parley keeps about hosts and their people, why, for how long, and how to have it deleted.',
  },
  '/login': { title: 'Host Login · Parley', screen: 'features/login/HostLoginScreen.tsx' },
  '/master-login': { title: 'Master Admin Login · Parley', screen: 'features/login/MasterLoginScreen.tsx' },
  '/link': { title: 'Set your password · Parley', screen: 'features/login/AccountLinkScreen.tsx' },
  '/report': { title: 'Meeting report · Parley', screen: 'features/public-pages/SharedReportScreen.tsx' },
  '/oauth-success': { title: 'Zoom Integration · Parley', screen: 'features/oauth-return/OAuthSuccessScreen.tsx' },
  '/oauth-error': { title: 'Zoom Integration · Parley', screen: 'features/oauth-return/OAuthErrorScreen.tsx' },
}
