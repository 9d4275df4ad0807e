import {
  type Icon,
  IconCalendarDollar,
  IconCalendarTime,
  IconCalendarUser,
  IconCloud,
  IconDeviceMobileCog,
  IconDoor,
  IconDownload,
  IconHeadset,
  IconHeartbeat,
  IconHistory,
  IconHome,
  IconKey,
  IconLayoutDashboard,
  IconUserCog,
  IconUserShield,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { ConsoleRole, Role } from '../../shared/auth.ts'

export type PageEntry = {
  label: string
  icon: Icon
  hint?: string
  /** More words that find the page in the search. */
  synonyms?: string[]
}

/**
 * A page behind a login. The router, the redirects, the sidebars and the documentation's pictures are made from these.
 */
export type PanelPage = {
  path: string
  roles: ConsoleRole[]
  load: () => Promise<ComponentType>
  sidebar?: PageEntry
  /** Its item in the account menu at the right of the header. */
  account?: PageEntry
}

const hostsScreen = async () => (await import('../features/hosts/HostsScreen.tsx')).HostsScreen

const accountScreen = async () => (await import('../features/account/AccountScreen.tsx')).AccountScreen
const ACCOUNT = {
  label: 'Account',
  synonyms: ['password', 'sessions', 'sign out everywhere', 'security'],
  icon: IconKey,
}

/** Sidebars keep this order. The pages without a login are in shared/pages.ts. */
export const PANEL_PAGES: PanelPage[] = [
  {
    path: '/host/dashboard',
    roles: ['host', 'manager'],
    load: async () => (await import('../features/dashboard/DashboardScreen.tsx')).DashboardScreen,
    sidebar: { label: 'Dashboard', synonyms: ['home', 'start', 'overview'], icon: IconLayoutDashboard },
  },
  {
    path: '/host/users',
    roles: ['host', 'manager'],
    load: async () => (await import('../features/room-users/RoomUsersScreen.tsx')).RoomUsersScreen,
    sidebar: {
      label: 'Users Master',
      synonyms: ['people', 'participants', 'accounts', 'credentials', 'passwords', 'import', 'invite'],
      icon: IconUsers,
    },
  },
  {
    path: '/host/online',
    roles: ['host', 'manager', 'moderator'],
    load: async () => (await import('../features/online-users/OnlineUsersScreen.tsx')).OnlineUsersScreen,
    sidebar: {
      label: 'Online',
      synonyms: ['mute all', 'unmute all', 'live', 'speakers', 'hands', 'participants'],
      icon: IconHeadset,
    },
  },
  {
    path: '/host/host-master',
    roles: ['host', 'master'],
    load: async () => (await import('../features/hosts/host-master/HostMasterScreen.tsx')).HostMasterScreen,
    sidebar: { label: 'Host Master', icon: IconUserCog },
    account: { label: 'Host Master', icon: IconUserCog },
  },
  {
    path: '/host/rooms',
    roles: ['host', 'manager'],
    load: async () => (await import('../features/rooms/RoomsScreen.tsx')).RoomsScreen,
    sidebar: { label: 'Rooms Master', synonyms: ['meeting', 'passcode', 'start', 'zoom'], icon: IconDoor },
  },
  {
    path: '/host/recordings',
    roles: ['host', 'manager'],
    load: async () => (await import('../features/recordings/RecordingsScreen.tsx')).RecordingsScreen,
    sidebar: { label: 'Cloud Recordings', synonyms: ['recordings', 'audio', 'storage', 'archive'], icon: IconCloud },
  },
  {
    path: '/host/attendance',
    roles: ['host', 'manager'],
    load: async () => (await import('../features/attendance/AttendanceScreen.tsx')).AttendanceScreen,
    sidebar: { label: 'Attendance', synonyms: ['present', 'absent', 'missing', 'report'], icon: IconCalendarUser },
  },
  {
    path: '/host/meetings',
    roles: ['host', 'manager'],
    load: async () => (await import('../features/meetings/MeetingsScreen.tsx')).MeetingsScreen,
    sidebar: {
      label: 'Meetings',
      synonyms: ['sittings', 'past', 'report', 'summary', 'notes', 'compare'],
      icon: IconCalendarTime,
    },
  },
  {
    path: '/host/app-info',
    roles: ['host'],
    load: async () => (await import('../features/app-info/AppInfoScreen.tsx')).AppInfoScreen,
    sidebar: {
      label: 'App Info.',
      synonyms: ['branding', 'logo', 'helpline', 'phone app', 'settings'],
      icon: IconDeviceMobileCog,
    },
  },
  {
    path: '/host/assistants',
    roles: ['host'],
    load: async () => (await import('../features/assistants/AssistantsScreen.tsx')).AssistantsScreen,
    sidebar: {
      label: 'Assistants',
      synonyms: ['moderators', 'managers', 'deputies', 'team', 'helpers'],
      icon: IconUserShield,
    },
  },
  {
    path: '/host/downloads',
    roles: ['host', 'manager'],
    load: async () => (await import('../features/downloads/DownloadsScreen.tsx')).DownloadsScreen,
    sidebar: { label: 'Downloads', synonyms: ['export', 'csv', 'files'], icon: IconDownload },
  },
  {
    path: '/host/log',
    roles: ['host'],
    load: async () => (await import('../features/log/LogScreen.tsx')).LogScreen,
    account: { label: 'Log', synonyms: ['audit', 'history', 'activity', 'events'], icon: IconHistory },
  },
  { path: '/host/account', roles: ['host', 'manager', 'moderator'], load: accountScreen, account: ACCOUNT },
  { path: '/master', roles: ['master'], load: hostsScreen },
  {
    path: '/master/home',
    roles: ['master'],
    load: async () => (await import('../features/home/HomeScreen.tsx')).HomeScreen,
    sidebar: {
      label: 'Home',
      synonyms: ['overview', 'start', 'live rooms', 'users online', 'trouble'],
      icon: IconHome,
    },
  },
  {
    path: '/master/hosts',
    roles: ['master'],
    load: hostsScreen,
    sidebar: {
      label: 'Host Management',
      synonyms: ['accounts', 'subscriptions', 'add host'],
      icon: IconUsersGroup,
      hint: 'Manage host accounts and their Zoom integrations',
    },
  },
  { path: '/master/hosts/add', roles: ['master'], load: hostsScreen },
  {
    path: '/master/renewals',
    roles: ['master'],
    load: async () => (await import('../features/hosts/renewals/RenewalsScreen.tsx')).RenewalsScreen,
    sidebar: {
      label: 'Renewals',
      synonyms: ['subscriptions', 'expiring', 'expired', 'extend', 'sales', 'sold'],
      icon: IconCalendarDollar,
    },
  },
  {
    path: '/master/log',
    roles: ['master'],
    load: async () => (await import('../features/log/all-hosts/AllHostsLogScreen.tsx')).AllHostsLogScreen,
    sidebar: { label: 'Log', synonyms: ['audit', 'history', 'activity', 'events'], icon: IconHistory },
  },
  {
    path: '/master/masters',
    roles: ['master'],
    load: async () => (await import('../features/masters/MastersScreen.tsx')).MastersScreen,
    sidebar: { label: 'Masters', synonyms: ['administrators', 'invite', 'remove'], icon: IconUsers },
  },
  {
    path: '/master/system',
    roles: ['master'],
    load: async () => (await import('../features/system/SystemScreen.tsx')).SystemScreen,
    sidebar: {
      label: 'System',
      synonyms: ['health', 'checks', 'doctor', 'backup', 'version', 'certificate', 'disk'],
      icon: IconHeartbeat,
    },
  },
  { path: '/master/account', roles: ['master'], load: accountScreen, account: ACCOUNT },
]

/** Selects the pages whose paths begin with the panel's name. */
export function panelPages(panel: Role): PanelPage[] {
  return PANEL_PAGES.filter(({ path }) => path === `/${panel}` || path.startsWith(`/${panel}/`))
}

export function menuItems(
  panel: Role,
  menu: 'sidebar' | 'account',
  role: ConsoleRole = panel,
): (PageEntry & { to: string })[] {
  return panelPages(panel).flatMap((page) => {
    const item = page.roles.includes(role) && page[menu]
    return item ? [{ to: page.path, ...item }] : []
  })
}
