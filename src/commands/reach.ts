import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where a serving process tells the commands its address. */
export const servingFile = (folder: string): string => join(folder, 'serving.json')

/** The key that quickstart made for this folder's owner. */
export const quickstartKeyFile = (folder: string): string => join(folder, 'quickstart-key')

/** The address of the gateway that serves a data folder; null when none does. */
export function servingUrl(folder: string): string | null {
  if (!existsSync(servingFile(folder))) return null
  try {
    const note: unknown = JSON.parse(readFileSync(servingFile(folder), 'utf8'))
    if (typeof note !== 'object' || note === null || !('url' in note) || !('pid' in note))
      return null
    process.kill(Number(note.pid), 0)
    return String(note.url)
  } catch {
    // Left by a process that is gone.
    return null
  }
}

export function quickstartKey(folder: string): string | null {
  const file = quickstartKeyFile(folder)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}
