import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { ownersOnly } from '../../business/users/members'
import { maskNationalCode } from '../../business/verification/national-code'
import type { Verification } from '../../business/verification/verification'
import { Refusal } from '../refusal'
import { kycOf } from './me'
import type { ConsoleParts } from './parts'

const Text = Type.String({ minLength: 1, maxLength: 80 })
const Form = Type.Object({
  first_name: Text,
  last_name: Text,
  national_code: Text,
  birth_date: Type.String({ maxLength: 10 }),
  /** What it is for was read. */
  consent: Type.Literal(true),
})

const lastView = ({ state, reason, submitted, decided, identity }: Verification) => ({
  state,
  reason,
  submitted: submitted as number,
  decided: decided as number | null,
  first_name: identity?.firstName ?? null,
  last_name: identity?.lastName ?? null,
  national_code: identity === null ? null : maskNationalCode(identity.nationalCode),
})

/** `/app/api/verification`: who stands behind the account, as its owner sends it and sees it, code masked. */
export const verificationApi = (parts: ConsoleParts) =>
  new Elysia({ prefix: '/verification', normalize: false })
    .get('/', async ({ request }) => {
      const who = await parts.customer(request)
      const account = await parts.directory(who).findAccount(who.account)
      if (account === null) throw new Refusal(404, 'not_found')
      const last = who.role === 'owner' ? await parts.verifications.find(who.account) : null
      return {
        verified: account.verified,
        /** Null once it is verified. */
        kyc: await kycOf(parts, account),
        /** What was sent last; null for nothing, and for members. */
        last: last === null ? null : lastView(last),
      }
    })
    .post(
      '/',
      async ({ request, body }) => {
        const who = await parts.customer(request)
        ownersOnly(who)
        await parts.verifying.submit(who, {
          firstName: body.first_name,
          lastName: body.last_name,
          nationalCode: body.national_code,
          birthDate: body.birth_date,
        })
        parts.changed()
        const last = await parts.verifications.find(who.account)
        if (last === null) throw new Refusal(404, 'not_found')
        return lastView(last)
      },
      { body: Form },
    )
