import type { Home } from '../../../shared/home.ts'
import { ChartGrid } from '../../ui/charts/ChartCard.tsx'
import { LiveRoomsCard } from './LiveRoomsCard.tsx'
import { OnlineCard } from './OnlineCard.tsx'
import { ZoomErrorsCard } from './ZoomErrorsCard.tsx'

export function HomeCharts({ home: { online, rooms, zoom_errors } }: { home: Home }) {
  return (
    <ChartGrid>
      <OnlineCard online={online} now={rooms.users} />
      <LiveRoomsCard rooms={rooms} />
      <ZoomErrorsCard hours={zoom_errors} />
    </ChartGrid>
  )
}
