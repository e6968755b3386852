import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { addressBucket } from '../../../net/address'
import type { OperatorSession } from '../../../operators/access-store'
import type { Operator } from '../../../operators/operator'
import { isOperatorRefusal, type OperatorRefusalCode } from '../../../operators/operator-refusal'
import { operatorCookie } from '../../operator-cookie'
import type { OperatorConsoleParts } from './parts'

const Token = Type.String({ minLength: 43, maxLength: 43, pattern: '^[\\w-]+$' })
const Typed = {
  name: Type.String({ maxLength: 100 }),
  password: Type.String({ maxLength: 400 }),
  code: Type.String({ minLength: 1, maxLength: 40 }),
}

/** Refusals of what could be guessed. */
const guesses: ReadonlySet<OperatorRefusalCode> = new Set([
  'link_invalid',
  'setup_code_wrong',
  'sign_in_wrong',
  'sign_in_locked',
])

const meView = ({ name, role }: Operator) => ({ name, role })

const sessionView = ({ hash, created, expires, address, agent, way }: OperatorSession) => ({
  id: hash.slice(0, 16),
  created: created as number,
  expires: expires as number,
  address,
  agent,
  way,
})

/** `…/setup`, `…/sign-in`, `…/me` and `…/session`: how an operator comes in, and goes. */
export const operatorSessionApi = ({ desk, operator, addressOf }: OperatorConsoleParts) => {
  const { signIn, isSecure } = desk
  const visitorOf = (request: Request) => {
    const address = addressOf(request)
    const agent = request.headers.get('user-agent') ?? ''
    return { address, bucket: addressBucket(address), agent }
  }
  /** Whoever guesses links or passwords counts as one who guesses keys. */
  const counted = async <T>(request: Request, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (thrown) {
      if (isOperatorRefusal(thrown) && guesses.has(thrown.code))
        await desk.limits.takeAttempt(addressBucket(addressOf(request)))
      throw thrown
    }
  }
  return new Elysia({ normalize: false })
    .get('/status', async () => ({
      service: desk.serviceName(),
      /** Before, nobody can sign in: the program prints a link for the first owner. */
      set_up: await signIn.isSetUp(),
    }))
    .post(
      '/setup/offer',
      ({ request, body }) => counted(request, () => signIn.offer(body.token, desk.serviceName())),
      { body: Type.Object({ token: Token }) },
    )
    .post(
      '/setup',
      async ({ request, body: { token, ...typed }, set }) => {
        const made = await counted(request, () => signIn.setUp(token, typed, visitorOf(request)))
        set.headers['set-cookie'] = operatorCookie(made.token, isSecure)
        return { ...meView(made.operator), recovery_codes: made.recoveryCodes }
      },
      { body: Type.Object({ token: Token, ...Typed }) },
    )
    .post(
      '/sign-in',
      async ({ request, body, set }) => {
        const { token, operator } = await counted(request, () =>
          signIn.signIn(body, visitorOf(request)),
        )
        set.headers['set-cookie'] = operatorCookie(token, isSecure)
        return meView(operator)
      },
      { body: Type.Object(Typed) },
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
