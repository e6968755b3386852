import type { DatabaseAddress } from '../database-address'
import { openDatabase, wantedSettings } from './connect'
import { reachable } from './reachable'
import { behindPooler, minVersion, tooOld, withoutTriggers } from './server-words'

/** A server that can be used, as it was found. */
export interface ServerState {
  /** With the server's major version, by which connections set what it knows. */
  readonly address: DatabaseAddress
  /** As the server names it, such as `15.18`. */
  readonly version: string
  /** Settings of the server under which a power failure loses or breaks what was committed. */
  readonly unsafe: readonly UnsafeSetting[]
  /** Connections that the server gives to users who are no superusers. */
  readonly connections: number
}

/** Settings of the whole server that only its administrator changes. */
const safeSettings = ['fsync', 'full_page_writes'] as const
type UnsafeSetting = (typeof safeSettings)[number]

interface Found {
  readonly number: number
  readonly version: string
  readonly name: string
  readonly replication: string
  readonly connections: number
  readonly settings: Readonly<Record<string, string | null>>
}

/**
 * Connects, and looks whether the server is one that nodes can be on.
 * @throws RangeError with what to do: where it is too old, keeps our settings from connections or triggers from
 *   running, and as of `reachable`
 */
export const examineServer = (address: DatabaseAddress): Promise<ServerState> =>
  reachable(address, async () => {
    const wanted = wantedSettings(address)
    await using sql = openDatabase({ address, max: 1, name: 'chapar look' })
    const [found]: Found[] = await sql.unsafe(examineSql, [
      JSON.stringify([...Object.keys(wanted), ...safeSettings]),
    ])
    if (found === undefined) throw new RangeError(`${address.shown} answers nothing`)
    const { number, version, name, replication, connections, settings } = found
    const major = Math.floor(number / 10_000)
    if (major < minVersion) throw new RangeError(`${address.shown} ${tooOld(version)}`)
    const kept = Object.keys(wanted).filter((each) => settings[each] !== wanted[each])
    if (kept.length > 0 || !name.startsWith('chapar'))
      throw new RangeError(`${address.shown} ${behindPooler(kept)}`)
    if (replication !== 'origin')
      throw new RangeError(`${address.shown} ${withoutTriggers(address)}`)
    return {
      address: { ...address, version: major },
      version,
      unsafe: safeSettings.filter((each) => settings[each] === 'off'),
      connections,
    }
  })

/** Same address with the version of its server, which is asked unless it is known. @throws as `examineServer` */
export const examined = async (address: DatabaseAddress): Promise<DatabaseAddress> =>
  address.version === undefined ? (await examineServer(address)).address : address

const examineSql = `
SELECT current_setting('server_version_num')::int AS number,
  split_part(current_setting('server_version'), ' ', 1) AS version,
  current_setting('application_name') AS name, current_setting('session_replication_role') AS replication,
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS connections,
  (SELECT json_object_agg(n, current_setting(n, true)) FROM json_array_elements_text(($1::text)::json) AS j (n)) AS settings`
