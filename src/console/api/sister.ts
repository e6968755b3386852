import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { textForms } from '../../business/operations/refusals/text-forms'
import { addressBlocks } from '../../gateway/net/address'
import { guessing } from '../guessing'
import { sessionCookie, sisterCookie, sisterValueOf } from '../session-cookie'
import { meOf } from './me'
import type { ConsoleParts } from './parts'
import { arrivalOf } from './sign-in'

/** A page of ours, and nothing else: it is gone to once somebody is signed in. */
const Destination = Type.String({ maxLength: 200, pattern: textForms.page })
const maxTicketLength = 2048

/**
 * `POST /app/api/sign-in/sister` says where a browser gets a ticket, `…/ticket` takes it. Pages post
 * both: a link alone changes nothing.
 */
export const sisterApi = (parts: ConsoleParts) =>
  new Elysia({ prefix: '/sign-in/sister', normalize: false })
    .post(
      '/',
      async ({ body, set }) => {
        const { url, token } = await parts.sister.start()
        set.headers['set-cookie'] = sisterCookie(`${token}${body.to}`, parts.isSecure)
        return { url }
      },
      { body: Type.Object({ to: Destination }) },
    )
    .post(
      '/ticket',
      async ({ request, body, set }) => {
        // A token has no slash, and a page begins with one.
        const kept = sisterValueOf(request.headers, parts.isSecure) ?? ''
        const slash = kept.indexOf('/')
        const asked = slash < 0 ? null : { token: kept.slice(0, slash), to: kept.slice(slash) }
        const { cookie, ...arrival } = arrivalOf(parts, request)
        const blocks = addressBlocks(arrival.visitor.address)
        const { token, who } = await guessing(parts.limits, blocks, (guess) =>
          parts.sister.signIn(guess, body.ticket, asked?.token ?? null, arrival),
        )
        set.headers['set-cookie'] = [
          sessionCookie(token, parts.isSecure),
          sisterCookie(null, parts.isSecure),
          cookie,
        ]
        return { me: await meOf(parts, who, request), to: asked?.to ?? '/' }
      },
      { body: Type.Object({ ticket: Type.String({ minLength: 1, maxLength: maxTicketLength }) }) },
    )
