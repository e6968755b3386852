import { Type, type Static } from '@sinclair/typebox'
import type { AccountId } from '../../../domain/ids'
import type { Verification } from '../verification'
import {
  approveVerification,
  findVerification,
  rejectVerification,
  revealNationalCode,
} from '../rules'
import { verificationView } from '../verification-view'
import { textForms } from '../../operations/refusals/text-forms'
import { Id, max, page, pageOf, Reason } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { operation } from '../../operations/operation'
import type { KeptParts } from '../../operations/parts'
import { verificationCommands } from './verification-commands'
import { DecisionState, VerificationView } from './verification-fields'

const decisionParts = ({ storage, service }: KeptParts) => ({
  store: storage.verifications,
  clock: service.clock,
  personAccounts: service.settings.personAccounts,
})

/** As a page begins: when the last one of the page before was sent, and whose it was. */
const placeOf = ({ submitted, account }: Static<typeof VerificationView>): string =>
  `${Date.parse(submitted)}-${account}`

const Place = Type.String({ pattern: textForms.place, maxLength: 40 })

function placeIn(text: string) {
  const [submitted, account] = text.split('-').map(Number)
  return { submitted: (submitted ?? 0) as Verification['submitted'], account: account as AccountId }
}

const byAccount = { id: Id }

export const verificationOperations = [
  operation({
    name: 'verification.list',
    method: 'GET',
    path: '/verifications',
    role: 'viewer',
    about: 'Who account holders say they are, newest first, national codes masked',
    query: {
      state: asOption(
        Type.Optional(Type.Union([...DecisionState.anyOf, Type.Literal('all')])),
        'only these',
        {
          kind: 'choice',
          choices: ['submitted', 'approved', 'rejected', 'all'],
          unlessTyped: () => 'submitted',
        },
      ),
      before: Type.Optional(Place),
      max,
    },
    result: pageOf(VerificationView, Type.String()),
    commands: [verificationCommands.list],
    async run({ storage }, { query }) {
      const { state = 'all', before, max } = query
      const found = await storage.verifications.list({
        state: state === 'all' ? null : state,
        before: before === undefined ? null : placeIn(before),
        max: max + 1,
      })
      return page(found.map(verificationView), max, placeOf)
    },
  }),
  operation({
    name: 'verification.get',
    method: 'GET',
    path: '/verifications/{id}',
    role: 'viewer',
    about: 'What one account sent last, and what was decided',
    params: byAccount,
    result: VerificationView,
    commands: [verificationCommands.show],
    run: async ({ storage }, { params }) =>
      verificationView(await findVerification(storage.verifications, params.id as AccountId)),
  }),
  operation({
    name: 'verification.code',
    method: 'POST',
    path: '/verifications/{id}/code',
    role: 'staff',
    about:
      'What one account sent last with the whole national code, to compare it; the look stands in the trail',
    params: byAccount,
    result: Type.Object({ ...VerificationView.properties, national_code: Type.String() }),
    async run({ storage, requester }, { params }) {
      const account = params.id as AccountId
      const { verifications: store } = storage
      const view = verificationView(await findVerification(store, account))
      return { ...view, national_code: await revealNationalCode({ store, requester }, account) }
    },
  }),
  operation({
    name: 'verification.approve',
    method: 'POST',
    path: '/verifications/{id}/approval',
    role: 'staff',
    about: 'Approve: the ceiling before verification is gone from the next call on',
    params: byAccount,
    result: VerificationView,
    commands: [verificationCommands.approve],
    async run(parts, { params }) {
      const account = params.id as AccountId
      await approveVerification(decisionParts(parts), account)
      return verificationView(await findVerification(parts.storage.verifications, account))
    },
  }),
  operation({
    name: 'verification.reject',
    method: 'POST',
    path: '/verifications/{id}/rejection',
    role: 'staff',
    about: 'Reject, or take an approval back, for a reason that its holder reads',
    params: byAccount,
    body: {
      reason: asOption(Reason, 'why, in words for its holder', { option: 'reason <text>' }),
    },
    result: VerificationView,
    commands: [verificationCommands.reject],
    async run(parts, { params, body }) {
      const account = params.id as AccountId
      await rejectVerification(decisionParts(parts), account, body.reason)
      return verificationView(await findVerification(parts.storage.verifications, account))
    },
  }),
] as const
