import type { FastifySchema } from 'fastify'
import { ById } from '../../../shared/envelope.ts'
import { anita, ID, maria } from '../../../shared/examples.ts'
import { ErasePerson, ErasePersonAnswer } from '../../../shared/person.ts'
import { jsonFileAnswer } from '../../lib/json-file-answer.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Room users']

export const exportPerson = {
  tags,
  operationId: 'exportPerson',
  summary: 'Export all data about a user',
  description:
    'A JSON file: the account without its password, the phone, sessions, requests for a new phone, the validity of a ' +
    'one-time link, names in Zoom, stays, when it spoke, and the audit rows about and by the user. Also of a deleted ' +
    'user, as long as there is any. Nothing about others. Needs a confirmation; an account may get 20 files a minute.',
  params: withExample(ById, { id: ID.anita }),
  response: jsonFileAnswer({
    person: { id: anita.id, username: anita.username, is_erased: false },
    user: { user_id: anita.user_id, username: anita.username, reference: anita.reference },
    ...{
      sessions: [],
      phone_requests: [],
      sign_in_links: [],
      names_in_zoom: [],
      meetings_at_zoom: [],
      hands_not_called: [],
    },
    ...{ erasures: [], stays: [], speeches: [], audit: [] },
  }),
} satisfies FastifySchema

export const erasePerson = {
  tags,
  operationId: 'erasePerson',
  summary: 'Erase all data about a user',
  description:
    'Deletes the user, signs its phone out, and takes its names, phone and addresses out of stays and audit, whose times ' +
    'and counts stay. Also of a deleted user. A repeat gets the same answer. Needs a confirmation. This cannot be undone.',
  params: withExample(ById, { id: maria.id }),
  body: withExample(ErasePerson, { confirm_name: maria.username }),
  response: {
    200: withExample(ErasePersonAnswer, {
      success: true,
      message: 'The data of this user was erased.',
      data: { stays: 3, audit_rows: 14 },
    }),
  },
  failures: ['busy'],
} satisfies FastifySchema
