import type { Command } from 'commander'
import { checkRole } from '../../admin/access-rules'
import { remoteSession } from '../kit/session'
import { commandRole } from './command-roles'

/** The words of a command without the program's name. */
export function commandWords(command: Command): string {
  const { parent } = command
  if (parent === null) return ''
  return `${commandWords(parent)} ${command.name()}`.trim()
}

/**
 * Lets a command from elsewhere begin, on the data that the gateway serves.
 * @throws AdminError role_too_low
 * @throws RangeError for what is done on the machine itself, or names other data
 */
export function enterSession(command: Command): void {
  const session = remoteSession()
  if (session === null) return
  const words = commandWords(command)
  const needed = commandRole(words)
  if (needed === 'here')
    throw new RangeError(`chapar ${words} is for the machine of the data, not from elsewhere`)
  checkRole(session.requester, needed)
  if (command.getOptionValueSource('data') === 'cli')
    throw new RangeError('--data names a folder here: the gateway has its own')
  if (command.getOptionValueSource('database') === 'cli')
    throw new RangeError('--database names a database here: the gateway has its own')
  command.setOptionValueWithSource('data', session.folder, 'config')
}
