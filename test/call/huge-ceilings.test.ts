import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openStandIn, type StandIn } from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    vendorUrl: vendor.url,
    async prepare({ catalogue }) {
      const price = { unit: 'million', price: '1' } as const
      await catalogue.saveModel(
        {
          id: 'boundless',
          type: 'chat',
          name: 'boundless',
          ownedBy: 'standin',
          description: null,
          contextLength: null,
          maxOutputTokens: null,
          capabilities: { streaming: true },
          traits: {},
          isFree: false,
          status: 'active',
          routes: [{ vendor: 'standin', vendorModel: 'boundless', priority: 0, weight: 1 }],
        },
        [
          { meter: 'input', ...price },
          { meter: 'output', ...price },
        ],
      )
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const said = '"messages":[{"role":"user","content":"hi"}]'
/** Every ceiling that a client sets, and the rest of its request. */
const ceilings = [
  ['/chat/completions', 'max_tokens', said],
  ['/chat/completions', 'max_completion_tokens', said],
  ['/completions', 'max_tokens', '"prompt":"hi"'],
  ['/messages', 'max_tokens', said],
  ['/responses', 'max_output_tokens', '"input":"hi"'],
  ['/responses', 'max_tool_calls', '"input":"hi"'],
] as const

test.each(ceilings)(
  '%s takes a %s that no money covers for what it is',
  async (path, name, rest) => {
    // The largest integers of clients' platforms, and more than any of them.
    for (const ceiling of ['9007199254740991', '9223372036854775807', '1e30', '1e308']) {
      const response = await fetch(chapar.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${chapar.key}` },
        body: `{"model":"boundless","${name}":${ceiling},${rest}}`,
      })
      // What may be more than all money there is can be refused, or cut where the money ends.
      expect([ceiling, [200, 400, 402].includes(response.status)]).toEqual([ceiling, true])
      await response.text()
    }
    expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0 })
  },
)
