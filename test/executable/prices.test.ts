import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { litellmMap, modelsDevDocument, publicPrices } from '../pricing/check-desk'
import { run, temporaryFolder } from '../support/executable'

const folder = temporaryFolder()
const data = join(folder, 'data')
const [map, api, page] = [join(folder, 'map.json'), join(folder, 'api.json'), join(folder, 'page')]
const risen = { ...publicPrices, 'gpt-4o': { input: 3, output: 10 } }
const prices = (...words: readonly string[]) => run(['prices', ...words], { data })
const list = async () =>
  (await prices('list', '--json')).json<{ data: readonly Record<string, unknown>[] }>().data

beforeAll(async () => {
  const vendor =
    'vendor add --no-test --name openai --kind openai --dialect openai --base-url http://127.0.0.1:9/v1'
  await run([...vendor.split(' '), '--api-key', 'sk-0123456789', '--margin', '20'], { data })
  writeFileSync(map, litellmMap(risen))
  writeFileSync(api, modelsDevDocument(risen))
  writeFileSync(page, '<!doctype html>')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('what public prices tell is proposed, shown, approved and rejected', async () => {
  const refused = await prices('check', '--source', page)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toBe(`! ${page}: it is a web page, not JSON; nothing of it counts\n`)
  await run(['settings', 'set', 'prices-sources', `${map} ${api} ${page}`], { data })
  const checked = await prices('check')
  expect(checked.code).toBe(0)
  expect(checked.stderr).toContain('it is a web page')
  expect(checked.stdout).toContain('1 change proposed: gpt-4o; see chapar prices list')
  const [change] = await list()
  expect(change).toMatchObject({
    id: 1,
    kind: 'cost',
    model: 'gpt-4o',
    sources: ['litellm', 'models.dev'],
    moved: [{ price: 'input_per_million', before: '2.5', after: '3', differ: [] }],
    pricing: { input_per_million: '3' },
    pricing_proposed: { input_per_million: '3.6' },
    margin_percent: { before: '20', unchanged: '0', after: '20' },
    calls_30d: 0,
  })
  expect((await prices('show', '1')).stdout).toContain('litellm, models.dev')
  expect((await prices('approve', '1')).stdout).toBe(
    'cost of openai:gpt-4o: approved, from now on\n',
  )
  const model = await run(['model', 'show', 'gpt-4o'], { data })
  expect(model.stdout).toMatch(/sync \d{4}-\d\d-\d\d \(litellm, models\.dev\)/)
  const doctor = await run(['doctor'], { data })
  expect(doctor.stdout).toMatch(/! public prices +checked .*it is a web page/)
  expect(await list()).toEqual([])
  writeFileSync(map, litellmMap(publicPrices))
  await prices('check', '--source', map)
  expect((await prices('reject', '--all')).stdout).toContain('rejected')
  await prices('check', '--source', map)
  expect(await list()).toEqual([])
})
