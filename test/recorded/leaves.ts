import type { Command } from 'commander'
import { buildProgram } from '../../src/cli/program'

/** A command that does something, by the words that call it. */
interface Leaf {
  readonly path: string
  readonly hasCsv: boolean
}

const below = (command: Command, words: readonly string[]): readonly Leaf[] =>
  command.commands.flatMap((child) => {
    const path = [...words, child.name()]
    if (child.commands.length > 0) return below(child, path)
    return [{ path: path.join(' '), hasCsv: child.options.some(({ long }) => long === '--csv') }]
  })

/** Every command of the program. */
export const leaves: readonly Leaf[] = below(buildProgram(), [])

/** The command that a line calls; null for a line that calls none. */
export const leafOf = (line: string): Leaf | null =>
  leaves.find(({ path }) => line === path || line.startsWith(`${path} `)) ?? null
