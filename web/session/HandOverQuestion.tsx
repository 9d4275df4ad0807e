import { Button } from '../ui/Button.tsx'
import { CardPage } from '../ui/CardPage.tsx'
import { endSessionAtServer } from './end-session.ts'
import { makeOffer, type Offer } from './hand-over.ts'
import { keepToken, type SignedInUser } from './session.ts'

type HandOverQuestionProps = { offer: Offer; present: SignedInUser }

/** A link that signs in as somebody else: it may be a trap, so the person who is signed in decides. */
export function HandOverQuestion({ offer, present }: HandOverQuestionProps) {
  function handleSwitch() {
    // A failure leaves nothing to do: the old token is gone from here, and ends by itself at the server.
    endSessionAtServer().catch(() => {})
    keepToken(offer.token)
    window.location.reload() // drops all that was shown to the other
  }

  return (
    <CardPage
      tone="ask"
      title="Sign in as someone else?"
      actions={
        <>
          <Button autoFocus onClick={() => makeOffer(null)}>
            Stay signed in as {nameOf(present)}
          </Button>
          <Button variant="default" onClick={handleSwitch}>
            Sign in as {nameOf(offer.user)}
          </Button>
        </>
      }
    >
      <p>
        You are signed in as <strong>{nameOf(present)}</strong> ({present.role}). The link that you opened signs you in
        as <strong>{nameOf(offer.user)}</strong> ({offer.user.role}). If you did not ask for that, stay as you are.
      </p>
    </CardPage>
  )
}

const nameOf = ({ full_name, username }: SignedInUser) => full_name || username
