import type { Order } from '../order.ts'
import type { userOf } from './answers.ts'

type User = ReturnType<typeof userOf>

/** Zoom's own list of participants for hosts and co-hosts, with a Mute All that can forbid unmuting. */
export class HostPanel {
  readonly root = document.createElement('details')
  readonly #summary = document.createElement('summary')
  readonly #list = document.createElement('ul')
  readonly #order: (order: Order) => void
  #users: User[] = []
  #shown = ''

  constructor(order: (order: Order) => void) {
    this.#order = order
    this.root.className = 'host'
    this.root.append(this.#summary, this.#muteAll(), this.#list)
    this.root.addEventListener('toggle', () => this.#fill())
  }

  show(users: User[]) {
    const [self] = users
    this.#users = users
    this.root.hidden = !self?.isHost && !self?.isCoHost
    this.#summary.textContent = `Participants (${users.length})`
    this.#fill()
  }

  /** Leaves an unchanged list alone, since a button under a finger must not be replaced. */
  #fill() {
    if (!this.root.open || this.root.hidden) return
    const shown = JSON.stringify(this.#users)
    if (shown === this.#shown) return
    this.#shown = shown
    this.#list.replaceChildren(...this.#users.map((user) => this.#row(user)))
  }

  #row({ userName, ...user }: User): HTMLElement {
    const row = document.createElement('li')
    const state = [
      user.isHost && 'host',
      user.isCoHost && 'co-host',
      user.isHold && 'waiting',
      user.audio && (user.muted ? 'muted' : 'unmuted'),
      user.raiseHand && 'hand raised',
    ]
    const name = document.createElement('bdi')
    name.textContent = userName
    row.append(name, ` ${state.filter(Boolean).join(', ')} `)
    if (user.self) return row
    row.append(
      ...this.#ordersFor(user).map(([text, order]) => {
        const button = newButton(text, () => this.#order(order))
        button.setAttribute('aria-label', `${text} ${userName}`)
        return button
      }),
    )
    return row
  }

  #ordersFor({ userId, audio, muted, raiseHand, isHold, isCoHost }: Omit<User, 'userName'>): [string, Order][] {
    const remove: [string, Order] = ['Remove', { do: 'expel', userId }]
    if (isHold) return [['Admit', { do: 'putOnHold', userId, hold: false }], remove]
    const orders: [string, Order][] = []
    if (audio) orders.push([muted ? 'Ask to Unmute' : 'Mute', { do: 'mute', userId, mute: !muted }])
    if (raiseHand) orders.push(['Lower Hand', { do: 'lowerHand', userId }])
    if (this.#users[0]?.isHost)
      orders.push(
        ['Make Host', { do: 'makeHost', userId }],
        isCoHost
          ? ['Withdraw Co-Host', { do: 'withdrawCoHost', userId }]
          : ['Make Co-Host', { do: 'makeCoHost', userId }],
      )
    return [...orders, ['Put in Waiting Room', { do: 'putOnHold', userId, hold: true }], remove]
  }

  #muteAll(): HTMLElement {
    const dialog = document.createElement('div')
    dialog.hidden = true
    dialog.setAttribute('role', 'dialog')
    dialog.setAttribute('aria-label', 'Mute All')
    const label = document.createElement('label')
    const mayUnmute = document.createElement('input')
    mayUnmute.type = 'checkbox'
    mayUnmute.checked = true
    label.append(mayUnmute, ' Allow participants to unmute themselves')
    const answer = (isYes: boolean) => {
      dialog.hidden = true
      if (isYes) this.#order({ do: 'muteAll', muteAll: true, mayUnmute: mayUnmute.checked })
    }
    dialog.append(
      'All current and new participants will be muted',
      label,
      newButton('Yes', () => answer(true)),
      newButton('No', () => answer(false)),
    )
    const place = document.createElement('div')
    place.append(
      newButton('Mute All', () => {
        dialog.hidden = false
      }),
      newButton('Admit All', () => this.#order({ do: 'admitAll' })),
      dialog,
    )
    return place
  }
}

export function newButton(text: string, press: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = text
  button.addEventListener('click', press)
  return button
}
