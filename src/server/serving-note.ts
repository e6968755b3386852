import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UntrustedProxy } from '../gateway/http/address'
import { isAlive } from '../business/data/open'

/** File in which a serving process tells the commands its address. */
export const servingFile = (folder: string): string => join(folder, 'serving.json')

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

/** The setting with which a proxy's word is taken, beside those that are trusted. */
export const trustLine = ({ address, trusted }: UntrustedProxy): string =>
  `CHAPAR_TRUSTED_PROXIES=${[...trusted, address].join(',')}`

export const urlRemedy =
  'CHAPAR_URL=https://… in the environment of chapar serve: until then nobody pays by card, and cookies are sent over https alone'
export const demoRemedy =
  'for trying alone: start chapar serve without --demo and CHAPAR_DEMO before strangers come'
export const rootRemedy =
  'serve as a user of its own: User= in the unit of systemd, user: in compose'
