import type { FastifySchema } from 'fastify'
import { host, subscription } from '../../../shared/examples.ts'
import { type Host, HostAnswer, type ProfileAction } from '../../../shared/hosts.ts'
import { SubscriptionAnswer } from '../../../shared/subscriptions.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Profile']

export const getProfile = {
  tags,
  operationId: 'getProfile',
  summary: "Get the host's own account",
  response: { 200: withExample(HostAnswer, { success: true, data: host }) },
} satisfies FastifySchema

export const PROFILE_DONE: Record<ProfileAction, string> = {
  activate: 'The room is active',
  stop: 'The room is stopped. Phones cannot sign in until it is activated.',
  logout: 'Your phone is signed out',
  'change-phone': 'Device binding cleared. You can now login from a new phone.',
}

const WORDS: Record<ProfileAction, { operationId: string; summary: string; description?: string }> = {
  activate: {
    operationId: 'activateRoom',
    summary: 'Activate the room (A)',
    description: 'Phones can sign in again.',
  },
  stop: {
    operationId: 'stopRoom',
    summary: 'Stop the room (S)',
    description: "Signs out every phone of the room and refuses new ones. The host's console stays signed in.",
  },
  logout: { operationId: 'signOutOwnPhone', summary: "Sign out the host's own phone" },
  'change-phone': { operationId: 'changeOwnPhone', summary: "Clear the host's own device binding (C)" },
}

const CHANGED: Partial<Record<ProfileAction, Partial<Host>>> = {
  stop: { is_active: false },
  'change-phone': { device_id: null },
}

export const actOnProfile = (action: ProfileAction) =>
  ({
    tags,
    ...WORDS[action],
    response: {
      200: withExample(HostAnswer, {
        success: true,
        message: PROFILE_DONE[action],
        data: { ...host, ...CHANGED[action] },
      }),
    },
    failures: ['busy'],
  }) satisfies FastifySchema

export const getOwnSubscription = {
  tags: ['Subscriptions'],
  operationId: 'getOwnSubscription',
  summary: "Get the host's own subscription",
  response: { 200: withExample(SubscriptionAnswer, { success: true, data: subscription }) },
} satisfies FastifySchema
