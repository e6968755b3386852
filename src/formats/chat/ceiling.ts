import { GatewayError } from '../../errors/gateway-error'
import type { ChatBody } from './schema'

/** The client's output ceiling, the smaller one of its two names; null for none. */
export function outputCeilingOf({
  max_tokens: old,
  max_completion_tokens: current,
}: ChatBody): number | null {
  const first = typeof old === 'number' ? old : null
  if (typeof current !== 'number') return first
  return first === null ? current : Math.min(first, current)
}

/** The stop sequences that mean anything. */
export function stopsOf({ stop }: ChatBody): string[] {
  const told = typeof stop === 'string' ? [stop] : (stop ?? [])
  return told.filter((each) => each.trim() !== '')
}

/** @throws invalid_field when several answers are asked of a vendor that gives one a call */
export function refuseChoices({ n }: ChatBody): void {
  if (typeof n !== 'number' || n < 2) return
  throw new GatewayError(
    'invalid_field',
    { field: 'n', expected: '1 for this model' },
    { param: 'n' },
  )
}
