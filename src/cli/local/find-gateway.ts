import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { servingUrl } from '../../server/serving-note'

/** The key that quickstart made for this folder's owner. */
export const quickstartKeyFile = (folder: string): string => join(folder, 'quickstart-key')

export function quickstartKey(folder: string): string | null {
  const file = quickstartKeyFile(folder)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() || null : null
}

/** Options that say which gateway is meant, and with which key. */
export interface ReachOptions {
  readonly data: string
  readonly url?: string
  readonly key?: string
}

/**
 * The gateway's address without its version: the one given, or the one that serves the folder.
 * @throws RangeError when there is neither, or it is no address
 */
export function gatewayUrl({ data, url }: ReachOptions): string {
  const found = url ?? servingUrl(data)
  if (found === null)
    throw new RangeError('no gateway serves this data folder: start chapar serve, or give --url')
  if (!URL.canParse(found) || !/^https?:$/.test(new URL(found).protocol))
    throw new RangeError(`not an http address: ${found}`)
  return found.replace(/\/+$/, '').replace(/\/v1$/, '')
}

/** A sentence for whoever has no key yet. */
export const keyNeeded =
  'give a key with --key (chapar key create makes one), or run chapar quickstart'
