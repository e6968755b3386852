import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { PasskeyAnswer } from '../../../business/operators/request-identity'
import { operatorCookie } from '../../operator-cookie'
import { Refusal } from '../../refusal'
import { signedBy, SignedPasskey } from '../passkey-fields'
import { openDoorWork } from './door-work'
import type { OperatorConsoleParts } from './parts'

/**
 * `…/proof`: how an operator who is signed in shows anew who they are, before what a stolen session must
 * not do. Each proof brings a new token, and ends the session of the one before.
 */
export const operatorProofApi = (parts: OperatorConsoleParts) => {
  const { desk, operator } = parts
  const { visitorOf, guessed, siteOf } = openDoorWork(parts)
  const prove = async (request: Request, shown: string | PasskeyAnswer) => {
    const here = await operator(request)
    const token = await guessed(request, (guess) =>
      desk.signIn.prove(guess, here, shown, visitorOf(request)),
    )
    if (token === null) throw new Refusal(401, 'signed_out')
    return operatorCookie(token, desk.isSecure)
  }
  return new Elysia({ prefix: '/proof', normalize: false })
    .post(
      '/password',
      async ({ request, body, set }) => {
        set.headers['set-cookie'] = await prove(request, body.password)
        return { proven: true }
      },
      { body: Type.Object({ password: Type.String({ maxLength: 400 }) }) },
    )
    .post(
      '/passkey',
      async ({ request, body, set }) => {
        const shown = { site: siteOf(request), response: signedBy(body) }
        set.headers['set-cookie'] = await prove(request, shown)
        return { proven: true }
      },
      { body: SignedPasskey },
    )
}
