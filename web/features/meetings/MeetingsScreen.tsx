import { useSearchParams } from 'react-router'
import { MeetingComparison } from './MeetingComparison.tsx'
import { MeetingList } from './MeetingList.tsx'
import { MeetingReportPage } from './MeetingReportPage.tsx'

/** Shows all meetings, one of them, or two side by side: the address says which. */
export function MeetingsScreen() {
  const [params] = useSearchParams()
  const meeting = params.get('meeting')
  const other = params.get('with')
  if (!meeting) return <MeetingList />
  return other ? <MeetingComparison ids={[meeting, other]} /> : <MeetingReportPage key={meeting} id={meeting} />
}
