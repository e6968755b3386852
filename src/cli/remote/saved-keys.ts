import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Keys of operators by the origins of gateways, in a file that is its owner's alone. */
const folder = (): string =>
  join(process.env['XDG_CONFIG_HOME']?.trim() || join(homedir(), '.config'), 'chapar')

const file = (): string => join(folder(), 'operator-keys.json')

function all(): Readonly<Record<string, string>> {
  try {
    return JSON.parse(readFileSync(file(), 'utf8')) as Record<string, string>
  } catch {
    return {}
  }
}

/** The key that `chapar operator login` kept for a gateway; null where there is none. */
export const savedKey = (origin: string): string | null => {
  const keys = all()
  return Object.hasOwn(keys, origin) ? (keys[origin] ?? null) : null
}

/** Saves the key of a remote address. @param key null forgets it @returns the file */
export function saveKey(origin: string, key: string | null): string {
  const { [origin]: _, ...others } = all()
  const keys = key === null ? others : { ...others, [origin]: key }
  mkdirSync(folder(), { recursive: true, mode: 0o700 })
  const draft = `${file()}.${process.pid}.partial`
  writeFileSync(draft, JSON.stringify(keys), { mode: 0o600 })
  chmodSync(draft, 0o600)
  if (Object.keys(keys).length === 0) {
    rmSync(draft)
    rmSync(file(), { force: true })
  } else renameSync(draft, file())
  return file()
}
