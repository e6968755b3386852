import { resolve } from 'node:path'
import type { Command } from 'commander'
import { printError } from '../kit/output'
import { runningGateways } from './running-gateways'

/** Commands that make a gateway, or speak of none, or of a database. */
const apart: ReadonlySet<string> = new Set(['serve', 'quickstart', 'wait', 'restore', 'openapi'])

/**
 * A command that was not told a data folder means the gateway that runs.
 * @throws RangeError when several do
 */
export async function findRunning(command: Command): Promise<void> {
  if (apart.has(nameOf(command)) || command.getOptionValue('url') !== undefined) return
  const isTold = command.getOptionValueSource('data') !== 'default'
  if (isTold || process.env['CHAPAR_DATA']?.trim()) return
  const running = await runningGateways()
  const [first, ...others] = running
  if (first === undefined) return
  if (others.length > 0)
    throw new RangeError(
      `${running.length} gateways run here; say which one with --data: ${running.map(({ data, url }) => `${data} (${url})`).join(', ')}`,
    )
  if (first.data === resolve(String(command.getOptionValue('data')))) return
  command.setOptionValueWithSource('data', first.data, 'config')
  printError(`chapar: on ${first.data}, which is served at ${first.url}`)
}

/** The word behind `chapar`. */
function nameOf(command: Command): string {
  const { parent } = command
  return parent === null || parent.parent === null ? command.name() : nameOf(parent)
}
