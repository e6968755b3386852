import { expect, test } from 'bun:test'
import { logUnsigned } from '../../src/server/listeners/unsigned-events'
import type { Log } from '../../src/gateway/observability/log'
import { handClock } from '../storage/folder'

test('events that are not signed are logged once a minute of each gateway, without a stack', () => {
  const clock = handClock()
  const logged: unknown[] = []
  const log = { warn: (event: string, fields: object) => logged.push([event, fields]) }
  const tell = logUnsigned(log as unknown as Log, clock)
  for (let second = 0; second < 90; second++) {
    tell('main', 'bad_signature')
    tell('other', 'no_signing_secret')
    clock.set(clock.now() + 1000)
  }
  const of = (gateway: string, code: string) => ['payment event not signed', { gateway, code }]
  const each = [of('main', 'bad_signature'), of('other', 'no_signing_secret')]
  expect(logged).toEqual([...each, ...each])
})
