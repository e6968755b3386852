import { writeFileSync } from 'node:fs'
import type { UntrustedProxy } from '../../http/address'
import type { Log } from '../../observability/log'
import type { Serving } from '../../app/run-contract'
import { servingFile, type ServingNote } from './reach'

/** Tells the commands of a data folder that it is served. @param folder null: nothing is kept */
export function openServingNote(folder: string | null, log: Log) {
  let note: ServingNote | null = null
  let untrustedProxy: UntrustedProxy | null = null
  const write = () => {
    if (folder === null || note === null) return
    writeFileSync(servingFile(folder), JSON.stringify({ ...note, untrustedProxy }))
  }
  return {
    serving({ server: { url }, operatorUrl, processes = 1 }: Serving): void {
      note = { pid: process.pid, url, operatorUrl, untrustedProxy, processes }
      write()
    },
    /** Its clients count as one, and are shut out as one. */
    untrusted(proxy: UntrustedProxy): void {
      untrustedProxy = proxy
      const { address, header } = proxy
      log.warn('forwarded header not believed', { address, header, remedy: trustLine(proxy) })
      try {
        write()
      } catch {
        // The log has it.
      }
    },
  }
}

/** The setting with which a proxy's word is taken, beside those that are trusted. */
export const trustLine = ({ address, trusted }: UntrustedProxy): string =>
  `CHAPAR_TRUSTED_PROXIES=${[...trusted, address].join(',')}`
