import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UntrustedProxy } from '../../http/address'
import { isAlive } from '../../storage/open'

/** File in which a serving process tells the commands its address. */
export const servingFile = (folder: string): string => join(folder, 'serving.json')

/** The key that quickstart made for this folder's owner. */
export const quickstartKeyFile = (folder: string): string => join(folder, 'quickstart-key')

/** A serving process's account of itself to the commands. */
export interface ServingNote {
  readonly pid: number
  readonly url: string
  /** Where operators reach it, without a path; null of a gateway that has no console. */
  readonly operatorUrl: string | null
  /** A proxy whose word it does not take; null until one is met. */
  readonly untrustedProxy: UntrustedProxy | null
  /** A name by which clients reach it, where none is configured; null until one is met. */
  readonly unnamedHost: string | null
  /** It was started for trying. */
  readonly demo: boolean
  /** It runs as the user who may do everything. */
  readonly root: boolean
  /** How many serve. */
  readonly processes: number
}

/** The address of the gateway that serves a data folder; null when none does. */
export const servingUrl = (folder: string): string | null => servingNote(folder)?.url ?? null

/** The note of the gateway that serves a data folder; null when none does. */
export function servingNote(folder: string): ServingNote | null {
  if (!existsSync(servingFile(folder))) return null
  try {
    const note = JSON.parse(
      readFileSync(servingFile(folder), 'utf8'),
    ) as Partial<ServingNote> | null
    if (typeof note?.url !== 'string' || !isAlive(Number(note.pid))) return null
    return {
      pid: Number(note.pid),
      url: note.url,
      operatorUrl: note.operatorUrl ?? null,
      untrustedProxy: note.untrustedProxy ?? null,
      unnamedHost: note.unnamedHost ?? null,
      demo: note.demo === true,
      root: note.root === true,
      processes: note.processes ?? 1,
    }
  } catch {
    // Half written, or left by a process that is gone.
    return null
  }
}

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
