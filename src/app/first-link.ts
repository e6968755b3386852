import type { Clock } from '../domain/clock'
import { linkUrl, makeLink } from '../operators/links'
import type { Storage } from '../storage/storage'

/** Makes a link for the first operator, in the place of an earlier one. */
export type FirstLink = () => Promise<string>

/** Way to a link for the first operator; null once somebody can sign in. */
export async function firstLink(
  storage: Pick<Storage, 'operators' | 'operatorAccess' | 'pepper'>,
  operatorUrl: string,
  clock: Clock,
): Promise<FirstLink | null> {
  if (await storage.operatorAccess.isSetUp()) return null
  return async () => {
    const { token, link } = makeLink(storage.pepper, clock.now())
    await storage.operators.link(null, link)
    return linkUrl(operatorUrl, token)
  }
}
