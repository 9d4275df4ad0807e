/** Messages by field. The server checks the same again. */
export type SignInErrors = Record<string, string>

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/
const MASTER_PASSWORD_MIN = 8

export function hostLoginErrors({ username = '', password = '' }: Record<string, string>): SignInErrors {
  return {
    ...(!username.trim() && { username: 'Username is required' }),
    ...(!password && { password: 'Password is required' }),
  }
}

export function masterLoginErrors({ email = '', password = '' }: Record<string, string>): SignInErrors {
  return {
    ...(!email.trim()
      ? { email: 'Email is required' }
      : !EMAIL.test(email.trim()) && { email: 'Invalid email address' }),
    ...(!password
      ? { password: 'Password is required' }
      : password.length < MASTER_PASSWORD_MIN && { password: 'Password must be at least 8 characters' }),
  }
}
