import type { GatewayError } from '../../errors/gateway-error'
import { unsupported } from '../schema-fault'
import { listOf, type Fields } from '../../json/fields'

const isEnd = (stop: unknown): boolean => typeof stop === 'string' && stop.trim() !== ''

/** Members that ask for more of an answer: without them it would be another one than was asked for. */
const demands: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['n', (value: unknown) => typeof value === 'number' && value > 1],
  ['logprobs', (value: unknown) => value === true],
  ['stop', (value: unknown) => [value].flat().some(isEnd)],
  ['modalities', (value: unknown) => listOf(value).some((each) => each !== 'text')],
])

/**
 * Refuses options that a client would wait for in vain. Wishes about how an answer is made (penalties, seeds,
 * biases) are none of it.
 * @param dropped members that this vendor is not told
 * @throws endpoint_not_supported
 */
export function refuseDemands(body: Readonly<Fields>, dropped: readonly string[]): void {
  for (const name of dropped)
    if (demands.get(name)?.(body[name]) === true) throw refused(body, name)
}

const refused = ({ model }: Readonly<Fields>, param: string): GatewayError =>
  unsupported(String(model), '/v1/chat/completions', param)
