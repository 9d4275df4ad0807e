import type { FastifyReply } from 'fastify'
import type { Zoom } from '../state/zoom.ts'
import { html, sendPage } from './page.ts'

type ConsentForm = { id: string; email?: string | undefined; error?: string }

export function consentPage(zoom: Zoom, reply: FastifyReply, { id, email, error }: ConsentForm) {
  if (zoom.options.coop) reply.header('cross-origin-opener-policy', 'same-origin')
  const accounts = zoom.state.accounts.map(
    (account, at) => html`
<label class="choice">
  <input type="radio" name="account" value="${account.id}"${error === undefined && at === 0 ? checked : ''}>
  <span>${account.display_name}<span class="soft">${account.email}</span></span>
  <span class="plan">${account.type === 2 ? 'Licensed' : 'Basic'}</span>
</label>`,
  )
  const hasNoAccount = accounts.length === 0 || error !== undefined
  const body = html`
<h1>Connect a Zoom account</h1>
<p>The app <strong>${zoom.settings.clientId}</strong> asks for access. This page plays the part of Zoom's own consent
screen: choose an account, no password is needed.</p>
${error === undefined ? '' : html`<p class="error" role="alert" id="fault">${error}</p>`}
<form method="post" action="/oauth/consent">
  <input type="hidden" name="request" value="${id}">
  <fieldset>
    <legend>Zoom account</legend>
    ${accounts}
    <label class="choice">
      <input type="radio" name="account" value="other"${hasNoAccount ? checked : ''}>
      <span>Use another account<span class="soft">Any email: a licensed demo account is made for it</span></span>
    </label>
    <div class="other">
      <label for="email">Email of the other account</label>
      <input id="email" name="email" type="email" autocomplete="off" value="${email}"${error === undefined ? '' : faulty}>
    </div>
  </fieldset>
  <p class="soft">The app will be able to:</p>
  <ul class="soft">
    <li>see the account's profile and settings</li>
    <li>make, change, start and end its meetings</li>
    <li>list, play and delete its cloud recordings</li>
  </ul>
  <div class="buttons">
    <button name="action" value="allow" class="main">Allow</button>
    <button name="action" value="deny" formnovalidate>Deny</button>
  </div>
</form>`
  return sendPage(reply, 'Connect a demo Zoom account', body, ONE_ANSWER)
}

/** Ignores the second press of a double click, which would cancel the first one's way back to the app. */
const ONE_ANSWER = `
let answeredAt = -Infinity
document.querySelector('form').addEventListener('submit', (event) => {
  if (event.timeStamp - answeredAt < 2000) event.preventDefault()
  else answeredAt = event.timeStamp
})`

const checked = html` checked`
const faulty = html` aria-invalid="true" aria-describedby="fault"`

/** Zoom shows this page of its own rather than redirect to an untrusted address. */
export function refusalPage(reply: FastifyReply, reason: string) {
  return sendPage(reply.code(400), 'Not possible', html`<h1>Zoom cannot do this</h1><p>${reason}</p>`)
}
