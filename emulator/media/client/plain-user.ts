import { failureAtJoining } from './answers.ts'
import { MeetingClient } from './meeting.ts'

/** A user of Zoom's own app. The address may name the user, ask to join at once, and replace the microphone by a tone. */
export function startPlainUser(origin: string) {
  const query = new URLSearchParams(window.location.search)
  const form = document.querySelector('form')
  const status = document.querySelector('output')
  if (!form || !status) return
  const field = (name: string) => form.querySelector<HTMLInputElement>(`input[name=${name}]`)?.value ?? ''

  async function join() {
    if (!form || !status) return
    status.textContent = ''
    form.hidden = true
    const tone = Number(query.get('tone'))
    const meeting = new MeetingClient(
      origin,
      () => {},
      () => {
        form.hidden = false
      },
      { disableJoinAudio: false, isZoomApp: true, ...(tone > 0 && { tone }) },
    )
    const zak = query.get('zak')
    const code = await meeting.join({
      meeting_number: window.location.pathname.split('/').at(-1) ?? '',
      user_name: field('name'),
      passcode: field('passcode'),
      ...(zak !== null && { zak }),
    })
    if (code === null) return meeting.joinAudio()
    form.hidden = false
    status.textContent = failureAtJoining(code)[1] ?? ''
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void join()
  })
  if (query.get('join') === '1') void join()
}
