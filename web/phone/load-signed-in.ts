export type SignedInScreens = typeof import('./signed-in.ts')

let loading: Promise<SignedInScreens> | undefined

/**
 * Loads the screens behind the sign-in, once. Only loading the page again helps after a failure: Firefox would repeat
 * the failure, and others could show the screens without their styles.
 */
export function loadSignedIn(): Promise<SignedInScreens> {
  loading ??= import('./signed-in.ts')
  return loading
}
