import { SignInLinkAnswer } from '../../../shared/sign-in-links.ts'
import { api } from '../api-client.ts'

/** Not a mutation, whose cache would keep the link: it is a secret. */
export async function makeSignInLink(id: string, signal: AbortSignal) {
  const path = `/host/users/${encodeURIComponent(id)}/sign-in-link`
  return (await api(SignInLinkAnswer, 'POST', path, undefined, { isSecret: true, signal })).data
}
