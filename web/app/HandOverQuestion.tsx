import { useState } from 'react'
import { type HandOver, setHandOver } from '../lib/session/hand-over.ts'
import { acceptHandOver } from '../lib/session/restore-session.ts'
import type { SignedInUser } from '../lib/session/session.ts'
import { Button } from '../ui/base/Button.tsx'
import { CardPage } from '../ui/base/CardPage.tsx'

type HandOverQuestionProps = {
  handOver: HandOver & { status: 'asking' }
  current: SignedInUser | null
}

/** Asks first, since a link may sign in to an attacker's account, which would get everything entered here. */
export function HandOverQuestion({ handOver, current }: HandOverQuestionProps) {
  const [isBusy, setBusy] = useState(false)
  const { user, isVerified } = handOver
  const name = nameOf(user)

  async function handleAccept() {
    setBusy(true)
    await acceptHandOver(handOver)
    setBusy(false)
  }

  return (
    <CardPage
      tone="ask"
      title={`Sign in as ${name} in this browser?`}
      actions={
        <>
          <Button look="filled" autoFocus disabled={isBusy} onClick={() => setHandOver(null)}>
            {current ? `Stay signed in as ${nameOf(current)}` : 'Do not sign in'}
          </Button>
          <Button busy={isBusy} onClick={() => void handleAccept()}>
            Sign in as {name}
          </Button>
        </>
      }
    >
      <p>
        {current ? (
          <>
            You are signed in as <strong>{nameOf(current)}</strong> ({current.role}).{' '}
          </>
        ) : null}
        The link that you opened signs you in as <strong>{name}</strong> ({user.role}), and what you enter then belongs
        to that account. If you did not ask for that, {current ? 'stay as you are' : 'do not sign in'}.
      </p>
      {isVerified ? null : <p>Parley does not answer, so the owner of this link is not confirmed yet.</p>}
    </CardPage>
  )
}

const nameOf = ({ full_name, username }: SignedInUser) => full_name || username
