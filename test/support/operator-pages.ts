import { expect } from 'bun:test'
import { systemClock } from '../../src/domain/clock'
import { makeLink } from '../../src/business/operators/setup-links'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { codeAt, openOperatorVisitor, operatorPassword } from '../console/operator-visitor'
import { visit, type Looks, type Visit } from './browser'

/** A cookie as a browser is given it. */
interface GivenCookie {
  readonly name: string
  readonly value: string
  readonly url: string
  readonly secure: boolean
}

/** A cookie of a service, for a browser: it takes those of the strict form from addresses of https alone. */
export function givenCookie(cookie: string, origin: string): GivenCookie {
  const [name = '', value = ''] = cookie.split('=')
  const secure = name.startsWith('__Host-')
  return { name, value, url: secure ? origin.replace('http:', 'https:') : origin, secure }
}

/** An owner's way into the console of a program that serves. */
export interface OwnerIn {
  /** Secret of the one-time codes, base32. */
  readonly totp: string
  /** Cookie of a session that has begun. */
  readonly cookies: readonly GivenCookie[]
}

/** Sets up the first owner, `sara`, by a link in the place of the one that was printed. */
export async function signInOwner(origin: string, data: string): Promise<OwnerIn> {
  const storage = openStorage({ folder: data, exclusive: false, clock: systemClock })
  const { token, link } = makeLink(storage.pepper, systemClock.now())
  await storage.operators.link(null, link)
  await storage.close()
  const owner = openOperatorVisitor(origin)
  const code = codeAt(link.totp, systemClock.now())
  const typed = { token, name: 'sara', password: operatorPassword, code }
  expect((await owner.send('POST', '/setup', typed)).status).toBe(200)
  return { totp: link.totp, cookies: [givenCookie(owner.cookie(), origin)] }
}

/** Opens a page of the console as the owner. @param path below `/app` */
export async function openAsOwner(
  origin: string,
  { cookies }: Pick<OwnerIn, 'cookies'>,
  path: string,
  looks: Looks,
): Promise<Visit> {
  const visited = await visit(origin, looks)
  await visited.context.addCookies([...cookies])
  await visited.page.goto(`${origin}/app${path}`)
  await visited.page.getByRole('heading', { level: 1 }).waitFor()
  return visited
}
