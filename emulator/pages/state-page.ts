import type { FastifyReply } from 'fastify'
import { visibleFiles } from '../state/recording-json.ts'
import type { Zoom } from '../state/zoom.ts'
import { type Html, html, sendPage } from './page.ts'

export function sendStatePage(zoom: Zoom, reply: FastifyReply) {
  const { accounts, meetings, recordings } = zoom.state
  const { faults, deliveries, unknownPaths } = zoom.memory
  const email = (id: string) => zoom.accountById(id)?.email ?? ''
  const body = html`
<h1>What this Zoom holds</h1>
<p class="soft">Its clock says ${new Date(zoom.now()).toISOString()}. The same as JSON: <a href="/_emulator/state">state</a>,
<a href="/_emulator/webhooks">webhooks</a>, <a href="/_emulator/faults">faults</a>.</p>
${table(
  'Accounts',
  ['Email', 'Name', 'Plan', 'App'],
  accounts.map((account) => [
    account.email,
    account.display_name,
    account.type === 2 ? 'Licensed' : 'Basic',
    account.installed ? 'connected' : 'not connected',
  ]),
)}
${table(
  'Meetings',
  ['Number', 'Topic', 'Host', 'State', 'People', 'Recording'],
  meetings
    .filter((meeting) => !meeting.deleted)
    .map((meeting) => [
      String(meeting.id),
      meeting.topic,
      email(meeting.host_id),
      meeting.sitting ? 'started' : 'waiting',
      String(meeting.sitting?.participants.length ?? 0),
      meeting.sitting?.recording ?? '',
    ]),
)}
${table(
  'Recordings',
  ['Started', 'Topic', 'Host', 'UUID', 'Files', 'State'],
  recordings.map((recording) => [
    recording.start_time,
    recording.topic,
    email(recording.host_id),
    recording.uuid,
    String(visibleFiles(recording).length),
    recording.deleted_time === null ? (recording.files[0]?.status ?? '') : 'in the trash',
  ]),
)}
${table(
  'Faults to come',
  ['Kind', 'Path', 'Whose', 'Hits'],
  faults.map((fault) => [
    fault.kind,
    fault.match.path ?? 'any',
    fault.match.email ?? 'anyone',
    `${fault.hits} of ${fault.times || 'any number'}`,
  ]),
)}
${table(
  'Last webhooks',
  ['Event', 'State', 'Answers'],
  deliveries
    .slice(-20)
    .toReversed()
    .map(({ event, state, attempts }) => [event, state, attempts.map(({ outcome }) => outcome).join(', ')]),
)}
${table(
  'Calls to unknown paths',
  ['Call'],
  unknownPaths.map((call) => [call]),
)}`
  return sendPage(reply, 'Demo Zoom: state', body)
}

function table(title: string, heads: string[], rows: string[][]): Html {
  if (rows.length === 0) return html`<h2>${title}</h2><p class="soft">None.</p>`
  return html`<h2>${title}</h2><div class="wide" tabindex="0" role="region" aria-label="${title}"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table></div>`
}
