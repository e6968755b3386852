import type { Clock } from '../domain/clock'
import { linkUrl, makeLink } from '../operators/links'
import type { Storage } from '../storage/storage'

/** A link for the first operator, in the place of an earlier one; null once somebody can sign in. */
export async function firstLink(
  storage: Pick<Storage, 'operators' | 'operatorAccess' | 'pepper'>,
  operatorUrl: string,
  clock: Clock,
): Promise<string | null> {
  if (await storage.operatorAccess.isSetUp()) return null
  const { token, link } = makeLink(storage.pepper, clock.now())
  await storage.operators.link(null, link)
  return linkUrl(operatorUrl, token)
}
