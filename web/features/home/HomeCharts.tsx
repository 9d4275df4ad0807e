import type { Home } from '../../../shared/home.ts'
import { ChartGrid } from '../../ui/charts/ChartCard.tsx'
import { LiveRoomsCard } from './LiveRoomsCard.tsx'
import { OnlineCard } from './OnlineCard.tsx'

export function HomeCharts({ home: { online, rooms } }: { home: Home }) {
  return (
    <ChartGrid>
      <OnlineCard online={online} now={rooms.users} />
      <LiveRoomsCard rooms={rooms} />
    </ChartGrid>
  )
}
