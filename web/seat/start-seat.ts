import { SeatSiteInfo } from '../../shared/site.ts'
import { acceptPort } from '../zoom/accept-port.ts'
import { SEAT_LEFT, SEAT_PORT, SEAT_READY } from './messages.ts'
import { SeatSession } from './seat-session.ts'
import { ZoomSeat } from './zoom-seat.ts'

const LEFT_PATH = '/seat/left'

/** Only accepts messages from the host's console, over the one port that it hands over. */
export function startSeat() {
  const { host_url } = SeatSiteInfo.parse(JSON.parse(document.getElementById('site-info')?.textContent ?? '{}'))
  if (window.parent === window) return
  if (location.pathname === LEFT_PATH) return window.parent.postMessage(SEAT_LEFT, host_url)
  acceptPort({ origin: host_url, ready: SEAT_READY, offer: SEAT_PORT }, (port) => {
    const seat = new ZoomSeat({ leaveUrl: location.origin + LEFT_PATH })
    const session = new SeatSession(seat, seat.list, (message) => port.postMessage(message))
    port.onmessage = ({ data }) => session.receive(data)
  })
}
