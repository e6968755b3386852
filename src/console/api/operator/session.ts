import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { textForms } from '../../../business/operations/refusals/text-forms'
import type { OperatorSession } from '../../../business/operators/access-contract'
import type { Operator } from '../../../business/operators/operator'
import { passkeySiteAt } from '../../../business/users/passkey'
import { operatorCookie } from '../../operator-cookie'
import { signedBy, SignedPasskey } from '../passkey-fields'
import { openDoorWork } from './door-work'
import type { OperatorConsoleParts } from './parts'

const Token = Type.String({ minLength: 43, maxLength: 43, pattern: textForms.base64url })
const named = {
  name: Type.String({ maxLength: 100 }),
  password: Type.String({ maxLength: 400 }),
}
const Typed = { ...named, code: Type.String({ minLength: 1, maxLength: 40 }) }
/** A code, or a passkey in its place. */
const SignIn = Type.Union([Type.Object(Typed), Type.Object({ ...named, passkey: SignedPasskey })])

export const meView = ({ name, role }: Operator) => ({ name, role })

const sessionView = ({ hash, created, expires, address, agent, way }: OperatorSession) => ({
  id: hash.slice(0, 16),
  created: created as number,
  expires: expires as number,
  address,
  agent,
  way,
})

/** `…/setup`, `…/sign-in`, `…/me` and `…/session`: how an operator comes in, and goes. */
export const operatorSessionApi = (parts: OperatorConsoleParts) => {
  const { desk, operator } = parts
  const { signIn, isSecure } = desk
  const { visitorOf, guessed, siteOf } = openDoorWork(parts)
  return new Elysia({ normalize: false })
    .get('/status', async ({ request }) => ({
      service: desk.serviceName(),
      /** Whether browsers have passkeys at the address of this request. */
      passkeys: passkeySiteAt(desk.knownUrl, desk.listensAt(), request.url) !== null,
      /** Before, nobody can sign in: the program prints a link for the first owner. */
      set_up: await signIn.isSetUp(),
    }))
    .post(
      '/setup/offer',
      ({ request, body }) =>
        guessed(request, (guess) => signIn.offer(guess, body.token, desk.serviceName())),
      { body: Type.Object({ token: Token }) },
    )
    .post(
      '/setup',
      async ({ request, body: { token, ...typed }, set }) => {
        const made = await guessed(request, (guess) =>
          signIn.setUp(guess, token, typed, visitorOf(request)),
        )
        set.headers['set-cookie'] = operatorCookie(made.token, isSecure)
        return { ...meView(made.operator), recovery_codes: made.recoveryCodes }
      },
      { body: Type.Object({ token: Token, ...Typed }) },
    )
    .post(
      '/sign-in',
      async ({ request, body, set }) => {
        const { name, password } = body
        const second =
          'code' in body ? body.code : { site: siteOf(request), response: signedBy(body.passkey) }
        const { token, operator } = await guessed(request, (guess) =>
          signIn.signIn(guess, { name, password, second }, visitorOf(request)),
        )
        set.headers['set-cookie'] = operatorCookie(token, isSecure)
        return meView(operator)
      },
      { body: SignIn },
    )
    .get('/me', async ({ request }) => meView((await operator(request)).operator))
    .get('/sessions', async ({ request }) => {
      const { operator: who, hash } = await operator(request)
      const all = await signIn.sessions(who)
      return all.map((each) => ({ ...sessionView(each), current: each.hash === hash }))
    })
    .delete('/session', async ({ request, set }) => {
      const { token } = await operator(request)
      await signIn.end(token)
      set.headers['set-cookie'] = operatorCookie(null, isSecure)
      return { ended: 1 }
    })
    .delete('/sessions', async ({ request, set }) => {
      const { operator: who } = await operator(request)
      set.headers['set-cookie'] = operatorCookie(null, isSecure)
      return { ended: await signIn.endAll(who) }
    })
}
