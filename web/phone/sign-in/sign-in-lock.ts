/** Lets the tabs of this browser sign in one after the other. Where locks are missing or blocked, tabs are independent. */
export async function withSignInLock(signIn: () => Promise<void>): Promise<void> {
  const { locks } = navigator
  if (!locks) return signIn()
  let hasLock = false
  try {
    await locks.request('parley.phone.sign-in', () => {
      hasLock = true
      return signIn()
    })
  } catch (error) {
    if (hasLock) throw error
    await signIn()
  }
}
