import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addVendor } from '../../src/business/catalogue/vendors'
import { systemClock } from '../../src/domain/clock'
import { litellmMap, openaiVendor } from '../pricing/check-desk'
import { temporaryFolder } from '../support/executable'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { setUpOperator, type OperatorVisitor } from './operator-visitor'

interface Checked {
  readonly proposed: readonly { id: number; model: string }[]
  readonly sources: readonly { name: string; problem: string | null }[]
}

const folder = temporaryFolder()
const source = join(folder, 'public.json')
let gateway: TestGateway
let owner: OperatorVisitor

beforeAll(async () => {
  gateway = await openTestGateway({
    web: true,
    folder,
    async prepare(storage) {
      const parts = { storage, discovery: { found: [], local: [] }, sandbox: async () => false }
      await addVendor(parts, openaiVendor, { marginPercent: '20', by: 'command:test' })
      await storage.settings.set('prices-sources', source)
    },
  })
  owner = (await setUpOperator(gateway, systemClock)).visitor
})
afterAll(async () => {
  await gateway.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a check by an owner proposes what the sources tell otherwise', async () => {
  writeFileSync(source, litellmMap({ 'gpt-4o': { input: 3, output: 10 } }))
  const { status, body } = await owner.send<Checked>('POST', '/price-checks')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    sources: [{ name: 'litellm', models: 1, problem: null }],
    proposed: [{ kind: 'cost', model: 'gpt-4o', vendor: 'main', vendor_model: 'gpt-4o' }],
    applied: [],
  })
  const { body: kept } = await owner.send<{ last: { sources: object[] } }>('GET', '/price-checks')
  expect(kept.last.sources).toEqual([...body.sources])
  const ids = body.proposed.map(({ id }) => id)
  const { body: waiting } = await owner.send<{ data: object[] }>('GET', '/price-proposals')
  const one = await owner.send('GET', `/price-proposals/${ids[0]}`)
  expect(one.body).toEqual(waiting.data[0] as never)
  const { body: decided } = await owner.send('POST', '/price-proposals/approvals', { ids })
  expect(decided).toMatchObject({ data: [{ id: ids[0], model: 'gpt-4o', status: 'approved' }] })
  const { body: model } = await owner.send<{ pricing: Readonly<Record<string, string>> }>(
    'GET',
    '/models/gpt-4o',
  )
  expect(model.pricing['input_per_million']).toBe('3.6')
  expect((await owner.send('GET', `/price-proposals/${ids[0]}`)).status).toBe(409)
})

test('two at once are one: the other is told to wait', async () => {
  const both = await Promise.all([1, 2].map(() => owner.send('POST', '/price-checks')))
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
})

test('a source that cannot be read says why, and nothing of it counts', async () => {
  writeFileSync(source, '<html>')
  const { body } = await owner.send<Checked>('POST', '/price-checks')
  expect(body.proposed).toEqual([])
  expect(body.sources[0]?.problem).toContain('web page')
})
