import { AppError } from '../../errors.ts'

export function wrongCredentials(): AppError {
  return new AppError('wrong_credentials', 'Invalid username or password')
}

export function subscriptionCancelled(): AppError {
  return new AppError(
    'subscription_cancelled',
    'Your subscription has been cancelled. Please contact your administrator.',
  )
}
