import type { Command } from 'commander'
import { relative } from 'node:path'

/** Words behind which a command is meant, in what is printed. */
const mention = /(?<![\w./-])chapar (?=[a-z])/g

/**
 * How this program is called here: scripts of a clone say it, an executable that is not on the path is
 * called by its place.
 */
function commandName(): string {
  const told = process.env['CHAPAR_COMMAND']?.trim()
  if (told) return told
  if (!Bun.isStandaloneExecutable || Bun.which('chapar') !== null) return 'chapar'
  const place = relative(process.cwd(), process.execPath)
  return place.startsWith('..') ? process.execPath : `./${place}`
}

/** A text in which commands stand as they can be typed here. */
export const typeable = (text: string): string =>
  text.replaceAll(mention, () => `${commandName()} `)

/** The words of a command without the program's name. */
export function commandWords(command: Command): string {
  const { parent } = command
  if (parent === null) return ''
  return `${commandWords(parent)} ${command.name()}`.trim()
}
