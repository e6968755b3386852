import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { maskPhone } from '../../domain/phone'
import { isProven } from '../../business/users/sessions'
import { guessing } from '../guessing'
import { Refusal } from '../refusal'
import { sessionCookie, tokenOf } from '../session-cookie'
import type { ConsoleParts } from './parts'
import { siteOf } from './passkeys'
import { signedBy, SignedPasskey } from './passkey-fields'
import { requestedView, browserOf, guessBlocks } from './sign-in'

const Code = Type.String({ minLength: 1, maxLength: 40 })

/**
 * `/app/api/proof`: how whoever is signed in shows anew who they are, before what a stolen session must
 * not do. Each proof brings a new token: whoever has the one of before is signed out.
 */
export const proofApi = (parts: ConsoleParts) => {
  const { customer, proofs, isSecure } = parts
  const proving = async (request: Request) => ({
    person: (await customer(request)).person,
    token: tokenOf(request.headers, isSecure) ?? '',
  })
  const proven = (token: string | null, headers: Record<string, string | number>) => {
    if (token === null) throw new Refusal(401, 'signed_out')
    headers['set-cookie'] = sessionCookie(token, isSecure)
    return { proven: true }
  }
  return new Elysia({ prefix: '/proof', normalize: false })
    .get('/', async ({ request }) => {
      const who = await customer(request)
      const [phone, passkeys] = await Promise.all([
        proofs.phone(who.person),
        parts.passkeys.list(who.person),
      ])
      return {
        /** Where a code goes; null for nowhere. */
        phone: phone === null ? null : maskPhone(phone),
        has_passkey: parts.passkeySite(request) !== null && passkeys.length > 0,
        /** Nothing has to be shown by now. */
        proven: isProven(who, parts.clock.now()),
      }
    })
    .post('/code', async ({ request, set }) => {
      const { person } = await customer(request)
      const { browser, cookie } = browserOf(parts, request)
      const sent = await proofs.ask(person, browser)
      set.headers['set-cookie'] = cookie
      return requestedView(sent)
    })
    .post(
      '/code/check',
      async ({ request, body, set }) => {
        const who = await proving(request)
        const { browser } = browserOf(parts, request)
        const blocks = await guessBlocks(parts, await proofs.phone(who.person), browser)
        const token = await guessing(parts.limits, blocks, (guess) =>
          proofs.byCode(guess, who, body.code, browser),
        )
        return proven(token, set.headers)
      },
      { body: Type.Object({ code: Code }) },
    )
    .post('/passkey/options', async ({ request }) => {
      await customer(request)
      return await parts.passkeys.request(siteOf(parts, request))
    })
    .post(
      '/passkey',
      async ({ request, body, set }) => {
        const who = await proving(request)
        const site = siteOf(parts, request)
        const { browser } = browserOf(parts, request)
        const blocks = await guessBlocks(parts, await proofs.phone(who.person), browser)
        const token = await guessing(parts.limits, blocks, (guess) =>
          proofs.byPasskey(guess, who, site, signedBy(body)),
        )
        return proven(token, set.headers)
      },
      { body: SignedPasskey },
    )
}
