import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { guessing } from '../guessing'
import { sessionCookie } from '../session-cookie'
import type { ConsoleParts } from './parts'
import { browserOf, guessBlocks, sentView } from './sign-in'

const Phone = Type.String({ minLength: 1, maxLength: 60 })
const Code = Type.String({ minLength: 1, maxLength: 40 })

/**
 * `POST /app/api/phone` sends a code to the number of now and one to the new one, `…/check` takes
 * both: the person is signed out everywhere. `DELETE …/move` keeps a number that an operator moves.
 */
export const phoneApi = (parts: ConsoleParts) =>
  new Elysia({ prefix: '/phone', normalize: false })
    .post(
      '/',
      async ({ request, body, set }) => {
        const { person } = await parts.customer(request)
        const { browser, cookie } = browserOf(parts, request)
        const { old, fresh } = await parts.changePhone.ask(person, body.phone, browser)
        set.headers['set-cookie'] = cookie
        return {
          old: sentView(old),
          new: sentView(fresh),
          /** In demo mode, as at sign-in. */
          in_terminal: old.isPrinted || fresh.isPrinted,
          resend_seconds: Math.ceil(fresh.resendMs / 1000),
        }
      },
      { body: Type.Object({ phone: Phone }) },
    )
    .post(
      '/check',
      async ({ request, body, set }) => {
        const { person } = await parts.customer(request)
        const { phone, old_code: oldCode, code } = body
        const { browser } = browserOf(parts, request)
        const blocks = await guessBlocks(parts, await parts.proofs.phone(person), browser)
        await guessing(parts.limits, blocks, (guess) =>
          parts.changePhone.check(guess, person, { phone, oldCode, code }, browser),
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
