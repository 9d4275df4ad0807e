import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { isHostInMeeting, joinAsHost, startMeeting } from '../life/meeting-life.ts'
import { findJoinToken } from '../state/join-tokens.ts'
import type { Account, StoredMeeting } from '../state/state.ts'
import type { Zoom } from '../state/zoom.ts'
import { type Html, html, sendPage } from './page.ts'

type ById = { Params: { id: string } }
const StartQuery = z.object({ zak: z.string() })

/** The pages of Zoom's start and join links. Zoom would open its app; here the page takes its place. */
export function meetingPages(zoom: Zoom) {
  return async (app: FastifyInstance) => {
    app.get<ById>('/s/:id', async (request, reply) => {
      const found = findMeeting(zoom, request.params.id)
      const query = StartQuery.safeParse(request.query)
      const token = query.success ? findJoinToken(zoom, 'zak', query.data.zak) : undefined
      if (!found || token?.user_id !== found.account.id) return expired(reply)

      enterAsHost(zoom, found)
      zoom.changed()
      return meetingPage(reply, found, {
        who: html`${found.account.display_name}, the host`,
        state: 'The meeting is running',
        sound: 'Microphone on, no camera',
        advice: 'You can close this window: the meeting goes on.',
      })
    })

    app.get<ById>('/j/:id', async (request, reply) => {
      const found = findMeeting(zoom, request.params.id)
      if (!found) return noMeeting(reply)
      const isLive = found.meeting.sitting !== null
      return meetingPage(reply, found, {
        who: html`a guest`,
        sound: isLive ? 'Muted on entry, no camera' : 'Not connected',
        state: isLive ? 'The meeting is running' : 'The meeting has not started',
        advice: isLive
          ? html`Zoom’s app would let you in now. <a href="/zoom/j/${found.meeting.id}">Open the demo’s Zoom app</a>, or close this window.`
          : 'Zoom’s app would wait here for the host. You can close this window.',
      })
    })
  }
}

type FoundMeeting = { account: Account; meeting: StoredMeeting }

function findMeeting(zoom: Zoom, id: string): FoundMeeting | undefined {
  const meeting = zoom.state.meetings.find((held) => String(held.id) === id && !held.deleted)
  const account = meeting && zoom.accountById(meeting.host_id)
  return account && { account, meeting }
}

function enterAsHost(zoom: Zoom, { account, meeting }: FoundMeeting) {
  if (!meeting.sitting) return startMeeting(zoom, account, meeting)
  const live = { account, meeting, sitting: meeting.sitting }
  if (!isHostInMeeting(live)) joinAsHost(zoom, live, { user_name: account.display_name })
}

type ShownSitting = { who: Html; state: string; sound: string; advice: string | Html }

/** Groups digits as Zoom does. */
const inGroups = (id: number) => String(id).replace(/^(\d{3})(\d{3,4})(\d{4})$/, '$1 $2 $3')

function meetingPage(reply: FastifyReply, { meeting }: FoundMeeting, { who, state, sound, advice }: ShownSitting) {
  const isLive = meeting.sitting !== null
  return sendPage(
    reply,
    `${meeting.topic}: ${state.toLowerCase()}`,
    html`
<div class="call${isLive ? ' live' : ''}">
  <div class="circle" aria-hidden="true">${[...meeting.topic.trim()][0] ?? ''}</div>
  <h1 dir="auto">${meeting.topic}</h1>
  <p class="state"><span class="dot"></span>${state}</p>
  <dl>
    <dt>You are</dt><dd dir="auto">${who}</dd>
    <dt>Meeting ID</dt><dd>${inGroups(meeting.id)}</dd>
    <dt>Sound</dt><dd>${sound}</dd>
  </dl>
  <p>${advice}</p>
</div>`,
  )
}

function expired(reply: FastifyReply) {
  return sendPage(
    reply.code(403),
    'Link expired',
    html`<h1>This start link no longer works</h1>
<p>A start link is valid for two hours. Go back to the app and start the meeting from there again.</p>`,
  )
}

function noMeeting(reply: FastifyReply) {
  return sendPage(
    reply.code(404),
    'No meeting',
    html`<h1>This meeting does not exist</h1><p>Ask its host for a new link.</p>`,
  )
}
