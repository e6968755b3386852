import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fieldsOf, listOf, type Fields } from '../../src/gateway/json/fields'
import {
  addModel,
  addVendor,
  ask,
  commandSeen,
  openTestGateway,
  type TestGateway,
} from '../support/gateway'
import { openStandIn, type StandIn } from '../support/stand-in'
import { paced } from '../support/pace'

const count = 1000
let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    async prepare(storage) {
      await addVendor(storage, 'standin', vendor.url)
      for (let n = 0; n < count - 2; n++) await addModel(storage, `model-${n}`, ['standin'])
      await addModel(storage, 'priced', ['standin'])
      const alias = (id: string, listed: boolean) =>
        storage.catalogue.saveAlias({ id, model: 'priced', listed })
      await alias('claude-priced', true)
      await alias('unlisted', false)
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const messages = { 'anthropic-version': '2023-06-01' }
const shown = async (path: string, headers: Record<string, string> = {}): Promise<Fields> =>
  fieldsOf(await (await fetch(`${chapar.url}/${path}`, { headers })).json())
const idsIn = ({ data }: Fields) => listOf(data).map((each) => fieldsOf(each)['id'])
const codeOf = async (answer: Response) => fieldsOf(fieldsOf(await answer.json())['error'])['code']

/** Client of Anthropic's coding CLI, which waits three seconds for its models. */
const patienceMs = paced(3000)

describe('a list of a thousand models', () => {
  test.each([
    ['the reference format', {}],
    ['the Messages format', messages],
  ])('comes in %s before a client gives up', async (_, headers) => {
    for (const path of ['models?limit=1000', 'models?limit=1000']) {
      const began = performance.now()
      const ids = idsIn(await shown(path, headers)).map(String)
      expect(performance.now() - began).toBeLessThan(patienceMs)
      expect(ids.filter((id) => id.startsWith('model-')).length).toBeGreaterThan(900)
      expect(ids).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)))
      expect(ids).toContain('claude-priced')
    }
  })
})

describe('an alias of a model', () => {
  test('is a row of its own where it is listed, the same but for its id', async () => {
    const [alias, model] = [await shown('models/claude-priced'), await shown('models/priced')]
    expect(alias).toEqual({ ...model, id: 'claude-priced' })
    const data = listOf((await shown('models'))['data']).map(fieldsOf)
    expect(data.find(({ id }) => id === 'claude-priced')).toEqual(alias)
    expect(data.some(({ id }) => id === 'unlisted')).toBe(false)
    expect(await shown('models/unlisted')).toEqual({ ...model, id: 'unlisted' })
    const one = await shown('models/claude-priced', messages)
    expect(one).toMatchObject({ type: 'model', id: 'claude-priced', display_name: 'priced' })
  })

  test.each(['claude-priced', 'unlisted', 'standin/claude-priced'])(
    'answers as %s under that name, at the price of the model',
    async (id) => {
      const answer = await chapar.post(ask(id))
      expect(answer.status).toBe(200)
      const cost = answer.headers.get('x-cost-usd')
      expect(await answer.json()).toMatchObject({ model: id })
      expect(vendor.seen.at(-1)?.body['model']).toBe('vendor-model')
      const own = await chapar.post(ask('priced'))
      expect(own.headers.get('x-cost-usd')).toBe(cost)
      const headers = { authorization: `Bearer ${chapar.key}` }
      const record = await shown(`requests/${String(answer.headers.get('x-request-id'))}`, headers)
      expect(record).toMatchObject({ model: 'priced', status: 'success' })
    },
  )

  test.each(['priced', 'claude-priced', 'standin/claude-priced', 'claude-*'])(
    'is allowed, by either name, to a key that may use %s',
    async (allowed) => {
      const { key } = await chapar.customer({ key: { allowedModels: [allowed] } })
      for (const model of ['priced', 'claude-priced', 'unlisted']) {
        const headers = { authorization: `Bearer ${key}` }
        expect((await chapar.post(ask(model), headers)).status).toBe(200)
      }
    },
  )

  test('is refused by either name to a key that may use neither', async () => {
    const { key } = await chapar.customer({ key: { allowedModels: ['model-1'] } })
    for (const model of ['priced', 'claude-priced']) {
      const answer = await chapar.post(ask(model), { authorization: `Bearer ${key}` })
      expect(await codeOf(answer)).toBe('model_not_allowed')
    }
  })

  test('comes and goes while the gateway runs', async () => {
    const { catalogue } = chapar.storage
    await catalogue.saveAlias({ id: 'claude-new', model: 'priced', listed: true })
    await chapar.gateway.reloadCatalogue()
    await commandSeen()
    expect((await chapar.post(ask('claude-new'))).status).toBe(200)
    expect(idsIn(await shown('models'))).toContain('claude-new')
    await catalogue.removeAlias('claude-new')
    await chapar.gateway.reloadCatalogue()
    expect(await codeOf(await chapar.post(ask('claude-new')))).toBe('model_not_found')
    expect(idsIn(await shown('models'))).not.toContain('claude-new')
  })

  test('of a model that is sold no more says so', async () => {
    const { catalogue } = chapar.storage
    await addModel(chapar.storage, 'ending', ['standin'])
    await catalogue.saveAlias({ id: 'claude-ending', model: 'ending', listed: true })
    const stored = (await catalogue.models()).find(({ id }) => id === 'ending')
    if (stored === undefined) throw new Error('not there')
    const { card: _, created: __, ...entry } = stored
    await catalogue.saveModel({ ...entry, status: 'discontinued' }, [])
    await chapar.gateway.reloadCatalogue()
    expect(await codeOf(await chapar.post(ask('claude-ending')))).toBe('model_discontinued')
    expect(idsIn(await shown('models'))).not.toContain('claude-ending')
  })
})
