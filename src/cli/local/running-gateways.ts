import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { getJson } from '../../gateway/outbound/get-json'
import { isAlive } from '../../business/data/open'
import { servingNote } from '../../server/serving-note'

/** A gateway that this user runs. */
interface RunningGateway {
  readonly pid: number
  /** Without the version. */
  readonly url: string
  /** Its data folder, absolute. */
  readonly data: string
}

/** Of the user, not of a session: a service has none. */
function folder(): string {
  const state = process.env['XDG_STATE_HOME']?.trim() || join(homedir(), '.local', 'state')
  return join(state, 'chapar', 'running')
}

/** Lets commands without a data folder find a gateway. @returns what takes that back */
export function announce(gateway: RunningGateway): () => void {
  const file = join(folder(), `${gateway.pid}-${Bun.hash(gateway.data).toString(36)}.json`)
  try {
    mkdirSync(folder(), { recursive: true, mode: 0o700 })
    writeFileSync(file, JSON.stringify(gateway), { mode: 0o600 })
  } catch {
    // A user without a home: commands are told the folder.
  }
  return () => forget(file)
}

/** A note that cannot be removed was never written, or is known to be old by whoever reads it. */
function forget(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // Of a user without a home.
  }
}

const healthMs = 1000

/** Gateways that are alive and answer; files that others left behind are removed. */
export async function runningGateways(): Promise<readonly RunningGateway[]> {
  const told = noteFiles().flatMap((file) => {
    const gateway = readNote(file)
    if (gateway !== null && isServing(gateway)) return [gateway]
    if (gateway === null || !isAlive(gateway.pid)) forget(file)
    return []
  })
  const answers = await Promise.all(
    told.map(({ url }) => getJson(`${url}/healthz`, new Headers(), healthMs)),
  )
  return told.filter((_, at) => answers[at]?.status === 200)
}

function noteFiles(): readonly string[] {
  try {
    return readdirSync(folder())
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => join(folder(), name))
  } catch {
    return []
  }
}

function readNote(file: string): RunningGateway | null {
  try {
    const { pid, url, data } = JSON.parse(readFileSync(file, 'utf8')) as Partial<RunningGateway>
    if (typeof pid !== 'number' || typeof url !== 'string' || typeof data !== 'string') return null
    return { pid, url, data }
  } catch {
    return null
  }
}

/** Its folder must say the same: an id may be another process's by now. */
function isServing({ pid, url, data }: RunningGateway): boolean {
  const note = servingNote(data)
  return note !== null && note.pid === pid && note.url === url
}
