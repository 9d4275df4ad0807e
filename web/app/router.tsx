import { createBrowserRouter, type RouteObject } from 'react-router'
import { PublicLayout } from '../features/public-pages/PublicLayout.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Root, RootFailed } from './Root.tsx'
import { VerifiedOnly } from './VerifiedOnly.tsx'

type Screen = NonNullable<RouteObject['Component']>

/** A page is fetched when it is first opened, so that a login page does not carry the panels. */
function page(path: string | undefined, load: () => Promise<Screen>, children?: RouteObject[]): RouteObject {
  return { path, lazy: async () => ({ Component: await load() }), children }
}

// shared/pages.ts names these files too: the server sends each of these pages with what it needs.
const publicPages: RouteObject = {
  Component: PublicLayout,
  children: [
    page('/', async () => (await import('../features/public-pages/LandingScreen.tsx')).LandingScreen),
    page('/terms', async () => (await import('../features/public-pages/TermsScreen.tsx')).TermsScreen),
    page('/policy', async () => (await import('../features/public-pages/PolicyScreen.tsx')).PolicyScreen),
    page(
      '/documentation',
      async () => (await import('../features/public-pages/DocumentationScreen.tsx')).DocumentationScreen,
    ),
    page('/support', async () => (await import('../features/public-pages/SupportScreen.tsx')).SupportScreen),
  ],
}

const signInAndReturnPages = [
  page('/login', async () => (await import('../features/login/HostLoginScreen.tsx')).HostLoginScreen),
  page('/master-login', async () => (await import('../features/login/MasterLoginScreen.tsx')).MasterLoginScreen),
  page(
    '/oauth-success',
    async () => (await import('../features/oauth-return/OAuthSuccessScreen.tsx')).OAuthSuccessScreen,
  ),
  page('/oauth-error', async () => (await import('../features/oauth-return/OAuthErrorScreen.tsx')).OAuthErrorScreen),
]

const hostsScreen = async () => (await import('../features/hosts/HostsScreen.tsx')).HostsScreen

const masterPanel = page('/master', async () => (await import('./layout/MasterLayout.tsx')).MasterLayout, [
  {
    Component: VerifiedOnly,
    children: [page('', hostsScreen), page('hosts', hostsScreen), page('hosts/add', hostsScreen)],
  },
])

const hostPanel = page('/host', async () => (await import('./layout/HostLayout.tsx')).HostLayout, [
  {
    Component: VerifiedOnly,
    children: [
      page('dashboard', async () => (await import('../features/dashboard/DashboardScreen.tsx')).DashboardScreen),
      page('users', async () => (await import('../features/room-users/RoomUsersScreen.tsx')).RoomUsersScreen),
      page('online', async () => (await import('../features/online-users/OnlineUsersScreen.tsx')).OnlineUsersScreen),
      page(
        'host-master',
        async () => (await import('../features/hosts/host-master/HostMasterScreen.tsx')).HostMasterScreen,
      ),
      page('rooms', async () => (await import('../features/rooms/RoomsScreen.tsx')).RoomsScreen),
      page('recordings', async () => (await import('../features/recordings/RecordingsScreen.tsx')).RecordingsScreen),
      page('app-info', async () => (await import('../features/app-info/AppInfoScreen.tsx')).AppInfoScreen),
      page('attendance', async () => (await import('../features/attendance/AttendanceScreen.tsx')).AttendanceScreen),
      page('downloads', async () => (await import('../features/downloads/DownloadsScreen.tsx')).DownloadsScreen),
    ],
  },
])

const panels = page(undefined, async () => (await import('./layout/Providers.tsx')).Providers, [masterPanel, hostPanel])

const FirstLoad = () => <Loading fullPage />
// The root redirects every address that is no page, so this only keeps the router from calling it unknown.
const Nothing = () => null

/** Made once the address is as the pages may see it. */
export function createRouter() {
  return createBrowserRouter([
    {
      Component: Root,
      ErrorBoundary: RootFailed,
      HydrateFallback: FirstLoad,
      children: [publicPages, ...signInAndReturnPages, panels, { path: '*', Component: Nothing }],
    },
  ])
}
