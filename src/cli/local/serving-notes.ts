import { writeFileSync } from 'node:fs'
import type { UntrustedProxy } from '../../gateway/http/address'
import type { Log } from '../../gateway/observability/log'
import type { Serving } from '../../server/process/run-contract'
import {
  demoRemedy,
  rootRemedy,
  servingFile,
  trustLine,
  urlRemedy,
  type ServingNote,
} from '../../server/serving-note'

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
