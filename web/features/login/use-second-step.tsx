import { lazy, type ReactNode, Suspense, useState } from 'react'
import { ApiError, type SecondStepOffer } from '../../lib/send.ts'
import { Loading } from '../../ui/base/Loading.tsx'

const load = () => import('./SecondStep.tsx')
const SecondStep = lazy(async () => ({ default: (await load()).SecondStep }))

/** Shows the second step in the place of the login, for accounts that have one: others do not load it. */
export function useSecondStep(onSignedIn: () => void) {
  const [offer, setOffer] = useState<SecondStepOffer | null>(null)

  const page: ReactNode = offer ? (
    <Suspense fallback={<Loading />}>
      <SecondStep offer={offer} onSignedIn={onSignedIn} onStartOver={() => setOffer(null)} />
    </Suspense>
  ) : null

  return {
    page,
    async begin(signIn: () => Promise<void>) {
      try {
        await signIn()
      } catch (error) {
        if (!(error instanceof ApiError) || !error.secondStep) throw error
        await load() // a failure is shown at the login, where it can be tried again
        return setOffer(error.secondStep)
      }
      onSignedIn()
    },
  }
}
