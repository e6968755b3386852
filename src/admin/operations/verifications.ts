import { Type, type Static } from '@sinclair/typebox'
import type { AccountId } from '../../domain/ids'
import type { Verification } from '../../verification/verification'
import {
  approveVerification,
  findVerification,
  rejectVerification,
  revealNationalCode,
} from '../verifications'
import { verificationView } from '../verification-view'
import { textForms } from '../refusals/text-forms'
import { Id, max, orNull, page, pageOf, Reason } from './fields'
import { operation } from './operation'
import type { KeptParts } from './parts'

const DecisionState = Type.Union([
  Type.Literal('submitted'),
  Type.Literal('approved'),
  Type.Literal('rejected'),
])

const VerificationView = Type.Object({
  account: Id,
  account_name: Type.String(),
  person: Id,
  phone: orNull(Type.String()),
  state: DecisionState,
  first_name: orNull(Type.String()),
  last_name: orNull(Type.String()),
  /** Masked. */
  national_code: orNull(Type.String()),
  birth_date: orNull(Type.String()),
  provider: Type.Union([Type.Literal('manual'), Type.Literal('http')]),
  reason: orNull(Type.String()),
  by: orNull(Type.String()),
  submitted: Type.String(),
  decided: orNull(Type.String()),
})

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
    query: { state: Type.Optional(DecisionState), before: Type.Optional(Place), max },
    result: pageOf(VerificationView, Type.String()),
    async run({ storage }, { query }) {
      const { state = null, before, max } = query
      const found = await storage.verifications.list({
        state,
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
    run: async ({ storage }, { params }) =>
      verificationView(await findVerification(storage.verifications, params.id as AccountId)),
  }),
  operation({
    name: 'verification.code',
    method: 'POST',
    path: '/verifications/{id}/code',
    role: 'staff',
    about: 'The whole national code, to compare it; the look stands in the trail',
    params: byAccount,
    result: Type.Object({ national_code: Type.String() }),
    run: async ({ storage, requester }, { params }) => ({
      national_code: await revealNationalCode(
        { store: storage.verifications, requester },
        params.id as AccountId,
      ),
    }),
  }),
  operation({
    name: 'verification.approve',
    method: 'POST',
    path: '/verifications/{id}/approval',
    role: 'staff',
    about: 'Approve: the ceiling before verification is gone from the next call on',
    params: byAccount,
    result: VerificationView,
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
    body: { reason: Reason },
    result: VerificationView,
    async run(parts, { params, body }) {
      const account = params.id as AccountId
      await rejectVerification(decisionParts(parts), account, body.reason)
      return verificationView(await findVerification(parts.storage.verifications, account))
    },
  }),
] as const
