import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addVendor, openTestGateway, type TestGateway } from '../support/gateway'
import { openStandIn, type StandIn } from '../support/stand-in'

let vendors: readonly StandIn[]
let chapar: TestGateway
beforeAll(async () => {
  vendors = [openStandIn(), openStandIn()]
  chapar = await openTestGateway({
    async prepare(storage) {
      for (const [index, { url }] of vendors.entries()) await addVendor(storage, `v${index}`, url)
      await storage.catalogue.saveModel(
        {
          id: 'shared',
          type: 'chat',
          name: 'shared',
          ownedBy: 'acme',
          description: null,
          contextLength: null,
          maxOutputTokens: 1000,
          capabilities: { streaming: true },
          traits: {},
          isFree: false,
          status: 'active',
          routes: vendors.map((_, index) => ({
            vendor: `v${index}`,
            vendorModel: 'm',
            priority: 0,
            weight: 1,
          })),
        },
        [
          { meter: 'input', unit: 'million', price: '1' },
          { meter: 'output', unit: 'million', price: '4' },
        ],
      )
    },
  })
})
afterAll(async () => {
  await chapar.close()
  for (const vendor of vendors) await vendor.close()
})

const ask = async (path: string, body: object, key = chapar.key): Promise<number> => {
  const before = vendors.map(({ seen }) => seen.length)
  const answer = await fetch(`${chapar.url}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'shared', ...body }),
  })
  await answer.text()
  expect(answer.status).toBe(200)
  return vendors.findIndex(({ seen }, index) => seen.length > (before[index] ?? 0))
}

const says = (role: string, content: unknown) => ({ role, content })
const instructions = says('system', 'You are helpful. '.repeat(500))

test('every turn of a conversation goes the same way, other conversations by weight', async () => {
  const chosen: number[] = []
  for (let each = 0; each < 40; each++) {
    const first = [instructions, says('user', `Question ${each}: ${'why '.repeat(300)}`)]
    const route = await ask('chat/completions', { messages: first })
    chosen.push(route)
    const second = [...first, says('assistant', 'So.'), says('user', `And then, ${each}?`)]
    for (const messages of [second, [...second, says('assistant', 'x'), says('user', 'y')]])
      expect(await ask('chat/completions', { messages })).toBe(route)
  }
  const onFirst = chosen.filter((route) => route === 0).length
  expect(onFirst).toBeGreaterThan(5)
  expect(onFirst).toBeLessThan(35)
})

test('so it is in every format, and for parts of a message', async () => {
  for (let each = 0; each < 6; each++) {
    const text = `Question ${each}`
    const asked = [
      () => ask('chat/completions', { messages: [says('user', [{ type: 'text', text }])] }),
      () => ask('messages', { max_tokens: 50, messages: [says('user', text)] }),
      () => ask('responses', { input: text }),
      () => ask('completions', { prompt: text }),
    ]
    const routes = new Set<number>()
    for (const turn of [...asked, ...asked]) routes.add(await turn())
    expect(routes.size).toBe(1)
  }
})

test('so it is where marks of caches come and go', async () => {
  const cached = { cache_control: { type: 'ephemeral' } }
  for (let each = 0; each < 6; each++) {
    const [rules, question] = [`Rules ${each}`, { role: 'user', content: 'Hi' }]
    const asking = (...marks: object[]) => {
      const system = ['Be brief.', rules].map((text, at) => ({ type: 'text', text, ...marks[at] }))
      return [
        () => ask('messages', { max_tokens: 50, system, messages: [question] }),
        () => ask('chat/completions', { messages: [says('system', system), question] }),
      ]
    }
    const routes = [new Set<number>(), new Set<number>()]
    for (const turn of [asking(), asking(cached), asking({}, cached), asking(cached, cached)])
      for (const [format, send] of turn.entries()) routes[format]?.add(await send())
    expect(routes.map(({ size }) => size)).toEqual([1, 1])
  }
})

test('projects are apart: the same words go another way for some', async () => {
  const messages = [says('user', 'the very same')]
  const routes = new Set<number>()
  for (let each = 0; each < 12; each++)
    routes.add(
      await ask('chat/completions', { messages }, (await chapar.customer({ usd: '1' })).key),
    )
  expect(routes.size).toBe(2)
})
