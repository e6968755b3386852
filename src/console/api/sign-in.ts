import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { addressBlocks, type AddressBlock } from '../../gateway/net/address'
import { maskPhone } from '../../domain/phone'
import { makeBrowserToken, type CodeBrowser } from '../../business/users/sign-in-codes'
import type { CodeSent } from '../../business/users/sign-in'
import { guessing } from '../guessing'
import { visitOf } from '../page-head'
import { browserCookie, browserTokenOf, sessionCookie } from '../session-cookie'
import { meOf } from './me'
import type { ConsoleParts } from './parts'

const Phone = Type.String({ minLength: 1, maxLength: 60 })
const Asking = Type.Object({ phone: Phone })
const Checking = Type.Object({ phone: Phone, code: Type.String({ minLength: 1, maxLength: 40 }) })

/** The browser that a request came from, and the cookies that keep it. */
export function browserOf(
  { addressOf, isSecure }: Pick<ConsoleParts, 'addressOf' | 'isSecure'>,
  request: Request,
) {
  const token = browserTokenOf(request.headers, isSecure) ?? makeBrowserToken()
  return {
    browser: { address: addressOf(request), token },
    cookie: browserCookie(token, isSecure),
  }
}

/**
 * Blocks in which a guess counts: a browser that the number knows waits for its own wrong guesses, not for those of
 * its address.
 * @param phone number of the person whose secret is guessed; null for none
 */
export async function guessBlocks(
  { signIn }: Pick<ConsoleParts, 'signIn'>,
  phone: string | null,
  browser: CodeBrowser,
): Promise<readonly AddressBlock[]> {
  const own = phone === null ? null : await signIn.guessesOf(phone, browser)
  return own === null ? addressBlocks(browser.address) : [{ name: own, weight: 1 }]
}

/** Visitor, the name of a new account's project, and the cookie of the browser. */
export function arrivalOf(parts: Pick<ConsoleParts, 'addressOf' | 'isSecure'>, request: Request) {
  const { browser, cookie } = browserOf(parts, request)
  return {
    visitor: { ...browser, agent: request.headers.get('user-agent') ?? '' },
    projectName: firstProject[visitOf(request.headers).language],
    cookie,
  }
}

const firstProject = { fa: 'پروژهٔ ۱', en: 'Project 1' }

/** What a page tells of a code that is on its way. */
export const sentView = ({ phone, digits, sentBeforeMs }: CodeSent) => ({
  phone: maskPhone(phone),
  digits,
  /** Of a code that is good and was sent before: seconds since then. */
  sent_before_seconds: sentBeforeMs === null ? null : Math.floor(sentBeforeMs / 1000),
})

/** Same, of one that a page asks for alone. */
export const requestedView = (sent: CodeSent) => ({
  ...sentView(sent),
  resend_seconds: Math.ceil(sent.resendMs / 1000),
  /** In demo mode: whoever runs the service reads the code there. */
  in_terminal: sent.isPrinted,
})

/** `POST /app/api/sign-in` sends a code, `POST /app/api/sign-in/check` takes it. */
export const signInApi = (parts: ConsoleParts) =>
  new Elysia({ prefix: '/sign-in', normalize: false })
    .post(
      '/',
      async ({ request, body, set }) => {
        const { browser, cookie } = browserOf(parts, request)
        const sent = await parts.signIn.ask(body.phone, browser)
        set.headers['set-cookie'] = cookie
        return { ...requestedView(sent), life_seconds: Math.ceil(sent.lifeMs / 1000) }
      },
      { body: Asking },
    )
    .post(
      '/check',
      async ({ request, body, set }) => {
        const { visitor, projectName, cookie } = arrivalOf(parts, request)
        const blocks = await guessBlocks(parts, body.phone, visitor)
        const { token, who } = await guessing(parts.limits, blocks, (guess) =>
          parts.signIn.check(guess, body, visitor, projectName),
        )
        set.headers['set-cookie'] = [sessionCookie(token, parts.isSecure), cookie]
        return await meOf(parts, who, request)
      },
      { body: Checking },
    )
