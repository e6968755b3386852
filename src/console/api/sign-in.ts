import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { addressBucket } from '../../net/address'
import { isPeopleRefusal } from '../../people/people-refusal'
import { maskPhone } from '../../people/phone'
import { visitOf } from '../page-head'
import { sessionCookie } from '../session-cookie'
import { meOf } from './me'
import type { ConsoleParts } from './parts'

const Phone = Type.String({ minLength: 1, maxLength: 60 })
const Asking = Type.Object({ phone: Phone })
const Checking = Type.Object({ phone: Phone, code: Type.String({ minLength: 1, maxLength: 20 }) })

/** Visitor, and the name of a new account's project. */
export const arrivalOf = ({ addressOf }: Pick<ConsoleParts, 'addressOf'>, request: Request) => ({
  visitor: { address: addressOf(request), agent: request.headers.get('user-agent') ?? '' },
  projectName: firstProject[visitOf(request.headers).language],
})

const firstProject = { fa: 'پروژهٔ ۱', en: 'Project 1' }

/** `POST /app/api/sign-in` sends a code, `POST /app/api/sign-in/check` takes it. */
export const signInApi = (parts: ConsoleParts) =>
  new Elysia({ prefix: '/sign-in', normalize: false })
    .post(
      '/',
      async ({ request, body }) => {
        const address = parts.addressOf(request)
        const sent = await parts.signIn.ask(body.phone, addressBucket(address))
        return {
          phone: maskPhone(sent.phone),
          resend_seconds: Math.ceil(sent.resendMs / 1000),
          life_seconds: Math.ceil(sent.lifeMs / 1000),
          /** In demo mode: whoever runs the service reads the code there. */
          in_terminal: sent.isPrinted,
        }
      },
      { body: Asking },
    )
    .post(
      '/check',
      async ({ request, body, set }) => {
        const address = parts.addressOf(request)
        const { visitor, projectName } = arrivalOf(parts, request)
        const { token, who } = await countingFailures(parts, address, () =>
          parts.signIn.check(body, visitor, projectName),
        )
        set.headers['set-cookie'] = sessionCookie(token, parts.isSecure)
        return await meOf(parts, who, request)
      },
      { body: Checking },
    )

/** Wrong codes, passkeys and tickets count as wrong keys do: an address that guesses must wait. */
export async function countingFailures<T>(
  { limits }: ConsoleParts,
  address: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (isPeopleRefusal(thrown) && thrown.code !== 'phone_invalid')
      await limits.takeAttempt(addressBucket(address))
    throw thrown
  }
}
