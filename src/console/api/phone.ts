import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { addressBucket } from '../../net/address'
import { maskPhone } from '../../people/phone'
import type { CodeSent } from '../../people/sign-in'
import { isLocal } from '../local'
import { sessionCookie } from '../session-cookie'
import type { ConsoleParts } from './parts'
import { countingFailures } from './sign-in'

const Phone = Type.String({ minLength: 1, maxLength: 60 })
const Code = Type.String({ minLength: 1, maxLength: 20 })

/**
 * `POST /app/api/phone` sends a code to the number of now and one to the new one, `…/check` takes
 * both: the person is signed out everywhere. `DELETE …/move` keeps a number that an operator moves.
 */
export const phoneApi = (parts: ConsoleParts) =>
  new Elysia({ prefix: '/phone', normalize: false })
    .post(
      '/',
      async ({ request, body }) => {
        const { person } = await parts.customer(request)
        const address = parts.addressOf(request)
        const sent = await parts.changePhone.ask(person, body.phone, addressBucket(address))
        const isShown = isLocal(request, address, parts.publicUrl)
        const view = ({ phone, loggedCode }: CodeSent) => ({
          phone: maskPhone(phone),
          shown_code: isShown ? loggedCode : null,
        })
        return {
          old: view(sent.old),
          new: view(sent.fresh),
          resend_seconds: Math.ceil(sent.fresh.resendMs / 1000),
        }
      },
      { body: Type.Object({ phone: Phone }) },
    )
    .post(
      '/check',
      async ({ request, body, set }) => {
        const { person } = await parts.customer(request)
        const { phone, old_code: oldCode, code } = body
        await countingFailures(parts, parts.addressOf(request), () =>
          parts.changePhone.check(person, { phone, oldCode, code }),
        )
        parts.changed()
        set.headers['set-cookie'] = sessionCookie(null, parts.isSecure)
        return { changed: true }
      },
      { body: Type.Object({ phone: Phone, old_code: Code, code: Code }) },
    )
    .delete('/move', async ({ request }) => {
      const who = await parts.customer(request)
      return { kept: await parts.phoneMoves(who).cancel(who.person) }
    })
