import { Administrators } from './Administrators.tsx'
import { BeforeYouBegin, Dashboard, FindingYourWay, LoggingIn } from './Beginning.tsx'
import { Leaving, Numbers } from './Numbers.tsx'
import { Online } from './Online.tsx'
import { AppInfo, Attendance, Downloads, HostMaster, OnThePhone, Recordings, Rooms } from './OtherPages.tsx'
import { Users } from './Users.tsx'
import { ZoomSetup } from './ZoomSetup.tsx'

/** In the order in which a host needs them. `id` is that of the chapter itself. */
export const CHAPTERS = [
  { id: 'before', title: 'Before you begin', Chapter: BeforeYouBegin },
  { id: 'login', title: 'Logging in', Chapter: LoggingIn },
  { id: 'around', title: 'Finding your way', Chapter: FindingYourWay },
  { id: 'dashboard', title: 'Dashboard', Chapter: Dashboard },
  { id: 'users', title: 'Users Master', Chapter: Users },
  { id: 'online', title: 'Online', Chapter: Online },
  { id: 'rooms', title: 'Rooms Master', Chapter: Rooms },
  { id: 'recordings', title: 'Cloud Recordings', Chapter: Recordings },
  { id: 'app-info', title: 'App Info.', Chapter: AppInfo },
  { id: 'host-master', title: 'Host Master', Chapter: HostMaster },
  { id: 'attendance', title: 'Attendance', Chapter: Attendance },
  { id: 'downloads', title: 'Downloads', Chapter: Downloads },
  { id: 'phone', title: 'On the phone', Chapter: OnThePhone },
  { id: 'administrators', title: 'For administrators', Chapter: Administrators },
  { id: 'zoom-setup', title: 'Set up Zoom', Chapter: ZoomSetup },
  { id: 'leaving', title: 'When an account is removed', Chapter: Leaving },
  { id: 'numbers', title: 'Numbers and limits', Chapter: Numbers },
]
