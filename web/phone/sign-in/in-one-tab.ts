/** Lets the tabs of this browser sign in one after the other. Without browser locks, tabs are independent. */
export function inOneTab(signIn: () => Promise<void>): Promise<void> {
  const { locks } = navigator
  return locks ? locks.request('parley.phone.sign-in', signIn) : signIn()
}
