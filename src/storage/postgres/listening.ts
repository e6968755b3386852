import type { DatabaseAddress } from '../database-address'
import { openDatabase } from './connect'

interface ListenParts {
  readonly address: DatabaseAddress
  /** What is done with notifications, by their channels. */
  readonly channels: Readonly<Record<string, (payload: string) => void>>
  onFault(fault: unknown): void
}

/** Connection that hears notifications. */
export interface Listening {
  close(): Promise<void>
}

const againMs = 1000

/**
 * Listens on a connection of its own, which the runtime renews. Nothing hangs on it: who hears nothing asks a little
 * later.
 */
export function openListening({ address, channels, onFault }: ListenParts): Listening {
  const sql = openDatabase({ address, max: 1, name: 'chapar notices' })
  const state = { isClosed: false }
  /** A first `LISTEN` that failed is tried again; later ones are the runtime's. */
  const listen = async (channel: string, hear: (payload: string) => void): Promise<void> => {
    while (!state.isClosed)
      try {
        await sql.listen(channel, hear)
        return
      } catch (fault) {
        if (!state.isClosed) onFault(fault)
        await Bun.sleep(againMs)
      }
  }
  const listened = Promise.all(
    Object.entries(channels).map(([channel, hear]) => listen(channel, hear)),
  )
  return {
    async close() {
      state.isClosed = true
      await listened
      await sql.close({ timeout: 0 })
    },
  }
}
