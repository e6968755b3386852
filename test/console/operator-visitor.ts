import { TOTP } from 'otpauth'
import { makeLink } from '../../src/business/operators/setup-links'
import type { OperatorRole } from '../../src/domain/fields/operator-fields'
import type { Clock, Ms } from '../../src/domain/clock'
import type { TestGateway } from '../support/gateway'

interface OperatorReply<Body = never> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** An operator's browser on this machine, with its cookie. */
export interface OperatorVisitor {
  cookie(): string
  /** @param path below `/app/api/operator` */
  send<Body = never>(
    method: string,
    path: string,
    body?: unknown,
    headers?: object,
  ): Promise<OperatorReply<Body>>
}

export const operatorPassword = 'correct horse battery'

export const codeAt = (secret: string, now: Ms): string =>
  new TOTP({ secret, digits: 6, period: 30 }).generate({ timestamp: now })

/** @param origin of the gateway */
export function openOperatorVisitor(origin: string): OperatorVisitor {
  let cookie = ''
  return {
    cookie: () => cookie,
    async send(method, path, body, headers = {}) {
      const response = await fetch(`${origin}/app/api/operator${path}`, {
        method,
        headers: {
          origin,
          'sec-fetch-site': 'same-origin',
          ...(cookie === '' ? {} : { cookie }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const set = response.headers.get('set-cookie')
      if (set !== null) cookie = set.includes('Max-Age=0') ? '' : (set.split(';')[0] ?? '')
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        body: (text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text) as never,
      }
    },
  }
}

/** Somebody who has followed the link of an operator, and is signed in. */
export async function setUpOperator(
  { storage, url }: Pick<TestGateway, 'storage' | 'url'>,
  clock: Clock,
  { name = 'sara', role = 'owner' }: { name?: string; role?: OperatorRole } = {},
) {
  const { origin } = new URL(url)
  const { token, link } = makeLink(storage.pepper, clock.now())
  if (await storage.operatorAccess.isSetUp()) await storage.operators.add({ name, role }, link)
  else await storage.operators.link(null, link)
  const visitor = openOperatorVisitor(origin)
  const code = codeAt(link.totp, clock.now())
  const made = await visitor.send<{ recovery_codes: string[] }>('POST', '/setup', {
    token,
    name,
    password: operatorPassword,
    code,
  })
  if (made.status !== 200) throw new Error(`not set up: ${JSON.stringify(made.body)}`)
  return { visitor, secret: link.totp, recoveryCodes: made.body.recovery_codes }
}

/** The secret of a key for `/admin/v1`. */
export async function operatorKey(
  { storage }: Pick<TestGateway, 'storage'>,
  role: OperatorRole,
): Promise<string> {
  const { createOperatorKey } = await import('../../src/business/operators/operator-rules')
  const { systemClock } = await import('../../src/domain/clock')
  const { secret } = await createOperatorKey(
    { store: storage.operators, clock: systemClock, pepper: storage.pepper },
    { name: role, role, expires: null },
  )
  return secret
}
