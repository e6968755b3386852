import { writeFileSync } from 'node:fs'
import type { UntrustedProxy } from '../../http/address'
import type { Log } from '../../observability/log'
import type { Serving } from '../../app/run-contract'
import { servingFile, type ServingNote } from './reach'

interface NoteParts {
  /** Null: nothing is kept. */
  readonly folder: string | null
  readonly demo: boolean
  /** A person watches who is told otherwise. */
  readonly quiet: boolean
  readonly log: Pick<Log, 'warn'>
}

/** Tells the commands of a data folder that it is served. */
export function openServingNote({ folder, demo, quiet, log }: NoteParts) {
  let note: ServingNote | null = null
  let met: Pick<ServingNote, 'untrustedProxy' | 'unnamedHost'> = {
    untrustedProxy: null,
    unnamedHost: null,
  }
  const write = () => {
    if (folder === null || note === null) return
    writeFileSync(servingFile(folder), JSON.stringify({ ...note, ...met }))
  }
  const meet = (more: Partial<typeof met>) => {
    met = { ...met, ...more }
    try {
      write()
    } catch {
      // The log has it.
    }
  }
  return {
    serving({ server: { url }, operatorUrl, processes = 1 }: Serving): void {
      const root = isRoot()
      note = { pid: process.pid, url, operatorUrl, ...met, demo, root, processes }
      write()
      if (folder === null || quiet) return
      if (demo) log.warn('demo mode', { remedy: demoRemedy })
      if (root) log.warn('serving as root', { remedy: rootRemedy })
    },
    /** Its clients count as one, and are shut out as one. */
    untrusted(proxy: UntrustedProxy): void {
      const { address, header } = proxy
      log.warn('forwarded header not believed', { address, header, remedy: trustLine(proxy) })
      meet({ untrustedProxy: proxy })
    },
    /** Told by each of several processes. */
    unnamed(host: string): void {
      if (met.unnamedHost !== null) return
      log.warn('public address not configured', { host, remedy: urlRemedy })
      meet({ unnamedHost: host })
    },
  }
}

const isRoot = (): boolean => process.getuid?.() === 0

/** The setting with which a proxy's word is taken, beside those that are trusted. */
export const trustLine = ({ address, trusted }: UntrustedProxy): string =>
  `CHAPAR_TRUSTED_PROXIES=${[...trusted, address].join(',')}`

export const urlRemedy =
  'CHAPAR_URL=https://… in the environment of chapar serve: until then nobody pays by card, and cookies are sent over https alone'
export const demoRemedy =
  'for trying alone: start chapar serve without --demo and CHAPAR_DEMO before strangers come'
export const rootRemedy =
  'serve as a user of its own: User= in the unit of systemd, user: in compose'
