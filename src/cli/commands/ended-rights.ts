import type { EndedRights } from '../../operators/operator'
import { printLine } from '../kit/output'

/** Prints what ended with an operator's rights: a line for each kind of which there is any. */
export function tellEnded(
  { keys, lowered, links, looks }: EndedRights,
  print: (line: string) => void = printLine,
): void {
  const named = (all: EndedRights['keys']): string =>
    all.map(({ id, name, prefix }) => `${id} ${name} (${prefix}…)`).join(', ')
  if (keys.length > 0) print(`keys that ended with it: ${named(keys)}`)
  if (lowered.length > 0) print(`keys that may less from now on: ${named(lowered)}`)
  if (links.length > 0)
    print(`links that ended with it: ${links.map((name) => name || 'first owner').join(', ')}`)
  if (looks > 0) print(`visits of accounts that ended with it: ${looks}`)
}
