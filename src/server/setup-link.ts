import { systemClock } from '../domain/clock'
import { linkUrl, makeLink } from '../business/operators/setup-links'
import type { Storage } from '../business/data/storage'
import type { Config } from './config'

/** Makes a link for the first operator, in the place of an earlier one. */
export type FirstLink = () => Promise<string>

interface Served {
  readonly config: Pick<Config, 'web'>
  /** Null: nothing is kept. */
  readonly folder: string | null
}

/** Way to a link for the first operator; null once somebody can sign in, and where there is no console. */
export async function firstLink(
  { config, folder }: Served,
  storage: Pick<Storage, 'operators' | 'operatorAccess' | 'pepper'>,
  operatorUrl: string,
): Promise<FirstLink | null> {
  if (folder === null || !config.web || (await storage.operatorAccess.isSetUp())) return null
  return async () => {
    const { token, link } = makeLink(storage.pepper, systemClock.now())
    await storage.operators.link(null, link)
    return linkUrl(operatorUrl, token)
  }
}
